/** Addresses that no link of ours has, and what an answer to them must not contain. */
import type { APIRequestContext, APIResponse } from '@playwright/test';
import { existing } from './addresses.ts';

const ODD = [
  '',
  '-1',
  '0',
  '1.5',
  '1e99',
  'NaN',
  'null',
  "' or 1=1 --",
  '%',
  '\0',
  '\u202e',
  'a'.repeat(3000),
  '[]',
  '{"a":{"b":1}}',
  '{"__proto__":1}',
  '99999999999999',
  '１２',
  '<script>zq()</script>',
  '../..',
  'constructor',
  '__proto__',
  '2026-13-45',
  'javascript:zq()',
];
const FIELDS =
  'gt gid keyWord areaId serverId timer pages cursor sort minPrice maxPrice details orderSn goodsSn status returnType belongIndex typeIndex tabIndex returnUrl payRand code quickCoinType isOfficialSell num ensureId amount account direction'.split(
    ' ',
  );
const PER_PAGE = 3;
const INSIDE = /\bat [^\n"]{1,120}\.(m?[jt]sx?):\d+|node_modules|syntax error at|invalid input syntax/;
const MARKUP = /<script>zq|href="javascript:/;

/** Pages of the market. */
export const oddPages = existing.filter(({ section }) => section !== 'backstage');

/** Data or scripts that a response leaks; markup counts wherever a browser would parse it as a page. */
async function leakOf(response: APIResponse): Promise<string | undefined> {
  const text = await response.text();
  const headers = response.headers();
  const isPage = headers['content-type']?.startsWith('text/html') || headers['x-content-type-options'] !== 'nosniff';
  return INSIDE.exec(text)?.[0] ?? (isPage ? MARKUP.exec(text)?.[0] : undefined);
}

/** The same numbers in each run for one seed. */
function* numbers(start: number): Generator<number, never> {
  for (let seed = start; ; ) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    yield seed;
  }
}

/** An address of a page with odd parts and odd queries; some ask for the data behind the page. */
function oddAddress(path: string, draw: Generator<number, never>): string {
  const pick = (from: readonly string[]): string => from[draw.next().value % from.length] ?? '';
  const filled = path.replace(/:\w+\??/g, () => encodeURIComponent(pick(ODD).slice(0, 200) || 'x'));
  const query = new URLSearchParams(Array.from({ length: 3 }, () => [pick(FIELDS), pick(ODD)]));
  const isData = draw.next().value % 3 === 0 && filled !== '/';
  return `${isData ? `${filled.replace(/\/$/, '')}.data` : filled}?${query.toString()}`;
}

/** Requests odd addresses of every page; returns those that fail or disclose something. */
export async function faultsOf(request: APIRequestContext, seed: number): Promise<string[]> {
  const draw = numbers(seed);
  const faults: string[] = [];
  for (const { path } of oddPages) {
    const addresses = Array.from({ length: PER_PAGE }, () => oddAddress(path, draw));
    await Promise.all(
      addresses.map(async (address) => {
        const response = await request.get(address, { maxRedirects: 0 });
        const leak = await leakOf(response);
        if (response.status() >= 500 || leak !== undefined)
          faults.push(`${response.status()} ${leak ?? ''} ${address}`);
      }),
    );
  }
  return faults;
}
