import { chinaDay } from '#contract/rules/time/china-time.ts';
import { isTooWide } from '../rules/price-reference.ts';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import type { Trx } from '#server/db/client.ts';
import type { Account } from './model/features.ts';
import { priceAt } from './model/model.ts';
import { type Model, type ModelContext, loadModel } from './models.ts';
import { ACCOUNTS, saleTitles } from './sales.ts';
import { alike, bandOf } from './value.ts';

/** Low, typical and high price of an account in fen (80 % of similar accounts lie between low and high), and what they are based on. */
export interface Reference {
  lowFen: number;
  typicalFen: number;
  highFen: number;
  /** Half of similar accounts spread over more than a factor of two: the figures are not shown as a band. */
  wide: boolean;
  /** Sales that the model was fitted on. */
  samples: number;
  modelVersion: number;
}

/** Whether listings of a goods type are valued by the model of their game. */
export const isValued = (typeId: number): boolean => ACCOUNTS.includes(typeId);

const LOWER_QUARTILE = 0.25;
const UPPER_QUARTILE = 0.75;

/** The reference of an account by a model; the same figures as its valuation. The asking price is not an input. */
export function referenceBy(model: Model, account: Account): Reference {
  const { body, samples, version } = model;
  const { value, lowFen, typicalFen, highFen } = bandOf(body, account);
  const quartiles = { low: priceAt(body, value, LOWER_QUARTILE), high: priceAt(body, value, UPPER_QUARTILE) };
  return { lowFen, typicalFen, highFen, wide: isTooWide(quartiles), samples, modelVersion: version };
}

/** The fields of a listing that its reference depends on. */
export interface Valued extends Account {
  gameId: number;
  typeId: number;
}

/**
 * The reference of a listing; undefined for goods other than accounts and for a game with too few sales. Within a
 * transaction, `reader` reads a model that is not cached, so that the transaction needs no second connection.
 */
export async function loadReference(
  ctx: ModelContext,
  listing: Valued,
  reader: Trx = ctx.db,
): Promise<Reference | undefined> {
  if (!isValued(listing.typeId)) return undefined;
  const model = await loadModel(ctx, listing.gameId, reader);
  return model && referenceBy(model, listing);
}

const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;

/** Rounds down to ten minutes, so that a sale cannot be matched to a person by its exact time. */
export const rounded = (at: Date): Date => new Date(Math.floor(at.getTime() / TEN_MINUTES_MS) * TEN_MINUTES_MS);

export interface SimilarSales {
  comparables: { title: string; price: number; dealTime: Date }[];
  /** Oldest first; day in China: 2026-11-20. */
  sales: { day: string; price: number }[];
}

/**
 * Sales of accounts that the model values like this one, for a listing's page: some with their titles, newest first, and more as dots of a
 * chart. Selected only by the account's attributes. Undefined when there is no model.
 */
export async function salesLike(
  ctx: ModelContext,
  listing: Valued,
  { titles, dots }: { titles: number; dots: number },
): Promise<SimilarSales | undefined> {
  const model = isValued(listing.typeId) ? await loadModel(ctx, listing.gameId) : undefined;
  if (!model) return undefined;
  const near = alike(model.body, bandOf(model.body, listing).value, dots);
  const rows = await saleTitles(ctx.db, { orderIds: near.slice(0, titles).map((s) => s.orderId) });
  const dayOf = (daysAgo: number): string => chinaDay(new Date(model.madeAt.getTime() - daysAgo * DAY_MS));
  return {
    comparables: rows.map((s) => ({ title: visibleTitle(s.title), price: s.priceFen, dealTime: rounded(s.at) })),
    sales: near.toSorted((a, b) => b.daysAgo - a.daysAgo).map((s) => ({ day: dayOf(s.daysAgo), price: s.priceFen })),
  };
}
