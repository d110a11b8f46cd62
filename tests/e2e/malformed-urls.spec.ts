/** Every page under addresses that no link of ours has: an answer, never a fault, and nothing of the inside. */
import { type APIRequestContext, type APIResponse, expect, test } from '@playwright/test';
import { login } from '#contract/user.ts';
import { urlMap } from '#web/lib/url-map.ts';

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

/** What an answer gives away or lets run: markup counts wherever a browser would read it as a page. */
async function leakOf(response: APIResponse): Promise<string | undefined> {
  const text = await response.text();
  const headers = response.headers();
  const isPage = headers['content-type']?.startsWith('text/html') || headers['x-content-type-options'] !== 'nosniff';
  return INSIDE.exec(text)?.[0] ?? (isPage ? MARKUP.exec(text)?.[0] : undefined);
}

/** The same numbers in each run. */
function* numbers(): Generator<number, never> {
  for (let seed = 20_261_121; ; ) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    yield seed;
  }
}

const draw = numbers();
const pick = (from: readonly string[]): string => from[draw.next().value % from.length] ?? '';

/** An address of a page with odd parts and odd questions; some ask for the data behind the page. */
function oddAddress(path: string): string {
  const filled = path.replace(/:\w+\??/g, () => encodeURIComponent(pick(ODD).slice(0, 200) || 'x'));
  const query = new URLSearchParams(Array.from({ length: 3 }, () => [pick(FIELDS), pick(ODD)]));
  const isData = draw.next().value % 3 === 0 && filled !== '/';
  return `${isData ? `${filled.replace(/\/$/, '')}.data` : filled}?${query.toString()}`;
}

const pages = urlMap.filter(({ file, section }) => file !== undefined && section !== 'backstage');

async function faultsOf(request: APIRequestContext): Promise<string[]> {
  const faults: string[] = [];
  for (const { path } of pages)
    for (let i = 0; i < PER_PAGE; i++) {
      const address = oddAddress(path);
      const response = await request.get(address, { maxRedirects: 0 });
      const leak = await leakOf(response);
      if (response.status() >= 500 || leak !== undefined) faults.push(`${response.status()} ${leak ?? ''} ${address}`);
    }
  return faults;
}

test.describe('malformed URLs', () => {
  test.skip(({ isMobile }) => isMobile, 'the server answers both alike');

  test('of a visitor', async ({ request }) => {
    expect(pages.length).toBeGreaterThan(20);
    expect(await faultsOf(request)).toEqual([]);
  });

  test('of a user', async ({ request }) => {
    const form = { username: '13800000001', password: 'youshi2026' };
    expect((await (await request.post(login.path, { form })).json()).code).toBe(0);
    expect((await request.get('/center', { maxRedirects: 0 })).status()).toBe(200);
    expect(await faultsOf(request)).toEqual([]);
  });
});
