/**
 * The base URL of a vendor, without a slash at its end. Throws an Error with a Chinese message when `production` and it is not an https
 * URL of another machine: elsewhere it may point to a fake.
 */
export function externalUrl(name: string, url: string, production: boolean): string {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\])/.test(hostname);
  if (production && (protocol !== 'https:' || isHere))
    throw new Error(`设置有误：正式环境的 ${name} 必须是外部的 https 地址`);
  return url.replace(/\/$/, '');
}
