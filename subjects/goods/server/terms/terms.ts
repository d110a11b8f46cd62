import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { releaseGoods } from '#subjects/goods/contract/goods.ts';

/**
 * The seller's terms: the properties of a listing of any game other than texts, price, pictures and attributes, which
 * can change without a new review. Insert, update, the owner's form, cards and detail read them from here and from
 * subjects/goods/contract/goods-body.ts (docs/HOWTO.md).
 */
export interface Terms {
  bargainOk: boolean;
  guaranteeOk: boolean;
}

/** The terms of goods `g` for a select. */
export const TERM_COLUMNS = sql.raw('g.bargain_ok as "bargainOk", g.guarantee_ok as "guaranteeOk"');

/** The columns of the terms, in the order of `termValues`. */
export const TERM_NAMES = sql.raw('bargain_ok, guarantee_ok');

/** The values of the terms for an insert or update. */
export const termValues = (t: Terms) => sql`${t.bargainOk}, ${t.guaranteeOk}`;

/** The terms of services, which allow neither bargaining nor a guarantee. */
export const SERVICE_TERMS: Terms = { bargainOk: false, guaranteeOk: false };

/** The terms of a submitted form; only accounts can be guaranteed. */
export const termsOf = (
  body: Pick<Parsed<typeof releaseGoods>, 'bargainOpen' | 'ensureOpen'>,
  isAccount: boolean,
): Terms => ({ bargainOk: body.bargainOpen, guaranteeOk: body.ensureOpen && isAccount });

/** The terms as the contract names them. */
export const termsBody = (t: Terms) => ({ bargainOpen: t.bargainOk, ensureOpen: t.guaranteeOk });

/** The names of the terms that differ, for the listing's history. */
export const changedTerms = (before: Terms, after: Terms): string[] =>
  [before.bargainOk !== after.bargainOk && 'bargain', before.guaranteeOk !== after.guaranteeOk && 'guarantee'].filter(
    (change) => change !== false,
  );
