import type { distEnsureList } from '#contract/dist.ts';
import type { Data } from '#contract/endpoint.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { fenOf, yuanOf } from '#web/lib/format.ts';

export type Guarantee = Data<typeof distEnsureList>['list'][number];

/** What the buyer has chosen: at most one guarantee of each kind, none to begin with. */
export type Choice = Readonly<Partial<Record<Guarantee['kind'], number>>>;

/** Price of a guarantee for goods of `price` yuan: the rate, rounded to the fen, and at least its minimum. The order page's quote decides. */
export function guaranteePrice(guarantee: Guarantee, price: string): string {
  return yuanOf(feeOf(fenOf(price), guarantee.rateBp, { minFen: fenOf(guarantee.minimum) }));
}

/** The choice with a guarantee taken, or put back when it was taken. */
export function choose(choice: Choice, guarantee: Guarantee): Choice {
  const { [guarantee.kind]: before, ...rest } = choice;
  return before === guarantee.id ? rest : { ...rest, [guarantee.kind]: guarantee.id };
}

/** What is paid in all: all-in price of the goods times their number, and the chosen guarantees. */
export function totalOf(allInPrice: string, price: string, num: number, chosen: readonly Guarantee[]): string {
  const goodsPrice = yuanOf(fenOf(price) * num);
  const guarantees = chosen.reduce((sum, guarantee) => sum + fenOf(guaranteePrice(guarantee, goodsPrice)), 0);
  return yuanOf(fenOf(allInPrice) * num + guarantees);
}

/** Address of the order page with what was chosen here; `bargainId` names the agreed price that it goes by. */
export function orderPath(goodsSn: string, choice: Choice, num: number, bargainId?: number): string {
  const query = new URLSearchParams();
  if (bargainId !== undefined) query.set('bargainId', String(bargainId));
  if (choice.ensure !== undefined) query.set('ensureId', String(choice.ensure));
  if (choice.fixEnsure !== undefined) query.set('fixEnsureId', String(choice.fixEnsure));
  if (num > 1) query.set('goodsNum', String(num));
  return `/goods/${goodsSn}/order${query.size > 0 ? `?${query}` : ''}`;
}
