import type { StepField } from '#subjects/orders/rules/sealed-fields.ts';
import type { DeliverySeed, GoodsTypeId, StepSeed } from './types.ts';

type Step = Omit<StepSeed, 'required' | 'evidence' | 'beforeShip'> &
  Partial<Pick<StepSeed, 'required' | 'evidence' | 'beforeShip'>>;

function step(s: Step): StepSeed {
  return { ...s, required: s.required ?? true, evidence: s.evidence ?? false, beforeShip: s.beforeShip ?? false };
}

/** Text of every hand-over form about the people who may open it (domain.md 2). */
const WHO_OPENS = '客服核对后、发货后买家才能打开，每次打开都会告知双方';

/** Seller hands the credentials over, sealed. `account` names what the log-in is. */
function credentials(explain: string, account: string, more: StepField[] = []): StepSeed {
  return step({
    key: 'credentials',
    title: '提交账号资料',
    actor: 'seller',
    minutes: 15,
    beforeShip: true,
    secret: true,
    fields: [
      { key: 'account', label: account, required: true },
      { key: 'password', required: true },
      ...more,
      { key: 'notes', required: false },
    ],
    explain: `${explain}；${WHO_OPENS}`,
  });
}

function checkLogin(explain: string): StepSeed {
  return step({
    key: 'check_login',
    title: '核对登录',
    actor: 'staff',
    minutes: 10,
    evidence: true,
    beforeShip: true,
    explain,
  });
}

function oldDevices(explain: string): StepSeed {
  return step({
    key: 'old_devices',
    title: '卖家解除旧设备',
    actor: 'seller',
    minutes: 10,
    evidence: true,
    beforeShip: true,
    explain,
  });
}

/** `operator` changes the number in the game: the seller, or in games that let a new owner do it the buyer. */
function phone(explain: string, operator: 'seller' | 'buyer' = 'seller'): StepSeed {
  return step({
    key: 'phone',
    title: '换绑手机',
    actor: operator,
    minutes: 30,
    evidence: true,
    exchange: 'phone',
    unless: [
      { field: 'phone_bind', value: '未绑定', reason: '手机未绑定，买家登录后自行绑定' },
      { field: 'phone_bind', value: '不可换绑', reason: '手机不可换绑，本号不用做' },
    ],
    explain,
  });
}

function mail(explain: string, required = true): StepSeed {
  return step({
    key: 'mail',
    title: '换绑邮箱',
    actor: 'seller',
    minutes: 30,
    evidence: true,
    required,
    exchange: 'mail',
    unless: [
      { field: 'mail_bind', value: '未绑定', reason: '邮箱未绑定，买家登录后自行绑定' },
      { field: 'mail_bind', value: '不可换绑', reason: '邮箱不可换绑，本号不用做' },
    ],
    explain,
  });
}

function password(explain: string): StepSeed {
  return step({ key: 'password', title: '修改密码', actor: 'buyer', minutes: 10, explain });
}

function realName(explain: string, required = false): StepSeed {
  return step({
    key: 'realname',
    title: '二次实名',
    actor: 'buyer',
    minutes: 15,
    required,
    evidence: true,
    unless: [{ field: 'second_realname', value: '否', reason: '不可二次实名，本号不用做' }],
    explain,
  });
}

/** The last step of each account. */
function accept(): StepSeed {
  return step({
    key: 'accept',
    title: '验收与确认',
    actor: 'buyer',
    minutes: 4320,
    explain: '对照验号记录逐项核对，无误后确认收货',
  });
}

/** Accounts under QQ or WeChat. `loginTool` is the client that shows devices, e.g. 游戏内设置 or WeGame. */
export function tencentSteps(o: { loginTool: string; wechat: boolean; face?: boolean }): StepSeed[] {
  const steps = [
    o.wechat
      ? credentials('填写 QQ 或微信的账号与密码', 'QQ 或微信账号')
      : credentials('填写 QQ 账号与密码', 'QQ 账号'),
    checkLogin('客服登录后逐项核对区服、段位和皮肤，截图存入验号记录'),
    oldDevices(`在${o.loginTool}里移除全部旧设备，并退出已登录的 QQ${o.wechat ? '和微信' : ''}`),
    phone('卖家在游戏里把密保手机改为买家的号码；号码和验证码都在这里封存，不用离开网站'),
    password('买家登录后立即修改密码，并开启设备锁'),
    step({
      key: 'social',
      title: '清理好友与亲密关系',
      actor: 'seller',
      minutes: 15,
      required: false,
      explain: '解除亲密关系、退出战队；需要等待的写明到期日',
    }),
    realName('商品标明可二次实名时，把实名改为买家本人'),
  ];
  if (o.face === true) {
    steps.push(
      step({
        key: 'face',
        title: '人脸核验',
        actor: 'seller',
        minutes: 20,
        required: false,
        explain: '换绑中弹出人脸核验时，由原实名人本人配合完成',
      }),
    );
  }
  return [...steps, accept()];
}

/** Accounts under a NetEase pass with its authenticator. */
export function neteaseSteps(): StepSeed[] {
  return [
    credentials('填写网易邮箱账号与密码，渠道服填写渠道账号', '网易邮箱或渠道账号', [
      { key: 'mailboxPassword', required: false },
    ]),
    checkLogin('客服登录后核对服务器、式神或时装数量，截图存入验号记录'),
    oldDevices('在账号安全中心移除常用设备，并解除将军令'),
    phone('卖家把安全手机改为买家的号码；号码和验证码都在这里封存，不用离开网站'),
    mail('官服换绑安全邮箱；渠道服没有邮箱可跳过', false),
    password('买家修改密码，并绑定自己的将军令'),
    realName('商品标明可二次实名时，把实名改为买家本人'),
    accept(),
  ];
}

/** Accounts under a pass with phone and mailbox: `pass` is its name. */
export function passSteps(pass: string, what: string): StepSeed[] {
  return [
    // oxlint-disable-next-line forms/no-chinese-match -- a label of the catalogue that is made longer
    credentials(`填写${pass}的账号与密码`, pass.endsWith('账号') ? pass : `${pass}账号`, [
      { key: 'mailbox', required: false },
    ]),
    checkLogin(`客服登录后核对${what}，截图存入验号记录`),
    oldDevices('在账号中心退出全部已登录设备，并截图'),
    phone('卖家把绑定手机改为买家的号码；号码和验证码都在这里封存，不用离开网站'),
    mail('绑定邮箱改为买家邮箱；从未绑定的由买家直接绑定'),
    password('买家修改密码并退出其他设备'),
    realName('商品标明可二次实名时，把实名改为买家本人'),
    accept(),
  ];
}

/** Battle.net: mailbox, authenticator and security question all move. */
export function battleNetSteps(what: string): StepSeed[] {
  return [
    credentials('填写战网邮箱与密码', '战网邮箱', [{ key: 'mailboxPassword', required: false }]),
    checkLogin(`客服登录战网核对${what}，截图存入验号记录`),
    oldDevices('卖家移除战网安全令，并退出全部登录'),
    phone('买家登录战网把短信保护改为自己的号码；旧手机的验证码由卖家在这里封存，不用离开网站', 'buyer'),
    mail('注册邮箱改为买家邮箱，需要卖家在原邮箱点确认'),
    step({
      key: 'question',
      title: '更换安全问题',
      actor: 'seller',
      minutes: 10,
      secret: true,
      fields: [{ key: 'question', label: '原安全问题与答案', required: true }],
      explain: '卖家填写原安全问题与答案，买家登录后改为自己的',
    }),
    password('买家修改密码，并绑定自己的安全令'),
    realName('实名与账号注册信息一致才能改；不可改的在商品页已写明'),
    accept(),
  ];
}

const coin: StepSeed[] = [
  step({
    key: 'meet',
    title: '约定交货',
    actor: 'seller',
    minutes: 20,
    beforeShip: true,
    explain: '卖家在群里说明角色名、交货地点或邮寄方式',
  }),
  step({
    key: 'deliver',
    title: '卖家交货',
    actor: 'seller',
    minutes: 60,
    evidence: true,
    beforeShip: true,
    explain: '按约定数量交货，上传交易成功的截图',
  }),
  step({
    key: 'count',
    title: '清点到账',
    actor: 'buyer',
    minutes: 1440,
    explain: '买家清点数量后确认收货',
  }),
];

const item: StepSeed[] = [
  step({
    key: 'meet',
    title: '约定交货',
    actor: 'seller',
    minutes: 20,
    beforeShip: true,
    explain: '卖家在群里说明交付方式；需要等待的写明到期时间',
  }),
  step({
    key: 'deliver',
    title: '卖家交付道具',
    actor: 'seller',
    minutes: 120,
    evidence: true,
    beforeShip: true,
    explain: '交付道具并上传截图，道具名称和规格要看得清',
  }),
  step({
    key: 'count',
    title: '核对道具',
    actor: 'buyer',
    minutes: 1440,
    explain: '买家核对道具后确认收货',
  }),
];

const boost: StepSeed[] = [
  step({
    key: 'credentials',
    title: '提交账号资料',
    actor: 'buyer',
    minutes: 60,
    beforeShip: true,
    secret: true,
    fields: [
      { key: 'account', label: '游戏登录账号', required: true },
      { key: 'password', required: true },
      { key: 'code', label: '登录验证码', required: false },
      { key: 'notes', required: false },
    ],
    explain: '买家填写登录资料，只有接单打手和负责客服能打开，每次打开都会告知双方；不要在聊天里发送',
  }),
  step({
    key: 'progress',
    title: '代练与进度',
    actor: 'seller',
    minutes: 2880,
    evidence: true,
    beforeShip: true,
    explain: '打手按约定完成，每个节点上传截图',
  }),
  step({
    key: 'accept',
    title: '验收与改密',
    actor: 'buyer',
    minutes: 1440,
    explain: '买家验收结果，确认后请立即修改密码',
  }),
];

const companion: StepSeed[] = [
  step({
    key: 'play',
    title: '开始陪玩',
    actor: 'seller',
    minutes: 10,
    beforeShip: true,
    explain: '约定时间内上号；超过 10 分钟未到自动退款',
  }),
  step({
    key: 'accept',
    title: '确认时长',
    actor: 'buyer',
    minutes: 30,
    explain: '一方结束后另一方确认时长，到时没有申诉自动生效',
  }),
];

/** Steps of the goods types among `ids` that are not accounts. */
export function deliveriesFor(ids: readonly GoodsTypeId[]): DeliverySeed[] {
  const all: DeliverySeed[] = [
    { goodsTypes: [2, 22], steps: coin },
    { goodsTypes: [27], steps: item },
    { goodsTypes: [60], steps: boost },
    { goodsTypes: [61], steps: companion },
  ];
  return all
    .map((d) => ({ goodsTypes: d.goodsTypes.filter((id) => ids.includes(id)), steps: d.steps }))
    .filter((d) => d.goodsTypes.length > 0);
}
