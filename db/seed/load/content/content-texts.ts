/** Content of the demo market: cases, and news in addition to the texts of every installation. */
import { PublicationStatus } from '#contract/rules/statuses.ts';

interface ArticleSeed {
  code: string;
  category: 'notice' | 'activity';
  title: string;
  summary: string;
  /** Lines as authors write them (subjects/content/rules/article.ts). */
  body: string;
  daysAgo: number;
  /** Code of the only distributor that shows it. */
  site?: string;
  pinned?: boolean;
  /** 0 a draft, 2 withdrawn; published without it. */
  status?: 0 | 2;
}

export const ARTICLES: readonly ArticleSeed[] = [
  {
    code: 'guarantee-day-7',
    category: 'notice',
    title: '包赔规则更新：第 7 天未追回，赔付或 48 小时内裁定',
    summary: '找回理赔提交后显示公开计时，到期必有结果。',
    body: '从今天起，找回包赔的理赔进度对双方公开：第几天、最后一次进展、预计赔付时间。\n# 改了什么\n- 提交凭证后立即开始计时，详情页显示第几天。\n- 第 7 天未追回，能从卖家追偿的小额理赔由系统赔付到余额；金额较大、账号已转手或需要核实双方情况的，48 小时内由两名工作人员裁定。都不需要再次申请。\n- 已经提交的理赔按原来的提交时间计算。\n[阅读完整条款](/news/guarantee)',
    daysAgo: 1,
    pinned: true,
  },
  {
    code: 'maintenance-1125',
    category: 'notice',
    title: '11 月 25 日凌晨系统维护',
    summary: '2:00 至 2:30 暂停下单和付款，进行中的订单时限顺延 30 分钟。',
    body: '维护时间为 11 月 25 日 2:00 至 2:30。\n- 维护期间不能下单、付款和提现，可以浏览和聊天。\n- 所有进行中订单的发货和验收时限顺延 30 分钟。\n- 提前结束会在本页更新。',
    daysAgo: 2,
  },
  {
    code: 'fake-sms',
    category: 'notice',
    title: '警惕冒充平台的短信',
    summary: '近期出现“账户异常请点击链接验证”的短信，平台不会这样通知。',
    body: '近期有用户收到“您的游戏账户异常，请点击链接验证”的短信。这不是我们发送的。\n- 我们的短信不含需要登录的外部链接。\n- 我们不会在任何渠道索要验证码和支付密码。\n> 收到后请勿点击，可在“客服验真”提交号码。\n[怎样识别](/news/security)',
    daysAgo: 6,
  },
  {
    code: 'withdraw-faster',
    category: 'notice',
    title: '提现审核时间缩短到 30 分钟',
    summary: '工作日 9 点到 21 点的提现申请，通常 30 分钟内审核。',
    body: '我们增加了审核人手，工作日 9 点到 21 点提交的提现通常 30 分钟内审核完毕。\n- 单笔超过 5,000 元仍由两位工作人员复核。\n- 收款人必须与实名一致，不一致会退回余额。',
    daysAgo: 15,
  },
  {
    code: 'winter-lottery',
    category: 'activity',
    title: '立冬抽奖：概率表公开，每天一次',
    summary: '奖品为服务费券和包赔券，概率与剩余数量实时公示。',
    body: '每位实名用户每天可抽一次。\n- 奖品：服务费券、包赔券。\n- 概率表和剩余数量公布在抽奖页，由服务器抽取。\n- 优惠券有效期 14 天，每单限用一张。\n[去抽奖](/lotterydraw)',
    daysAgo: 4,
  },
  {
    code: 'new-seller-week',
    category: 'activity',
    title: '新卖家首周：验号免费',
    summary: '首次发布账号的卖家，一周内可免费预约一次验号。',
    body: '首次发布账号类商品的卖家，发布后 7 天内可免费预约一次验号。\n- 验号结果会写明人员和时间。\n- 验过的商品默认排序更靠前。\n[发布商品](/center/sell)',
    daysAgo: 9,
  },
  {
    code: 'moon-mobile-only',
    category: 'notice',
    title: '月光站只上架验过的手游账号',
    summary: '未验号的账号不在本站展示。',
    body: '为了让您少踩坑，本站只展示 30 天内验过号的手游账号。\n- 超过 30 天的验号结果会提醒卖家重新验号。',
    daysAgo: 5,
    site: 'moon',
  },
  {
    code: 'new-year-hours',
    category: 'notice',
    title: '元旦期间客服值班安排',
    summary: '草稿：等排班确定后发布。',
    body: '元旦期间客服照常在线。\n- 夜间 0 点到 8 点只处理申诉和理赔。',
    daysAgo: 0,
    status: PublicationStatus.Draft,
  },
  {
    code: 'old-fee-notice',
    category: 'notice',
    title: '旧版费率说明',
    summary: '已由新的收费规则代替。',
    body: '本说明已由《收费规则》代替。\n[收费规则](/news/fees)',
    daysAgo: 60,
    status: PublicationStatus.Withdrawn,
  },
];

interface CaseSeed {
  code: string;
  kind: 'recovered' | 'fraud' | 'fake_service' | 'private_trade' | 'dispute' | 'claim';
  game: string;
  title: string;
  summary: string;
  fen: number;
  result: string;
  body: string;
  daysAgo: number;
}

const steps = (what: string, how: string, learn: string): string =>
  `# 经过\n${what}\n# 处理\n${how}\n# 怎样避免\n${learn}`;

export const CASES: readonly CaseSeed[] = [
  {
    code: 'recovered-wzry-2600',
    kind: 'claim',
    game: 'wzry',
    title: '购号第 19 天被找回，追索 7 天后赔付 2,600 元',
    summary: '原号主用旧手机号申诉找回，卖家失联，追索期满后由两名工作人员裁定赔付。',
    fen: 260_000,
    result: '全额赔付到余额',
    daysAgo: 8,
    body: steps(
      '- 买家购买王者荣耀账号并选择找回包赔，换绑完成后正常使用 18 天。\n- 第 19 天被顶下线，登录提示手机号已更换。',
      '- 买家当天提交登录提示和换绑记录，系统开始公开计时。\n- 平台向卖家追回，卖家未回应。\n- 第 7 天未追回，两名工作人员裁定赔付 2,600 元，并从卖家保证金中追偿，卖家永久限制交易。',
      '- 换绑时确认二级绑定和实名状态，缺一项就不要确认收货。\n- 价格高的账号建议选择包赔，先读不保的情形。',
    ),
  },
  {
    code: 'fake-service-qq',
    kind: 'fake_service',
    game: 'dnf',
    title: '“客服”让卖家交 500 元解冻金',
    summary: '骗子用相似头像的 QQ 冒充客服，卖家验真后识破。',
    fen: 50_000,
    result: '未造成损失',
    daysAgo: 12,
    body: steps(
      '- 卖家收到 QQ 消息，称账户被冻结，需要先转 500 元验证。\n- 对方发来一张仿造的工作证。',
      '- 卖家在客服验真输入 QQ 号，结果为假冒，随即举报。\n- 平台将该号码列入名单，并提醒近期收到过同一号码消息的用户。',
      '- 冻结都有原因和结束时间，可以在钱包里看到，从不收费。\n- 客服只在订单聊天里说话，消息带有可以点开的标记。',
    ),
  },
  {
    code: 'private-trade-ys',
    kind: 'private_trade',
    game: 'ys',
    title: '省 200 元服务费，丢了 4,800 元',
    summary: '买家被引导到微信转账，付款后被拉黑。',
    fen: 480_000,
    result: '已报警，平台无法追回',
    daysAgo: 20,
    body: steps(
      '- 卖家在聊天里用谐音发送微信号，称线下便宜 200 元。\n- 买家转账 4,800 元后被删除好友。',
      '- 平台封禁卖家账号并提供聊天记录给警方。\n- 款项未经平台托管，无法退回。',
      '- 只在本站付款，货款托管后再交接。\n- 聊天里出现联系方式会被遮盖并提醒双方，请当作警告。',
    ),
  },
  {
    code: 'dispute-skins',
    kind: 'dispute',
    game: 'lol',
    title: '描述少 3 个限定皮肤，裁决部分退款',
    summary: '卖家把试用皮肤写成永久，买家在保护期内发起申诉。',
    fen: 38_000,
    result: '部分退款 380 元',
    daysAgo: 16,
    body: steps(
      '- 商品写明 12 个限定皮肤，买家登录后为 9 个，其余为试用。\n- 买家在确认收货第 2 天发起申诉，放款停止。',
      '- 系统提取验号结果和交接截图，双方补充说明。\n- 裁决：描述与实物不符，按三个皮肤的成交差价退款 380 元。',
      '- 截图里要能看到“永久”字样。\n- 收货后先对照描述逐项检查，保护期内都可以申请。',
    ),
  },
  {
    code: 'fraud-phishing',
    kind: 'fraud',
    game: 'cf',
    title: '扫“防沉迷解除码”后账号被盗',
    summary: '二维码指向仿冒登录页，平台冻结订单后追回账号。',
    fen: 96_000,
    result: '账号追回，全额退款',
    daysAgo: 27,
    body: steps(
      '- 对方在换绑时发来二维码，称用于解除防沉迷。\n- 买家扫码登录后账号被转走。',
      '- 买家 10 分钟内联系客服，订单立即冻结。\n- 与卖家核对后通过官方申诉追回，货款退回买家。',
      '- 换绑步骤里没有扫码这一步，遇到就停下。\n- 密码只填写在订单的密封表单里。',
    ),
  },
  {
    code: 'recovered-seller-proof',
    kind: 'recovered',
    game: 'hpjy',
    title: '卖家配合，3 天追回被误找回的账号',
    summary: '卖家家人误操作找回，卖家主动归还并补偿会员。',
    fen: 128_000,
    result: '账号归还',
    daysAgo: 33,
    body: steps(
      '- 账号售出 12 天后，卖家家人用旧邮箱改了密码。\n- 买家提交理赔，计时开始。',
      '- 卖家第 2 天回应并归还账号，重新完成换绑。\n- 理赔结束，卖家记录注明为误操作。',
      '- 卖家售出后请清除旧设备上的登录信息。',
    ),
  },
];

/** Leagues of the demo market: made up, like their teams. */
export const LEAGUES: readonly {
  game: string;
  name: string;
  stage: string;
  teams: readonly (readonly [name: string, short: string])[];
}[] = [
  {
    game: 'wzry',
    name: '峡谷城市杯',
    stage: '秋季赛 第 9 周',
    teams: [
      ['江城鹤鸣', 'JCH'],
      ['南岸潮声', 'NAC'],
      ['古都长安', 'GDC'],
      ['滨海远航', 'BHY'],
      ['云岭山鹰', 'YLS'],
      ['蜀地熊猫', 'SDX'],
    ],
  },
  {
    game: 'lol',
    name: '召唤公开赛',
    stage: '八强',
    teams: [
      ['北辰电竞', 'BC'],
      ['白露战队', 'BL'],
      ['沧海之翼', 'CH'],
      ['赤焰', 'CY'],
    ],
  },
  {
    game: 'hpjy',
    name: '精英空投联赛',
    stage: '常规赛',
    teams: [
      ['雪域行者', 'XY'],
      ['雨林小队', 'YL'],
      ['海岛先锋', 'HD'],
      ['荒漠孤狼', 'HM'],
    ],
  },
];

export const BUSINESS: readonly {
  kind: string;
  company: string;
  name: string;
  phone: string;
  text: string;
  hoursAgo: number;
  status: string;
}[] = [
  {
    kind: 'distributor',
    company: '青禾网络（演示）',
    name: '陈先生',
    phone: '13900000011',
    text: '有自己的手游社区，月活 20 万，希望用自己的域名做分销站，主要是原神和蛋仔派对。',
    hoursAgo: 5,
    status: 'new',
  },
  {
    kind: 'studio',
    company: '',
    name: '李女士',
    phone: '13900000012',
    text: '代练工作室 15 人，王者荣耀和英雄联盟，想了解结算周期和保证金。',
    hoursAgo: 30,
    status: 'talking',
  },
  {
    kind: 'media',
    company: '游戏观察（演示）',
    name: '周编辑',
    phone: '13900000013',
    text: '想就账号交易的包赔机制做一次采访，篇幅两千字左右。',
    hoursAgo: 90,
    status: 'done',
  },
];
