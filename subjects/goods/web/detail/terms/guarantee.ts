import type { distEnsureList } from '#subjects/orders/contract/site-figures.ts';
import type { Data } from '#contract/endpoint.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';

type Offered = Data<typeof distEnsureList>['list'][number];

/** The data for choosing a guarantee. */
export type Guarantee = Pick<
  Offered,
  'id' | 'kind' | 'name' | 'rateText' | 'baseText' | 'rateBp' | 'minimum' | 'coverText' | 'exclusions'
>;

/** The payout of a guarantee and how its rate is determined. */
export type Terms = Pick<Offered, 'id' | 'name' | 'rateText' | 'pays' | 'reasons' | 'parts'>;

/** The buyer's choice: at most one guarantee of each kind, none at first. */
export type Choice = Readonly<Partial<Record<Guarantee['kind'], number>>>;

/**
 * Price of a guarantee for a listing of `price` yuan: the rate, rounded to the fen, and at least its minimum. The order page's quote is
 * authoritative.
 */
export function guaranteePrice(guarantee: Guarantee, price: string): string {
  return yuanOf(feeOf(fenOf(price), guarantee.rateBp, { minFen: fenOf(guarantee.minimum) }));
}

/** The choice with a guarantee toggled. */
export function choose(choice: Choice, guarantee: Guarantee): Choice {
  const { [guarantee.kind]: before, ...rest } = choice;
  return before === guarantee.id ? rest : { ...rest, [guarantee.kind]: guarantee.id };
}

/** The total: all-in price times quantity, plus the selected guarantees. */
export function totalOf(allInPrice: string, price: string, num: number, chosen: readonly Guarantee[]): string {
  const goodsPrice = yuanOf(fenOf(price) * num);
  const guarantees = chosen.reduce((sum, guarantee) => sum + fenOf(guaranteePrice(guarantee, goodsPrice)), 0);
  return yuanOf(fenOf(allInPrice) * num + guarantees);
}

/** URL of the order page with these choices; `bargainId` names the agreed price used. */
export function orderPath(goodsSn: string, choice: Choice, num: number, bargainId?: number): string {
  const query = new URLSearchParams();
  if (bargainId !== undefined) query.set('bargainId', String(bargainId));
  if (choice.ensure !== undefined) query.set('ensureId', String(choice.ensure));
  if (choice.fixEnsure !== undefined) query.set('fixEnsureId', String(choice.fixEnsure));
  if (num > 1) query.set('goodsNum', String(num));
  return `/goods/${goodsSn}/order${query.size > 0 ? `?${query}` : ''}`;
}
