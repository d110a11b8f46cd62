import { BOOSTING, COMPANION_PLAY, type ServiceType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Data } from '#contract/endpoint.ts';
import type { goodsInfo } from '#subjects/goods/contract/goods.ts';

/** Why a listing cannot be bought: a label for the button, a sentence, and where to go next. */
export interface Closed {
  label: string;
  text: string;
  to: string;
  toLabel: string;
}

const OWN_GOODS = '/center/sellOutGoods';
const OWN_PACKAGES: Readonly<Record<number, string>> = {
  [BOOSTING]: '/center/boosting/setMeal',
  [COMPANION_PLAY]: '/center/accompanyer/setMeal',
} satisfies Record<ServiceType, string>;

/** Labels of the states in which a listing cannot be bought (goods.status), and what they mean to a visitor. */
const CLOSED: Readonly<Record<number, readonly [label: string, text: string]>> = {
  [GoodsStatus.Draft]: ['草稿', '现在不能购买。'],
  [GoodsStatus.Reviewing]: ['审核中', '现在不能购买。'],
  [GoodsStatus.OffSale]: ['已下架', '卖家已下架。收藏后，重新上架会提醒您。'],
  [GoodsStatus.Locked]: ['他人下单中', '已有人下单，对方没有按时付款会重新开放。'],
  [GoodsStatus.Sold]: ['已售出', '已经成交，价格和记录留作参考。'],
  [GoodsStatus.Rejected]: ['未通过审核', '现在不能购买。'],
  [GoodsStatus.Hidden]: ['卖家暂离', '卖家多日没有上线，商品暂时收起，上线后自动恢复。'],
  [GoodsStatus.Removed]: ['已删除', '现在不能购买。'],
} satisfies Record<Exclude<GoodsStatus, typeof GoodsStatus.OnSale>, readonly [string, string]>;

/** Text for the seller, with a link and its label. */
const OWN: Readonly<Record<number, readonly [text: string, to: string, toLabel: string]>> = {
  [GoodsStatus.Draft]: ['草稿，还没有提交审核。', '/center/sell?goodsSn=', '继续填写'],
  [GoodsStatus.Reviewing]: ['正在审核，通过后自动上架；现在只有您看得到。', OWN_GOODS, '查看我的商品'],
  [GoodsStatus.OnSale]: ['这是您发布的商品，买家看到的就是这一页。', OWN_GOODS, '管理商品'],
  [GoodsStatus.OffSale]: ['已下架，买家搜不到，可以随时重新上架。', OWN_GOODS, '管理商品'],
  [GoodsStatus.Locked]: ['已被下单，请留意订单。', '/center/sellOrder', '查看订单'],
  [GoodsStatus.Sold]: ['已经售出。', '/center/sellOrder', '查看订单'],
  [GoodsStatus.Rejected]: ['未通过审核，修改后可以重新提交。', '/center/sell?goodsSn=', '去修改'],
  [GoodsStatus.Hidden]: ['您多日没有上线，商品已收起，很快自动恢复。', OWN_GOODS, '查看我的商品'],
} satisfies Record<Exclude<GoodsStatus, typeof GoodsStatus.Removed>, readonly [string, string, string]>;

type Goods = Pick<Data<typeof goodsInfo>, 'goodsSn' | 'goodsTypeId' | 'status' | 'isMine'>;

function ownClosed({ goodsSn, goodsTypeId, status }: Goods, label: string): Closed | null {
  const own = OWN[status];
  if (!own) return null;
  const packages = OWN_PACKAGES[goodsTypeId];
  if (packages) return { label, text: own[0], to: packages, toLabel: '管理套餐' };
  const [text, to, toLabel] = own;
  return { label, text, to: to.endsWith('=') ? to + goodsSn : to, toLabel };
}

/**
 * Why the viewer cannot buy a listing; null when they can. `service` says why a package takes no orders, `similar` is
 * the URL of alternatives on sale. Computed on the server, since few pages need these texts.
 */
export function closedOf(goods: Goods, service: string | null, similar: string): Closed | null {
  const { status, isMine } = goods;
  const isOnSale = status === GoodsStatus.OnSale;
  if (isOnSale && !isMine && service === null) return null;
  const [label, text] = isOnSale
    ? [isMine ? '这是您发布的商品' : '暂不接单', service ?? '现在不能购买。']
    : (CLOSED[status] ?? ['不可购买', '现在不能购买。']);
  return (isMine ? ownClosed(goods, label) : null) ?? { label, text, to: similar, toLabel: '查看在售的同类' };
}
