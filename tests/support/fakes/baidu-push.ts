/** Baidu's link submission on loopback: knows its sites and their tokens, counts a quota, and refuses foreign and malformed addresses. */
import { type FakeReply, type FakeRequest, FakeServer } from './fake-server.ts';

const MOST = 2000;

export class FakeBaiduPush extends FakeServer {
  /** Tokens by site, as its console names it. */
  readonly sites = new Map<string, string>();
  /** The remaining quota of the day, for all sites together. */
  remain = 100;
  /** Addresses that it took, oldest first. */
  readonly taken: string[] = [];
  /** Addresses of each submission with a good token. */
  readonly sizes: number[] = [];

  protected nameOf({ method, url }: FakeRequest): string {
    return `${method} ${url.pathname}`;
  }

  protected respond({ method, url, headers, body }: FakeRequest): FakeReply {
    const error = (status: number, message: string): FakeReply => ({
      status,
      body: JSON.stringify({ error: status, message }),
    });
    if (method !== 'POST' || url.pathname !== '/urls') return error(404, 'not found');
    const site = url.searchParams.get('site') ?? '';
    const token = this.sites.get(site);
    if (token === undefined) return error(400, 'site error');
    if (url.searchParams.get('token') !== token) return error(401, 'token is not valid');
    const lines = body.toString('utf8').split('\n').filter(Boolean);
    if (!String(headers['content-type']).startsWith('text/plain') || lines.length === 0)
      return error(400, 'empty content');
    if (lines.length > MOST) return error(400, 'only 2000 urls are allowed once');
    this.sizes.push(lines.length);
    const valid = lines.filter((line) => URL.canParse(line) && !/\s/.test(line));
    const own = valid.filter((line) => [new URL(line).host, new URL(line).origin].includes(site));
    if (this.remain === 0 || own.length > this.remain) return error(400, 'over quota');
    this.remain -= own.length;
    this.taken.push(...own);
    const rest = {
      not_same_site: valid.filter((line) => !own.includes(line)),
      not_valid: lines.filter((line) => !valid.includes(line)),
    };
    return { status: 200, body: JSON.stringify({ remain: this.remain, success: own.length, ...rest }) };
  }
}
