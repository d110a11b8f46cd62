/**
 * The base URL of a vendor, without a trailing slash. Throws an Error with a Chinese message when `production` and it is not an https
 * URL of another machine; otherwise it may point to a fake. `isPlainAllowed` is for a vendor that has no https.
 */
export function externalUrl(
  name: string,
  url: string,
  production: boolean,
  { isPlainAllowed = false }: { isPlainAllowed?: boolean } = {},
): string {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\])/.test(hostname);
  if (production && (isHere || (protocol !== 'https:' && !(isPlainAllowed && protocol === 'http:'))))
    throw new Error(`设置有误：正式环境的 ${name} 必须是外部的 ${isPlainAllowed ? 'http 或 https' : 'https'} 地址`);
  return url.replace(/\/$/, '');
}
