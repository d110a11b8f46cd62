import type { SettingField } from './setting-fields.ts';
import type { SettingKey, SettingPath } from '#subjects/settings/contract/setting-values.ts';
import { PAY_CHANNELS } from '#subjects/payments/rules/pay-channels.ts';

/** The groups of settings, as the page's tabs. */
export const settingGroups = [
  ['fees', '费用'],
  ['holds', '放款'],
  ['levels', '卖家等级'],
  ['tiers', '包赔档位'],
  ['deposits', '保证金'],
  ['limits', '限额'],
  ['clocks', '时限'],
] as const;
export type SettingGroup = (typeof settingGroups)[number][0];

/** A setting: one stored value with its fields. All of its fields change together, from one moment on. */
export interface SettingSpec {
  readonly key: string;
  readonly group: SettingGroup;
  readonly name: string;
  readonly hint: string;
  /** A change needs a colleague's approval once there are orders (decision 250). */
  readonly twoPersons: boolean;
  /** Numbers of public rules that mention values of this setting. */
  readonly rules?: readonly string[];
  readonly fields: readonly SettingField[];
  /** Rows that may be left empty as a whole, by the path that their fields begin with. */
  readonly emptyRows?: RegExp;
}

/** A field whose path exists in the stored value of a setting. */
export type FieldOf<K extends SettingKey> = SettingField<SettingPath<K>>;

/** Declares a setting. The compiler rejects a path that its stored value does not have. */
export const declareSetting = <K extends SettingKey>(
  key: K,
  spec: Omit<SettingSpec, 'key' | 'fields'> & { readonly fields: readonly FieldOf<K>[] },
): SettingSpec => ({ key, ...spec });

const DAY = 86_400;
const HOUR = 3600;
const YUAN = 100;
const LEVELS = [0, 1, 2, 3, 4, 5] as const;

const fees = declareSetting('fees', {
  group: 'fees',
  name: '交易费率',
  hint: '新订单按下单时的费率计算，已下的订单不变。',
  twoPersons: true,
  fields: [
    { path: 'sellerBp', label: '卖家佣金', type: 'rate', max: 3000, hint: '按商品价，四舍五入到分' },
    { path: 'sellerMaxFen', label: '佣金封顶', type: 'yuan', min: 1, max: 1_000_000 * YUAN, hint: '每笔最多收取' },
    { path: 'buyerBp', label: '买家服务费', type: 'rate', max: 2000, hint: '列表与搜索显示的是含服务费的价格' },
    { path: 'inviteBp', label: '邀请奖励', type: 'rate', max: 5000, hint: '按平台在该单的佣金与服务费计' },
  ],
});

const middleman = declareSetting('middleman', {
  group: 'fees',
  name: '中介担保',
  hint: '费率与普通交易相同，这里是它自己的最低费用与等待时间。',
  twoPersons: true,
  fields: [
    { path: 'minFen', label: '最低费用', type: 'yuan', max: 1000 * YUAN },
    { path: 'answerHours', label: '对方接受的时限', type: 'hours', min: 1, max: 720 },
    { path: 'unpaidSeconds', label: '接受后付款的时限', type: 'secondHours', min: HOUR, max: 7 * DAY },
  ],
});

const holdHours = declareSetting('hold_hours', {
  group: 'holds',
  name: '成交后的保护期',
  hint: '确认收货后货款保留多久再转入卖家可用余额；已确认的订单不变。',
  twoPersons: true,
  rules: ['7.2'],
  fields: LEVELS.map((level) => ({
    path: `${level}`,
    label: level === 0 ? '新卖家' : `${level} 级卖家`,
    type: 'hours',
    max: 720,
  })),
});

const holdStages = declareSetting('hold_stages', {
  group: 'holds',
  name: '分段提前放款',
  hint: '保护期内按段提前放出的比例；各段合计须低于 100%，放出的总额另以保证金为限。',
  twoPersons: true,
  rules: ['7.2'],
  emptyRows: /^levels\.\d\.parts\.\d$/,
  fields: [
    { path: 'quietDays', label: '退款不足后停用', type: 'days', max: 730, hint: '曾不能足额退款的卖家多久不提前放款' },
    ...LEVELS.flatMap((level): FieldOf<'hold_stages'>[] => {
      const row = level === 0 ? '新卖家' : `${level} 级卖家`;
      const base = `levels.${level}` as const;
      return [
        { path: `${base}.openFen`, label: '同时提前放出', type: 'yuan', max: 1_000_000 * YUAN, row },
        ...[0, 1, 2].flatMap((part): FieldOf<'hold_stages'>[] => [
          {
            path: `${base}.parts.${part}.hours`,
            label: `第 ${part + 1} 段：满`,
            type: 'hours',
            min: 1,
            max: 719,
            row,
            optional: true,
          },
          { path: `${base}.parts.${part}.bp`, label: '放出', type: 'rate', min: 1, max: 9999, row, optional: true },
        ]),
      ];
    }),
  ],
});

const sellerLevels = declareSetting('seller_levels', {
  group: 'levels',
  name: '卖家等级门槛',
  hint: '每天夜间按这些门槛重新计算；高一级的要求不得低于低一级。',
  twoPersons: false,
  rules: ['7.1'],
  fields: [
    { path: 'windowDays', label: '统计天数', type: 'days', min: 30, max: 730 },
    { path: 'minFen', label: '计入的最低金额', type: 'yuan', max: 1000 * YUAN },
    { path: 'perBuyerOrders', label: '同一买家最多计', type: 'count', min: 1, max: 50, hint: '单' },
    { path: 'perBuyerFen', label: '同一买家最多计', type: 'yuan', min: YUAN, max: 1_000_000 * YUAN },
    { path: 'ratingCount', label: '评分生效的买家数', type: 'count', min: 1, max: 100 },
    ...[1, 2, 3, 4, 5].flatMap((level): FieldOf<'seller_levels'>[] => {
      const at = `levels.${level - 1}` as const;
      const row = `${level} 级`;
      return [
        { path: `${at}.buyers`, label: '不同买家', type: 'count', min: 1, max: 100_000, row },
        { path: `${at}.fen`, label: '成交额', type: 'yuan', max: 100_000_000 * YUAN, row },
        { path: `${at}.days`, label: '实名满', type: 'days', max: 3650, row },
        { path: `${at}.badBp`, label: '败诉与取消至多', type: 'rate', max: 10_000, row },
        { path: `${at}.rating`, label: '评分至少', type: 'stars', max: 5, row },
      ];
    }),
  ],
});

const deposit = declareSetting('deposit', {
  group: 'deposits',
  name: '保证金扣除',
  hint: '卖家取消已付款的订单，从保证金中扣除并补偿买家；申诉败诉的，扣除后归入包赔基金。',
  twoPersons: true,
  rules: ['8.1', '8.3'],
  fields: [
    { path: 'cancelBp', label: '取消：按商品价', type: 'rate', max: 5000 },
    { path: 'cancelMinFen', label: '取消：最低', type: 'yuan', max: 10_000 * YUAN },
    { path: 'cancelMaxFen', label: '取消：最高', type: 'yuan', max: 100_000 * YUAN },
    { path: 'lossBp', label: '败诉：按退款额', type: 'rate', max: 5000 },
    { path: 'lossMinFen', label: '败诉：最低', type: 'yuan', max: 10_000 * YUAN },
    { path: 'lossMaxFen', label: '败诉：最高', type: 'yuan', max: 100_000 * YUAN },
    { path: 'recheckSeconds', label: '退还受阻后重查', type: 'secondHours', min: HOUR, max: 7 * DAY },
  ],
});

const ROLES = [
  ['seller', '卖家', 'listings', '同时发布'],
  ['shop', '店铺', 'listings', '同时报价'],
  ['booster', '代练', 'openOrders', '同时接单'],
  ['companion', '陪玩', 'openOrders', '同时接单'],
  ['recycler', '回收商', 'openOrders', '同时接单'],
] as const;

const depositLevels = declareSetting('deposit_levels', {
  group: 'deposits',
  name: '保证金等级',
  hint: '缴足金额即得等级。调高金额后，已缴不足的人失去该等级，请预留通知的时间；没有的等级整行留空。',
  twoPersons: true,
  emptyRows: /^(?:seller|shop|booster|companion|recycler)\.\d$/,
  fields: ROLES.flatMap(([role, name, limit, limitLabel]) =>
    [0, 1, 2].flatMap((index): FieldOf<'deposit_levels'>[] => {
      const at = `${role}.${index}` as const;
      const row = `${name} ${index + 1} 级`;
      return [
        { path: `${at}.name`, label: '名称', type: 'text', row, optional: true },
        { path: `${at}.amountFen`, label: '金额', type: 'yuan', min: YUAN, max: 1_000_000 * YUAN, row, optional: true },
        { path: `${at}.releaseDays`, label: '退还等待', type: 'days', max: 90, row, optional: true },
        { path: `${at}.limits.${limit}`, label: limitLabel, type: 'count', min: 1, max: 10_000, row, optional: true },
        {
          path: `${at}.limits.orderFen`,
          label: '单笔最高',
          type: 'yuan',
          min: YUAN,
          max: 10_000_000 * YUAN,
          row,
          optional: true,
        },
        { path: `${at}.benefits`, label: '权益（每行一条）', type: 'lines', row, optional: true },
      ];
    }),
  ),
});

export const feeSettings: readonly SettingSpec[] = [
  fees,
  middleman,
  holdHours,
  holdStages,
  sellerLevels,
  deposit,
  depositLevels,
];

const LATE = [
  ['balance', '退到余额'],
  ['source', '原路退回'],
] as const;

export const limitSettings: readonly SettingSpec[] = [
  declareSetting('withdraw', {
    group: 'limits',
    name: '提现与第二人',
    hint: '第二人限额也用于退款、裁决、理赔、解冻等一切动钱的处理。',
    twoPersons: true,
    fields: [
      { path: 'minFen', label: '每笔最低', type: 'yuan', min: 1, max: 10_000 * YUAN },
      { path: 'feeFen', label: '每笔手续费', type: 'yuan', max: 100 * YUAN },
      { path: 'dayCount', label: '每天次数', type: 'count', min: 1, max: 100 },
      { path: 'dayMaxFen', label: '每天合计', type: 'yuan', min: YUAN, max: 10_000_000 * YUAN },
      {
        path: 'secondPersonFen',
        label: '需第二人的金额',
        type: 'yuan',
        min: YUAN,
        max: 1_000_000 * YUAN,
        hint: '超过才需要',
      },
    ],
  }),
  declareSetting('payout', {
    group: 'limits',
    name: '打款',
    hint: '达到短信验证金额的提现需要账户主人的验证码；打款后按天数复查是否被银行退回。',
    twoPersons: true,
    fields: [
      {
        path: 'smsFen',
        label: '需短信验证的金额',
        type: 'yuan',
        min: YUAN,
        max: 1_000_000 * YUAN,
        hint: '按 24 小时内合计',
      },
      { path: 'recheckDays', label: '复查的天数', type: 'daysList', min: 1, max: 60 },
    ],
  }),
  declareSetting('topup', {
    group: 'limits',
    name: '充值',
    hint: '充值页的限额与快捷金额。',
    twoPersons: false,
    fields: [
      { path: 'minFen', label: '每笔最低', type: 'yuan', min: 1, max: 1000 * YUAN },
      { path: 'maxFen', label: '每笔最高', type: 'yuan', min: YUAN, max: 1_000_000 * YUAN },
      { path: 'expireSeconds', label: '付款二维码有效', type: 'minutes', min: 60, max: 7200 },
      { path: 'quickYuan', label: '快捷金额', type: 'yuanList', min: 1, max: 1_000_000 },
    ],
  }),
  declareSetting('refund', {
    group: 'limits',
    name: '原路退回',
    hint: '渠道允许原路退回的天数，以及订单关闭后才到账的付款退到哪里。',
    twoPersons: false,
    fields: [
      { path: 'days', label: '可原路退回', type: 'days', min: 1, max: 365 },
      ...Object.entries(PAY_CHANNELS).map(
        ([channel, { name }]): FieldOf<'refund'> => ({
          path: `late.${channel}`,
          label: `${name}晚到的付款`,
          type: 'choice',
          options: LATE,
        }),
      ),
    ],
  }),
  declareSetting('new_seller', {
    group: 'limits',
    name: '新卖家',
    hint: '完成若干笔与无关买家的成交前，发布的件数与单价受限。',
    twoPersons: false,
    fields: [
      { path: 'sales', label: '解除限制的成交数', type: 'count', max: 100 },
      { path: 'count', label: '同时发布', type: 'count', min: 1, max: 10_000 },
      { path: 'maxFen', label: '单价最高', type: 'yuan', min: YUAN, max: 1_000_000 * YUAN },
    ],
  }),
  declareSetting('bargain', {
    group: 'limits',
    name: '议价',
    hint: '卖家没有自设底线时的最低出价，以及出价次数。',
    twoPersons: false,
    fields: [
      { path: 'floorPercent', label: '最低出价', type: 'percent', min: 1, max: 100, hint: '占标价的比例' },
      { path: 'tries', label: '每件商品次数', type: 'count', min: 1, max: 20 },
      { path: 'days', label: '次数的统计天数', type: 'days', min: 1, max: 90 },
      { path: 'perDay', label: '每人每天合计', type: 'count', min: 1, max: 500 },
    ],
  }),
  declareSetting('inspection', {
    group: 'limits',
    name: '验号',
    hint: '验号的有效期、复验费与验号有误的赔付；已提交的复验和理赔按提交时的数。',
    twoPersons: true,
    fields: [
      { path: 'validDays', label: '验号有效', type: 'days', min: 1, max: 180, hint: '到期后标记自动取消' },
      { path: 'againDays', label: '满几天可复验', type: 'days', min: 1, max: 90 },
      { path: 'feeFen', label: '复验费', type: 'yuan', max: 1000 * YUAN, hint: '结果不同由包赔基金退还' },
      { path: 'perDay', label: '每人每天复验', type: 'count', min: 1, max: 50 },
      { path: 'sealSeconds', label: '卖家提交账号', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'workSeconds', label: '客服验完', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'claimSeconds', label: '领取后可被接手', type: 'secondHours', min: HOUR, max: 2 * DAY },
      { path: 'wrongBp', label: '验号有误：按商品价', type: 'rate', max: 10_000 },
      { path: 'wrongMinFen', label: '验号有误：最低', type: 'yuan', max: 10_000 * YUAN, hint: '最多赔到商品价' },
      { path: 'wrongDays', label: '收货后几天内可提', type: 'days', min: 1, max: 90 },
    ],
  }),
  declareSetting('recycling', {
    group: 'limits',
    name: '回收',
    hint: '账号回收的保底、预算与时限，以及新回收商每天可收的金额；已发出的报价与已通过的回收商不变。',
    twoPersons: true,
    fields: [
      { path: 'dayLimitFen', label: '新回收商每天合计', type: 'yuan', min: 100 * YUAN, max: 100_000_000 * YUAN },
      {
        path: 'budgetFen',
        label: '平台保底预算',
        type: 'yuan',
        max: 100_000_000 * YUAN,
        hint: '30 天内按保底收的号加上还在出价的，合计不超过它；0 即不保底',
      },
      {
        path: 'floorMaxFen',
        label: '保底最高',
        type: 'yuan',
        min: 10 * YUAN,
        max: 10_000_000 * YUAN,
        hint: '更贵的号按它保底',
      },
      { path: 'handlingBp', label: '收号、保管、再上架', type: 'rate', max: 5000, hint: '按参考价' },
      { path: 'recoveryBp', label: '找回风险', type: 'rate', max: 5000, hint: '该游戏的理赔率未知时按它计' },
      { path: 'capitalBpPerDay', label: '资金占用', type: 'rate', max: 500, hint: '按参考价，每天' },
      { path: 'errorBp', label: '估价误差', type: 'rate', max: 10_000, hint: '参考价与低价之差的比例' },
      { path: 'bidSeconds', label: '竞价时间', type: 'minutes', min: 60, max: HOUR },
      { path: 'bindSeconds', label: '报价有效', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'handOverSeconds', label: '接受后交付', type: 'secondHours', min: HOUR, max: DAY },
      { path: 'inspectSeconds', label: '验号时限', type: 'secondHours', min: HOUR, max: 3 * DAY },
      { path: 'answerSeconds', label: '减价答复', type: 'secondHours', min: HOUR, max: 3 * DAY },
      {
        path: 'takeOverSeconds',
        label: '接管账号',
        type: 'secondHours',
        min: HOUR,
        max: 7 * DAY,
        hint: '验号付款后货款冻结，回收商确认接管就解冻',
      },
    ],
  }),
  declareSetting('coupon', {
    group: 'limits',
    name: '优惠活动',
    hint: '预算超过这个金额的活动由另一位同事复核后开放。',
    twoPersons: true,
    fields: [{ path: 'secondPersonFen', label: '需复核的预算', type: 'yuan', min: YUAN, max: 10_000_000 * YUAN }],
  }),
  declareSetting('lottery', {
    group: 'limits',
    name: '抽奖',
    hint: '奖品与概率在优惠活动里设置。',
    twoPersons: false,
    fields: [
      { path: 'open', label: '开放抽奖', type: 'flag' },
      { path: 'drawsPerDay', label: '每人每天次数', type: 'count', min: 1, max: 20 },
    ],
  }),
];
