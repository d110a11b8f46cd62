import { type BargainParty, BargainStatus } from '../rules/bargain.ts';

/** Why an offer ended without an action of a party. */
export type EndedWhy = 'timeout' | 'sold' | 'removed' | 'changed';

/** The minimum offer in fen: the percentage of the price, rounded up to whole yuan. */
export function floorFen(priceFen: number, floorPercent: number): number {
  return Math.max(100, Math.ceil((priceFen * floorPercent) / 10_000) * 100);
}

const buyerText: Readonly<Record<number, string>> = {
  [BargainStatus.Pending]: '卖家 24 小时内回复，到时未回复自动失效',
  [BargainStatus.SellerAgreed]: '该价格仅对您有效，请在截止前下单',
  [BargainStatus.Countered]: '卖家还了价，请在截止前答复',
  [BargainStatus.BuyerAgreed]: '该价格仅对您有效，请在截止前下单',
  [BargainStatus.SellerRejected]: '卖家没有接受，可按标价购买或换个价再出',
  [BargainStatus.BuyerRejected]: '您没有接受卖家的还价',
  [BargainStatus.Ordered]: '已按成交价下单',
  [BargainStatus.Withdrawn]: '您撤回了出价',
} satisfies Record<Exclude<BargainStatus, typeof BargainStatus.Expired>, string>;

const sellerText: Readonly<Record<number, string>> = {
  [BargainStatus.Pending]: '请在截止前答复，到时未答复自动失效',
  [BargainStatus.SellerAgreed]: '等待买家以此价下单，商品仍按标价出售给其他人',
  [BargainStatus.Countered]: '等待买家答复您的还价',
  [BargainStatus.BuyerAgreed]: '买家已同意还价，等待下单',
  [BargainStatus.SellerRejected]: '您没有接受这个出价',
  [BargainStatus.BuyerRejected]: '买家没有接受您的还价',
  [BargainStatus.Ordered]: '买家已按成交价下单',
  [BargainStatus.Withdrawn]: '买家撤回了出价',
} satisfies Record<Exclude<BargainStatus, typeof BargainStatus.Expired>, string>;

const endedText: Readonly<Record<EndedWhy, string>> = {
  timeout: '超过 24 小时没有下一步，已自动失效',
  sold: '商品已被他人买走，议价结束',
  removed: '商品已被卖家删除，议价结束',
  changed: '卖家修改了商品，谈过的价格不再有效，可按新内容重新出价',
};

/** The explanation of a state for one party. */
export function statusText(party: BargainParty, status: number, why: EndedWhy | null): string {
  if (status === BargainStatus.Expired) return endedText[why ?? 'timeout'];
  return (party === 'buyer' ? buyerText : sellerText)[status] ?? '';
}

/**
 * The notice text for a party when an offer has entered a state, appended to the listing's title; null when the party caused it or needs no
 * notice. `price` is an amount in yuan.
 */
export function eventText(
  to: BargainParty,
  status: number,
  details: { price: string; why: EndedWhy | null },
): string | null {
  const { price, why } = details;
  if (to === 'seller') {
    if (status === BargainStatus.Pending) return `有买家出价 ¥${price}，请在 24 小时内答复`;
    if (status === BargainStatus.BuyerAgreed) return `以 ¥${price} 谈成，买家 24 小时内可以此价下单`;
    if (status === BargainStatus.BuyerRejected) return `买家没有接受您的还价 ¥${price}`;
    if (status === BargainStatus.Withdrawn) return `买家撤回了出价 ¥${price}`;
    return null;
  }
  if (status === BargainStatus.SellerAgreed) return `卖家同意了您的出价 ¥${price}，24 小时内可以此价下单`;
  if (status === BargainStatus.Countered) return `卖家还价 ¥${price}，请在 24 小时内答复`;
  if (status === BargainStatus.SellerRejected) return `卖家没有接受您的出价 ¥${price}，可换个价再出或按标价购买`;
  if (status === BargainStatus.Expired) return endedText[why ?? 'timeout'];
  return null;
}

const MASKED = 2;

/** A masked name for users without a common order: first and last character. */
export function shortName(name: string): string {
  const signs = [...name];
  return signs.length <= MASKED ? `${signs[0] ?? ''}*` : `${signs[0]}**${signs.at(-1)}`;
}
