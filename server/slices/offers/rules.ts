import { type BargainParty, BargainStatus } from '#contract/rules/bargain.ts';

/** Numbers of bargaining, as the setting 'bargain' has them (db/migrations/0030). */
export interface BargainSetting {
  /** The least offer in percent of the asked price, where the seller has set none. */
  floorPercent: number;
  /** Offers of one buyer on one goods within `days`. */
  tries: number;
  days: number;
  /** Offers of one buyer within a day, on whatever goods. */
  perDay: number;
}

/** Why an offer ended although nobody ended it. */
export type EndedWhy = 'timeout' | 'sold' | 'removed';

/** The least offer in fen: the part of the price, rounded up to the yuan so that it can be said in one word. */
export function floorFen(priceFen: number, floorPercent: number): number {
  return Math.max(100, Math.ceil((priceFen * floorPercent) / 10_000) * 100);
}

const buyerWords: Readonly<Record<number, string>> = {
  [BargainStatus.Pending]: '卖家 24 小时内回复，到时未回复自动失效',
  [BargainStatus.SellerAgreed]: '这个价只属于您，请在截止前下单',
  [BargainStatus.Countered]: '卖家还了价，请在截止前答复',
  [BargainStatus.BuyerAgreed]: '这个价只属于您，请在截止前下单',
  [BargainStatus.SellerRejected]: '卖家没有接受，可按标价购买或换个价再出',
  [BargainStatus.BuyerRejected]: '您没有接受卖家的还价',
  [BargainStatus.Ordered]: '已按成交价下单',
  [BargainStatus.Withdrawn]: '您撤回了出价',
};

const sellerWords: Readonly<Record<number, string>> = {
  [BargainStatus.Pending]: '请在截止前答复，到时未答复自动失效',
  [BargainStatus.SellerAgreed]: '等待买家按此价下单，商品仍按标价出售给其他人',
  [BargainStatus.Countered]: '等待买家答复您的还价',
  [BargainStatus.BuyerAgreed]: '买家已同意还价，等待下单',
  [BargainStatus.SellerRejected]: '您没有接受这个出价',
  [BargainStatus.BuyerRejected]: '买家没有接受您的还价',
  [BargainStatus.Ordered]: '买家已按成交价下单',
  [BargainStatus.Withdrawn]: '买家撤回了出价',
};

const endedWords: Readonly<Record<EndedWhy, string>> = {
  timeout: '超过 24 小时没有下一步，已自动失效',
  sold: '商品已被他人买走，议价结束',
  removed: '商品已被卖家删除，议价结束',
};

/** What a state means for one side, in a sentence. */
export function statusText(side: BargainParty, status: number, why: EndedWhy | null): string {
  if (status === BargainStatus.Expired) return endedWords[why ?? 'timeout'];
  return (side === 'buyer' ? buyerWords : sellerWords)[status] ?? '';
}

/**
 * What a side is told when an offer has come into a state, as a sentence that follows the goods' title; null where that side did it
 * itself or need not know. `price` is yuan text.
 */
export function toldOf(
  to: BargainParty,
  status: number,
  facts: { price: string; why: EndedWhy | null },
): string | null {
  const { price, why } = facts;
  if (to === 'seller') {
    if (status === BargainStatus.Pending) return `有买家出价 ¥${price}，请在 24 小时内答复`;
    if (status === BargainStatus.BuyerAgreed) return `以 ¥${price} 谈成，买家 24 小时内可按此价下单`;
    if (status === BargainStatus.BuyerRejected) return `买家没有接受您的还价 ¥${price}`;
    if (status === BargainStatus.Withdrawn) return `买家撤回了出价 ¥${price}`;
    return null;
  }
  if (status === BargainStatus.SellerAgreed) return `卖家同意了您的出价 ¥${price}，24 小时内可按此价下单`;
  if (status === BargainStatus.Countered) return `卖家还价 ¥${price}，请在 24 小时内答复`;
  if (status === BargainStatus.SellerRejected) return `卖家没有接受您的出价 ¥${price}，可换个价再出或按标价购买`;
  if (status === BargainStatus.Expired) return endedWords[why ?? 'timeout'];
  return null;
}

const MASKED = 2;

/** A person's name as others see it before there is an order between them: first and last sign. */
export function shortName(name: string): string {
  const signs = [...name];
  return signs.length <= MASKED ? `${signs[0] ?? ''}*` : `${signs[0]}**${signs.at(-1)}`;
}
