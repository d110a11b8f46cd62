import { z } from 'zod';
import { API_KEY_DAYS, API_MAX_DROPS } from '#subjects/open-api/rules/api-keys.ts';
import { CODE_NAMES, meaningOfCode } from './openapi-codes.ts';
import type { Json, JsonObject } from './openapi-schema.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Descriptions of input fields, by name or by path and name, where these are more specific than the field's own message. */
const TEXTS: Readonly<Record<string, string>> = {
  pages: '页码，从 1 起，最多 1000；更后面的页请用 cursor',
  pageSize: '每页数量，最多 50',
  cursor: '上一页返回的 next，原样传回；不传为第一页',
  'im/history before': '只返回这个消息序号之前的消息',
  'im/history after': '只返回这个消息序号之后的消息',
  goodsSn: '商品编号',
  orderSn: '订单编号（数字文本）',
  orderId: '订单的内部编号：下单返回的 orderId，即 orderDetail 和订单列表里的 id；不是订单编号 orderSn',
  client: 'web 为浏览器（Cookie 登录），app 为程序（令牌单独使用）',
  'order/queryOrderList details':
    '按游戏、大区和服务器的名称筛选：文字，或含 gameName、areaName、serverName 的 JSON 文本',
  ensureId: '包赔方案编号，见 GET /api/dist/distEnsureList；0 为不买',
  fixEnsureId: '找回包赔方案编号，见 GET /api/dist/distEnsureList；0 为不买',
  couponId: '优惠券编号，见 GET /api/coupon/userCouponList；不传为不用',
  groupId: '会话编号',
  maxTime: '结束时间，ISO 8601 或 2026-11-20 12:00:00',
  minTime: '开始时间，ISO 8601 或 2026-11-20 12:00:00',
  own: '0 全部、1 只看自己的',
  payIndex: '充值金额按钮的序号，只作记录',
  payPassword: '支付密码，6 位数字',
  payRand: '支付单号，创建支付时返回的 payRand',
  rec: '1 只返回推荐的游戏',
  reqId: '本次提现的编号，由调用方生成，重复时返回第一次的结果',
  smsCode: '短信验证码，6 位数字',
  useBalance: '1 先用余额抵扣，0 不用',
  stock: '库存：可售的件数或份数',
  goodsNum: '购买数量；账号只能为 1',
  bargainId: '议价编号，见 GET /api/goods/bargainingList',
  goodsVersion: '看到的商品版本：GET /api/order/quote 返回的 goodsVersion，变过则拒绝',
  shownPrice: '看到的应付金额：GET /api/order/quote 返回的 totalPrice，不同则返回 3704 和新的金额',
  'goods/getGoodsList details':
    '游戏属性的筛选，JSON 文本，键为 GET /api/comm/gamefilter 的 key。单选 12 或 {"any":[12,13]}；多选和物品 {"all":[…]}、{"any":[…]} 或 {"of":[…],"atLeast":2}，物品另可加 "count"；数值 {"min":300,"max":400}，可只给一端；是否 true 或 false',
  pictures: '图片：POST /api/comm/upload 返回的 key 的列表',
  orderSnList: '订单编号，多个用英文逗号隔开，最多 50 个',
  'openKeys/create days': `有效天数：${API_KEY_DAYS.join('、')}`,
  'openKeys/create maxDropPercent': `一次降价最多百分之几：${API_MAX_DROPS.join('、')}`,
  gameId: '游戏编号，见 GET /api/comm/gameList',
  areaId: '大区编号，GET /api/comm/crossList 的 specialId',
  serverId: '服务器编号，GET /api/comm/crossList 的 twoSpecialId',
  'order/handoverDone step': '步骤的序号，GET /api/order/orderDetail 的 handover 里 state 为 current 的那一步的 step',
  'order/handoverDone pictures':
    '凭证：POST /api/comm/upload（purpose 为 evidence）返回的 key 的列表；步骤的 needsEvidence 为 true 时必填',
  'order/revealSecret step': '步骤的序号，GET /api/order/orderDetail 的 handover 里的 step',
  'order/sealSecret step': '步骤的序号，GET /api/order/orderDetail 的 handover 里的 step',
  'pay/recPay amount': '充值金额，充值时必填，付订单时不传。元，最多两位小数',
  'pay/recPay orderId': '要付款的订单的内部编号，付订单时必填，充值时不传',
};

/** Descriptions of input fields whose message does not name them. */
const DEFAULTS: Readonly<Record<string, string>> = {
  quickCoinSn: '金币报价编号',
  offerSn: '收购报价编号',
  wantSn: '求购编号',
  claimSn: '理赔编号',
  blackSn: '黑号记录编号',
  dealSn: '担保交易编号',
  disputeSn: '申诉编号',
  requestSn: '回收或代练需求的编号',
  goodsSns: '商品编号的列表',
  account: '账号',
  act: '要做的操作',
  aliOrWx: '支付渠道',
  amount: '金额',
  area: '大区或服务器的名称',
  auth: '浏览器推送订阅的密钥 auth',
  p256dh: '浏览器推送订阅的密钥 p256dh',
  endpoint: '浏览器推送订阅的地址',
  avatar: '头像，上传返回的 key',
  voice: '声音：筛选条件，或上传语音返回的 key',
  imageKey: '图片，上传返回的 key',
  key: '上传或选择的内容的 key',
  agree: '同意或不同意',
  answers: '申诉表单的答案，键为字段，表单见 GET /api/dispute/door',
  body: '正文或草稿内容',
  code: '一次有效的码或编号',
  contact: '联系方式',
  deviceId: '浏览器或设备的编号',
  details:
    '属性，键见发布表单的 fields（GET /api/goods/getGoodsUpperConf）。取值：单选为选项的 v；多选为 v 的列表；数值为整数；是否为 true 或 false；物品为 {v: 数量}；文字为文本',
  day: '日期，如 2026-11-20',
  happenedDay: '发生日期，如 2026-11-20',
  draftKey: '草稿的名称',
  expand: '附加信息，JSON 文本',
  fields: '要提交的字段，键和取值见对应的步骤',
  id: '编号',
  initial: '首字母 A 至 Z',
  instead: '被这笔支付取代的支付单号',
  idCard: '身份证号',
  level: '等级',
  oldPassWord: '原密码',
  openId: '微信内支付时的 openid',
  path: '列表页的地址，含筛选条件',
  passWord: '新密码或登录密码，6 至 64 个字符；支付密码为 6 位数字',
  password: '登录密码',
  payInterSn: '支付的外部单号，创建支付时返回的 payInterSn',
  phone: '手机号，11 位数字',
  qq: 'QQ 号',
  returnUrl: '完成后返回的站内地址，以 / 开头',
  ruleNo: '规则编号',
  sessionId: '登录会话编号，见会话列表',
  sellerId: '卖家的用户编号',
  sign: '签名',
  sort: '排序方式',
  state: '状态',
  status: '状态',
  username: '手机号',
  value: '要登记或查询的内容',
  values: '要改的字段，键为字段名',
  weChat: '微信号',
  name: '名称',
  reason: '原因',
  text: '说明',
  query: '筛选条件，键为列表的筛选项',
  codes: '游戏代码的列表',
  doc: '游戏文件的内容',
  q: '关键词',
  newPassword: '新密码',
  watchUrl: '观看地址',
  icpNum: '备案号',
  asked: '申请金额的范围',
  reached: '进入当前状态的时间范围',
  content: '内容',
  list: '要修改的内容，逐项',
  typeId: '商品或服务的类型',
  want: '诉求',
  payWay: 'balance 用余额、channel 用支付渠道',
  part: '对象的哪一部分',
  provider: '第三方登录的渠道',
  num: '份数',
  wantedNum: '想收购的份数',
  score: '评分，1 至 5',
  createTime: '创建时间的范围',
  distId: '品牌编号',
  newerThan: '只返回这个时刻之后有变化的',
  openTime: '发起时间的范围',
  paidTime: '打款时间的范围',
  payTime: '付款时间的范围',
  releaseTime: '解冻时间的范围',
  goodsPrice: '商品金额的范围',
  totalPrice: '订单金额的范围',
  price: '价格',
  time: '时间的范围',
  evaluationSn: '估价编号，估价时返回',
  phoneKey: '扫码页返回的凭据',
  by: '分组方式',
  channel: '渠道',
  email: '邮箱',
  ended: '0 生效中、1 已停用',
  goodsTypeId: '商品类型',
  kind: '种类',
  leagueId: '赛事编号',
  range: '时间范围：90 最近 90 天、all 全部',
  side: 'sold 卖出的、bought 买入的',
  staffId: '员工编号',
  startTime: '开始时间，如 2026-11-20T19:30',
  token: '一次性地址中的凭据',
  updateMark: '读取时返回的 updateMark，变过则拒绝',
};

/** The meaning of each value of the field `act`. */
const ACTIONS: Readonly<Record<string, string>> = {
  accept: '接受',
  again: '重新处理',
  agree: '同意',
  agreeEnd: '同意结束',
  approve: '通过',
  ask: '提出',
  assign: '指派',
  bind: '绑定',
  block: '屏蔽',
  cancel: '取消',
  cannotLogIn: '登录不上',
  confirm: '确认',
  daily: '每天一次',
  decline: '不同意',
  discard: '丢弃',
  draw: '抽奖',
  end: '结束',
  fail: '失败',
  giveUp: '放弃',
  grant: '批准',
  hide: '隐藏',
  keep: '保留',
  leave: '停止接单',
  list: '列入名单',
  login: '登录',
  now: '立即',
  off: '下架',
  open: '打开',
  pause: '暂停',
  pay: '付款',
  primary: '设为主域名',
  publish: '发布',
  pull: '下架',
  push: '上架',
  receive: '领取',
  redirect: '跳转到主域名',
  refuse: '拒绝',
  reject: '驳回',
  rejoin: '重新接单',
  remind: '提醒',
  remove: '删除',
  repay: '返还',
  resume: '恢复',
  save: '保存',
  serve: '直接提供服务',
  ship: '发货',
  staffClose: '关闭订单',
  start: '开始',
  stop: '停止',
  suspend: '停用',
  unbind: '解绑',
  unblock: '取消屏蔽',
  withdraw: '撤回',
};

/** The values of `act` with their meanings; empty for another field. */
function actionsOf(name: string, schema: JsonObject): string {
  if (name !== 'act' || !Array.isArray(schema.enum)) return '';
  const values = schema.enum.filter((value) => typeof value === 'string');
  return values.map((value) => `${value} ${ACTIONS[value] ?? ''}`.trim()).join('、');
}

const GENERIC = /^(内容|数值|编号|选项|请求)$/;

/** The field's name in a message about an invalid value: '大区应为整数' is about 大区. */
function labelOf(message: string): string | undefined {
  const label =
    /^请(?:选择|输入|填写)(.+)$/.exec(message)?.[1] ??
    /^(.{1,12}?)(?:应为整数|应为数字|不能为空|格式不正确|不正确|有误|不存在)/.exec(message)?.[1];
  return label === undefined || GENERIC.test(label) ? undefined : label;
}

const messageOf = (field: unknown): string =>
  field instanceof z.ZodType ? (field.safeParse(null).error?.issues[0]?.message ?? '') : '';

/**
 * The description of an input field: its meaning, its codes, and its format. `path` is that of the call without /api/.
 * A field without any description has none; a test finds it.
 */
export function describeInput(path: string, name: string, schema: JsonObject, field: unknown): string {
  const written = typeof schema.description === 'string' ? schema.description : '';
  const call = path.replace(/\/\{\w+\}$/, '');
  const isNumber = schema.type === 'integer' || (isObject(schema.items) && schema.items.type === 'integer');
  const code = isNumber ? meaningOfCode(`${call}.${name}`) : undefined;
  const text = TEXTS[`${call} ${name}`] ?? TEXTS[name] ?? labelOf(messageOf(field)) ?? DEFAULTS[name];
  return [text, code, actionsOf(name, schema), written].filter((part) => part !== undefined && part !== '').join('。');
}

/** The end of each list (wire.ts, listTail), and the one other marker of further entries. */
const LIST_TAIL: Readonly<Record<string, string>> = {
  totalCapped: 'true 表示实际多于 total：总数只数到这里',
  next: '下一页的游标，作为 cursor 传回；null 表示没有更多',
  more: 'true 表示还有更多内容没有返回',
};

/** Adds the meaning of each code to the integer fields of a structure. Changes `schema`. */
export function describeCodes(schema: Json, where: string): void {
  if (Array.isArray(schema)) {
    for (const one of schema) describeCodes(one, where);
    return;
  }
  if (!isObject(schema)) return;
  for (const [name, field] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (!isObject(field)) continue;
    const at = `${where}.${name}`;
    const meaning = isNumeric(field) && CODE_NAMES.test(name) ? meaningOfCode(at) : LIST_TAIL[name];
    if (meaning !== undefined && field.description === undefined) field.description = meaning;
    describeCodes(field, at);
  }
  for (const key of ['items', 'anyOf', 'oneOf', 'additionalProperties'] as const)
    if (schema[key] !== undefined) describeCodes(schema[key], where);
}

/** Whether a field is a whole number, or a list of such; null may be permitted. */
export function isNumeric(schema: JsonObject): boolean {
  const types = [schema.type].flat();
  if (types.includes('integer')) return schema.enum === undefined;
  if (isObject(schema.items)) return isNumeric(schema.items);
  return Array.isArray(schema.anyOf) && schema.anyOf.some((one) => isObject(one) && isNumeric(one));
}
