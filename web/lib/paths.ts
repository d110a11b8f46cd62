/** Address of the login that comes back to the page of `url`, or just the login when that page is the home page. */
export function loginPath(url: URL, base = '/login'): string {
  const page = `${url.pathname}${url.search}`;
  return page === '/' || url.pathname === base ? base : `${base}?returnUrl=${encodeURIComponent(page)}`;
}

/** A returnUrl that stays on this site; anything else becomes `fallback` (reliability.md b.21: no protocol, no backslash, no escape). */
export function safeReturn(url: string | null, fallback = '/'): string {
  return url && /^\/(?![/\\])[\w\-/?=&.]*$/.test(url) ? url : fallback;
}

/** Goods types that have the page /JDetail (product.md 2). */
const COIN_TYPES = new Set([2, 22]);

/** The page of one goods. */
export function goodsPath(sn: string, goodsTypeId: number): string {
  return COIN_TYPES.has(goodsTypeId) ? `/JDetail/${sn}` : `/detail/${sn}`;
}
