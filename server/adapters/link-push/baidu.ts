import type { BaiduPushConfig } from '#server/config/config-vendors.ts';
import { type RejectionKind, UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { LinkPush } from '#server/ports/link-push.ts';
import { type Environment, requestVendor } from '../vendor-request.ts';

/** Maximum number of addresses that Baidu accepts per call. */
const MOST = 2000;
const MESSAGE_CHARS = 60;

interface Answer {
  success?: unknown;
  remain?: unknown;
  not_same_site?: unknown;
  not_valid?: unknown;
  error?: unknown;
  message?: unknown;
}

function parsed(body: Buffer): Answer | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Maps Baidu's messages to our results. */
function kindOf(message: string): RejectionKind {
  if (message === 'over quota') return 'limit';
  return /^(empty content|only \d+ urls)/.test(message) ? 'input' : 'account';
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

/** The site as Baidu's console names it: only the host, prefixed with the scheme if it is https. */
const siteOf = (origin: string): string => (origin.startsWith('https:') ? origin : new URL(origin).host);

/** Baidu's link submission: addresses as lines of text, one token for each site. Submitting an address twice does no harm. */
export function baiduLinkPush({ base }: BaiduPushConfig, environment: Environment): LinkPush {
  return {
    most: MOST,
    async submit({ origin, token, urls }) {
      const query = new URLSearchParams({ site: siteOf(origin), token });
      const { status, body } = await requestVendor(environment, `${base}/urls?${query.toString()}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: urls.join('\n'),
      });
      const answer = parsed(body);
      if (answer?.error !== undefined && status < 500) {
        const message = typeof answer.message === 'string' ? answer.message.slice(0, MESSAGE_CHARS) : '';
        throw new VendorRejected(kindOf(message), message === '' ? `HTTP ${status}` : message);
      }
      const accepted = countOf(answer?.success);
      if (status !== 200 || !answer || accepted === undefined)
        throw new UnknownResult(`the submission was answered with HTTP ${status} and no count`);
      const refused = [...listOf(answer.not_same_site), ...listOf(answer.not_valid)];
      return { accepted, remaining: countOf(answer.remain), refused };
    },
  };
}
