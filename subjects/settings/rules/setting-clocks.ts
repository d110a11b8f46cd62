import { isService, OrderType, orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { declareSetting, type FieldOf, type SettingSpec } from './setting-groups.ts';

const DAY = 86_400;
const HOUR = 3600;
const YUAN = 100;

/** The types with their own times for delivery and inspection; services have the settings below. */
const TYPES = Object.values(OrderType)
  .filter((type) => !isService(type))
  .map((type) => [type, orderTypeName(type)] as const);

export const clockSettings: readonly SettingSpec[] = [
  declareSetting('staffSession', {
    group: 'clocks',
    name: '后台登录时限',
    hint: '对已登录的员工也立即生效；一次性地址按发出时的时限。',
    twoPersons: true,
    fields: [
      { path: 'idleMinutes', label: '无操作后退出', type: 'wholeMinutes', min: 5, max: 480 },
      { path: 'maxMinutes', label: '登录最长', type: 'wholeMinutes', min: 30, max: 1440 },
      { path: 'stepUpMinutes', label: '再次验证后免问', type: 'wholeMinutes', min: 1, max: 60 },
      { path: 'inviteHours', label: '一次性地址有效', type: 'hours', min: 1, max: 168 },
    ],
  }),
  declareSetting('order', {
    group: 'clocks',
    name: '订单时限',
    hint: '从下单、付款、发货时起算；已在计时的订单不变。',
    twoPersons: false,
    rules: ['1.2'],
    fields: [
      { path: 'unpaidSeconds', label: '付款时限', type: 'minutes', min: 300, max: DAY },
      { path: 'maxUnpaid', label: '同时未付款的订单', type: 'count', min: 1, max: 20, hint: '每位买家' },
      {
        path: 'unpaidPauseSeconds',
        label: '未付款后再下单的等待',
        type: 'minutesList',
        min: 60,
        max: DAY,
        hint: '当天第 1 次、第 2 次……',
      },
      { path: 'stepsDoneSeconds', label: '步骤补齐后的验收', type: 'secondHours', min: HOUR, max: 7 * DAY },
      {
        path: 'lateSeconds',
        label: '超时未发货无人处理',
        type: 'secondHours',
        min: DAY,
        max: 30 * DAY,
        hint: '到期取消并全额退款，有进展的转客服',
      },
      ...TYPES.flatMap(([type, row]): FieldOf<'order'>[] => [
        { path: `shipSeconds.${type}`, label: '发货时限', type: 'secondHours', min: HOUR, max: 30 * DAY, row },
        { path: `confirmSeconds.${type}`, label: '验收时限', type: 'secondHours', min: HOUR, max: 30 * DAY, row },
      ]),
    ],
  }),
  declareSetting('boosting', {
    group: 'clocks',
    name: '代练时限',
    hint: '从付款、提交、申请时起算；已在计时的不变。',
    twoPersons: false,
    fields: [
      { path: 'acceptSeconds', label: '接单时限', type: 'minutes', min: 300, max: DAY, hint: '超时货款自动退回' },
      {
        path: 'accountFreeSeconds',
        label: '未交账号可免责放弃',
        type: 'minutes',
        min: 900,
        max: DAY,
        hint: '接单后起算，上号代打',
      },
      {
        path: 'accountSeconds',
        label: '未交账号自动退款',
        type: 'secondHours',
        min: HOUR,
        max: 7 * DAY,
        hint: '接单后起算，上号代打',
      },
      { path: 'milestoneSeconds', label: '阶段自动确认', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'cancelAnswerSeconds', label: '取消申请的答复', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'maxPauseSeconds', label: '暂停最长', type: 'secondHours', min: HOUR, max: 30 * DAY },
      { path: 'proofSeconds', label: '进度截图提醒', type: 'minutes', min: 900, max: DAY, hint: '进行中多久没有截图' },
      {
        path: 'lateSeconds',
        label: '超时无人处理',
        type: 'secondHours',
        min: HOUR,
        max: 14 * DAY,
        hint: '到期退款，有进度的转客服',
      },
      {
        path: 'lateMaxSeconds',
        label: '超时最长',
        type: 'secondHours',
        min: DAY,
        max: 30 * DAY,
        hint: '打手仍在提交也按此结束',
      },
    ],
  }),
  declareSetting('companion', {
    group: 'clocks',
    name: '陪玩时限',
    hint: '从付款、接单、点结束时起算；已在计时的不变。',
    twoPersons: false,
    fields: [
      { path: 'acceptSeconds', label: '接单时限', type: 'minutes', min: 60, max: 2 * HOUR, hint: '超时货款自动退回' },
      { path: 'bookAcceptSeconds', label: '预约单接单时限', type: 'secondHours', min: HOUR, max: DAY },
      { path: 'readySeconds', label: '接单后开始', type: 'minutes', min: 60, max: 2 * HOUR },
      {
        path: 'noShowSeconds',
        label: '未到场',
        type: 'minutes',
        min: 300,
        max: HOUR,
        hint: '超过约定开始多久自动结束',
      },
      { path: 'endAnswerSeconds', label: '结束自动生效', type: 'minutes', min: 300, max: DAY },
    ],
  }),
  declareSetting('disputes', {
    group: 'clocks',
    name: '申诉时限',
    hint: '已受理的申诉按受理时的时限。',
    twoPersons: false,
    fields: [
      { path: 'lookSeconds', label: '首次受理', type: 'minutes', min: 60, max: DAY },
      { path: 'answerSeconds', label: '对方答复', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'answerCoinSeconds', label: '对方答复（游戏币）', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'ruleSeconds', label: '裁决', type: 'secondHours', min: HOUR, max: 30 * DAY },
      { path: 'appealSeconds', label: '上诉期', type: 'secondHours', min: HOUR, max: 30 * DAY },
      { path: 'perDay', label: '每人每天申诉', type: 'count', min: 1, max: 100 },
    ],
  }),
  declareSetting('claims', {
    group: 'clocks',
    name: '理赔时限',
    hint: '到期自动赔付的损失超过限额的，转由两位同事处理。',
    twoPersons: true,
    fields: [
      { path: 'lookSeconds', label: '首次受理', type: 'secondHours', min: HOUR, max: 7 * DAY },
      { path: 'decideSeconds', label: '两人处理', type: 'secondHours', min: HOUR, max: 30 * DAY },
      { path: 'perDay', label: '每人每天理赔', type: 'count', min: 1, max: 100 },
      {
        path: 'autoLossFen',
        label: '自动赔付的净损失上限',
        type: 'yuan',
        max: 100_000 * YUAN,
        hint: '追偿与保费之后由基金承担的部分',
      },
    ],
  }),
];
