import type { DepositRole } from '#subjects/deposits/contract/deposit.ts';
import { usesJDetail } from '#contract/rules/catalogue.ts';

/** URL of the login that returns to the page of `url`, or just the login when that page is the home page. */
export function loginPath(url: URL, base = '/login'): string {
  const page = `${url.pathname}${url.search}`;
  return page === '/' || url.pathname === base ? base : `${base}?returnUrl=${encodeURIComponent(page)}`;
}

const SAFE_RETURN = /^\/(?![/\\])[\w\-/?=&.:]*$/;

/**
 * A returnUrl that stays on this site (reliability.md b.21: no protocol, no backslash, no escape); anything else
 * becomes `fallback`. When only the query is invalid, such as a search for Chinese text, the path is kept.
 */
export function safeReturn(url: string | null, fallback = '/'): string {
  if (!url) return fallback;
  if (SAFE_RETURN.test(url)) return url;
  const [page = ''] = url.split('?');
  return SAFE_RETURN.test(page) ? page : fallback;
}

/** The page of a listing, for calls that return no URL of it. */
export function goodsPath(sn: string, goodsTypeId: number): string {
  return usesJDetail(goodsTypeId) ? `/JDetail/${sn}` : `/detail/${sn}`;
}

/** The page of a role's deposit: where it is paid, raised and returned. */
export function depositPath(role: DepositRole): string {
  return `/center/myself/depositWithdraw?role=${role}`;
}
