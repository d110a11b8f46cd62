import { usesJDetail } from '#contract/rules/catalogue.ts';

/** Address of the login that comes back to the page of `url`, or just the login when that page is the home page. */
export function loginPath(url: URL, base = '/login'): string {
  const page = `${url.pathname}${url.search}`;
  return page === '/' || url.pathname === base ? base : `${base}?returnUrl=${encodeURIComponent(page)}`;
}

/** A returnUrl that stays on this site; anything else becomes `fallback` (reliability.md b.21: no protocol, no backslash, no escape). */
export function safeReturn(url: string | null, fallback = '/'): string {
  return url && /^\/(?![/\\])[\w\-/?=&.]*$/.test(url) ? url : fallback;
}

/** The page of one goods, where a call gives no address of it. */
export function goodsPath(sn: string, goodsTypeId: number): string {
  return usesJDetail(goodsTypeId) ? `/JDetail/${sn}` : `/detail/${sn}`;
}
