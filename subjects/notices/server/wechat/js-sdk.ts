import { createHash, randomBytes } from 'node:crypto';
import type { Call } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';

/** WeChat's signature of a page that uses its JS-SDK: SHA-1 over the fields, sorted by name. */
export const pageSignature = (of: { ticket: string; nonceStr: string; timestamp: number; url: string }): string =>
  createHash('sha1')
    .update(`jsapi_ticket=${of.ticket}&noncestr=${of.nonceStr}&timestamp=${of.timestamp}&url=${of.url}`)
    .digest('hex');

/**
 * The parameters for WeChat's JS-SDK on a page of this site. Signs only URLs of the requested host, so that other sites cannot use the
 * account. Null when there is no account or WeChat is simulated; every page makes this call, so that is not an error. Throws BAD_INPUT for
 * another host.
 */
export async function pageConfig({ ctx, origin }: Call, { url }: { url: string }) {
  const { officialAccount } = ctx;
  const page = URL.canParse(url) ? new URL(url) : null;
  if (page?.origin !== origin) throw new AppError('BAD_INPUT', { text: '只能为本站页面签名', field: 'url' });
  if (!officialAccount?.pageTicket) return null;
  const { appId, ticket } = await officialAccount.pageTicket();
  const signed = { nonceStr: randomBytes(12).toString('hex'), timestamp: Math.floor(Date.now() / 1000) };
  // The signed URL is the browser's, without the fragment.
  return { appId, ...signed, signature: pageSignature({ ...signed, ticket, url: url.split('#')[0] ?? '' }) };
}
