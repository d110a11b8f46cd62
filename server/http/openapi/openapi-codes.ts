/** The meaning of integer codes, for the reference document. */
import { deliveryNames, gameTypeNames } from '#contract/rules/catalogue.ts';
import { bargainStatusName } from '#subjects/offers/rules/bargain.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { offlineMethods } from '#subjects/orders/rules/offline.ts';
import { orderStatusName } from '#subjects/orders/rules/order-status.ts';
import { orderTypeNames } from '#subjects/orders/rules/order-types.ts';
import { AuthStatus, CoinOfferStatus, CouponStatus, GoodsStatus, UserStatus } from '#contract/rules/statuses.ts';
import { wantStatusName } from '#subjects/offers/rules/want.ts';

const list = (names: Readonly<Record<number, string>>): string =>
  Object.entries(names)
    .map(([code, name]) => `${code} ${name}`)
    .join('、');
const named = (codes: Readonly<Record<string, number>>, nameOf: (code: number) => string): string =>
  Object.values(codes)
    .map((code) => `${code} ${nameOf(code)}`)
    .join('、');

const LISTING = `商品状态：${named(GoodsStatus, offerStatusName)}`;
const BARGAIN = `议价状态：${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((code) => `${code} ${bargainStatusName('buyer', code)}`).join('、')}`;
const ORDER =
  '订单状态：0 待付款、1 待发货、2 待收货、3 交易成功、6 超时未付款而关闭、7 买家取消、8 卖家取消、9 平台关闭' +
  `（代练和陪玩的 2 是${orderStatusName(2, 60)}）`;
const WANT = `求购状态：${[1, 2, 3].map((code) => `${code} ${wantStatusName(code)}`).join('、')}`;
const COUPON = `优惠券状态：${CouponStatus.Usable} 可用、${CouponStatus.Used} 已使用、${CouponStatus.Expired} 已过期`;
const COIN = `报价状态：${CoinOfferStatus.OnSale} 在售、${CoinOfferStatus.OffSale} 已下架、${CoinOfferStatus.Removed} 已删除、${CoinOfferStatus.Hidden} 已隐藏`;
const PAYMENT = '支付状态：0 待支付、1 已支付、2 已关闭、3 订单关闭后才到账，正在退款';
const REFUND = '退款状态：0 处理中、1 已退款、2 失败';
const WITHDRAWAL = '提现状态：0 待审核、1 打款中、2 已到账、3 已退回余额';
const PACKAGE = '套餐状态：1 出售中、2 已下架、3 已删除';
const PUBLICATION = '发布状态：0 草稿、1 已发布、2 已撤回';
const USER = `账号状态：${UserStatus.Active} 正常、${UserStatus.Restricted} 受限、${UserStatus.Closed} 已注销`;

/**
 * Matched against the call's path, the path within its data and the field's name, as 'order/queryOrderList.orderList.status'. The first
 * match wins; an entry with a name applies to fields of this name only.
 */
const CODES: readonly (readonly [where: RegExp, text: string, name?: string])[] = [
  [/^webhooks\/.*tatus$/, 'HTTP 状态；没有收到回应时为 null'],
  [/WeChatOfficialAccountPushStatus\.status$/, '0 未绑定、1 已绑定'],
  [
    /\.authStatus$/,
    `实名状态：${AuthStatus.None} 未认证、${AuthStatus.Reviewing} 审核中、${AuthStatus.Verified} 已认证、${AuthStatus.Rejected} 未通过`,
  ],
  [/packages|updateBooster|updateAccompanyer/, PACKAGE, 'status'],
  [/^goods\/(bargain|lookBarga|buyCounter|seller(Agreed|Counter)).*\.status$/, BARGAIN],
  [/^goods\/\w*Want/, WANT, 'status'],
  [/^goods\/question\/.*\.status$/, LISTING],
  [/^goods\/placeTimePurchase\.status$/, ORDER],
  [/^(goods|user\/followGoods|open\/goods).*\.(goodsS|s)tatus$/, LISTING],
  [/^coupon\/.*\.status$/, COUPON],
  [/^backstage\/campaign\/.*\.status$/, '活动状态：0 待第二人批准、1 进行中、2 已停止'],
  [/^pay\/(refund).*\.status$/, REFUND],
  [/^pay\/(cashAdvance|withdrawList).*\.status$|^backstage\/(withdraw|user\/personMoney).*\.status$/, WITHDRAWAL],
  [/^pay\/balancePay\.status$/, ORDER],
  [/^pay\/.*\.status$/, PAYMENT],
  [/^quickCoin\/(?:queryQuickOrderList|placeQuickCoinOrder)/, ORDER, 'status'],
  [/^quickCoin\/.*\.status$/, COIN],
  [/^recycle\/sellCoin\.status$/, ORDER],
  [/^recycle\/.*\.status$/, COIN],
  [/^backstage\/commission\/.*\.status$/, '结算状态：0 待付、1 已付、2 已退回'],
  [/^backstage\/user\/(adminQueryUserList|setStatus|person|personLinks)(\.\w+)*\.status$/, USER],
  [/^backstage\/goods\/.*\.status$/, LISTING],
  [/^backstage\/(content|league)\/.*\.status$/, PUBLICATION],
  [/^backstage\/im\/saveRule\.status$/, '1 启用、2 停用'],
  [/\.(orderS|s)tatus$/, ORDER],
  [/\.(orderTypeId|tradedTypeId|typeId|goodsTypeId)$/, `类型：${list(orderTypeNames)}`],
  [/\.(openerBelong|belong)$/, '0 买入的一方、1 卖出的一方'],
  [/\.is(QuickShop|Booster|Accompanyer)$/, '0 不是、1 是'],
  [/\.vipLevel$/, 'VIP 等级：0 没有，1 至 3 由低到高'],
  [/[Dd]eposit/, '保证金等级，从 1 起；0 为没有', 'level'],
  [/\.roleLevel$/, '游戏里的角色等级'],
  [/\.(sellerLevel|level)$/, '卖家等级，从 0 起，越高越好'],
  [/\.crossId$/, '服务器编号；没有服务器的游戏为大区编号'],
  [/\.numericSlot$/, '数值属性的筛选序号，1 至 4'],
  [/\.device$/, '投放位置的设备：0 电脑、1 手机'],
  [/[Ll]eague/, '比分', 'score'],
  [/\.score$/, '评分，1 至 5'],
  [/\.agree$/, '0 不属实、1 属实'],
  [/\.method$/, `交付方式：${list(offlineMethods)}`],
  [/offlineTranSub\.isRecovery$/, `线下交付方式：0 按页面步骤交付；${list(offlineMethods)}`],
  [/queryOrderList\.isRecovery$/, '0 按页面步骤交付、1 线下交付'],
  [/\.isRecovery$/, `线下交付方式：0 没有；${list(offlineMethods)}`],
  [/hours\.day$/, '星期：0 周一至 6 周日'],
  [/\.day$/, '第几天'],
  [/\.stage$/, '1 初次裁决、2 申诉复核'],
  [/\.groupType$/, '会话类型：1 订单交易群、2 客服会话'],
  [/\.rated$/, '0 还没有评价客服，1 至 5 为评分'],
  [/\.messageDirection$/, '1 自己发出、2 收到'],
  [/\.(specialId|twoSpecialId)$/, '大区或服务器编号'],
  [/\.(gameType|type)$/, `游戏类型：${list(gameTypeNames)}`],
  [/\.hot$/, '热度，越大越靠前；0 不是热门'],
  [/\.(layout|topBar)$/, '版式编号，从 1 起'],
  [/queryVerifyCustomer\.result$/, '1 真客服、2 假客服'],
  [/\.result$/, '1 在名单上、2 没有记录、0 未知（外部名单没有回应）'],
  [/\.queryType$/, '1 QQ、2 微信、3 电话、4 收款账号、5 群号'],
  [/\.aliOrWx$/, '1 支付宝、2 微信支付'],
  [
    /\.(payMode|defaultPayMode|payModes)$/,
    '15 按浏览器选择（电脑为二维码）、16 电脑网页、17 手机网页、18 微信内；渠道没有的方式按 15 处理',
  ],
  [/depositRecordList\.kind$/, '记录类型：1 缴纳、2 扣除、3 退还'],
  [/\.kind$/, '服务项目，游戏的选项编号（见 kinds）'],
  [/\.quickCoinType$/, '金币种类，游戏的币种编号，从 1 起'],
  [/\.delivery$/, `交货方式：${list(deliveryNames)}`],
  [/\.defaultType$/, '默认的商品类型'],
];

/** Names of integer fields that are codes, not counts or ids. */
export const CODE_NAMES =
  /^(status|state|type|kind|belong|delivery|device|result|level|method|stage|day|isRecovery|aliOrWx|payModes?|defaultPayMode|groupType|messageDirection|hot|layout|topBar|specialId|twoSpecialId|crossId|agree|score|rated|numericSlot|is[A-Z]\w*|\w+(Status|Type|TypeId|Kind|State|Level|Belong)|typeId)$/;

/**
 * The meaning of a code. `where` is the call and the path in it, as 'order/queryOrderList.orderList.status'. Undefined for a field that
 * is not a code.
 */
export function meaningOfCode(where: string): string | undefined {
  return CODES.find(
    ([pattern, , name]) => pattern.test(where) && (name === undefined || where.endsWith(`.${name}`)),
  )?.[1];
}
