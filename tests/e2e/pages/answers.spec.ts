/** The market's responses to addresses that are closed, unknown, hidden by a brand, or malformed. Requests only: no page is opened. */
import { type APIRequestContext, expect, test } from '@playwright/test';
import { login } from '#subjects/accounts/contract/user.ts';
import { entryOf } from '#web/lib/pages/url-map.ts';
import { existing } from '../support/crawl/addresses.ts';
import { faultsOf, oddPages } from '../support/crawl/odd.ts';
import { MARKET } from '../support/people.ts';

/** Addresses of things that do not exist, or that this site does not show. */
const UNKNOWN = [
  '/detail/ZZ9999999',
  '/JDetail/ZZ9999999',
  '/h/goodsDetail/ZZ9999999',
  '/detail/..%2f..%2fetc',
  '/wares/ZZ9999999/timePurchase',
  '/news/nosuchnews',
  '/news/99999999',
  '/black/ZZ999',
  '/eventCase/detail?id=999999',
  '/guarantee/ZZ99',
  '/wechat/zzz',
  '/pay/go/zzz',
  '/pay/sandbox/zzz',
  '/nowhere',
] as const;

test('protected pages stay closed', async ({ request }) => {
  const closed = existing.filter(
    ({ access, path }) => access !== 'public' && access !== 'staff' && !path.includes(':'),
  );
  expect(closed.length).toBeGreaterThan(20);
  for (const { path } of closed) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect.soft(response.status(), path).toBe(302);
    expect.soft(response.headers().location, path).toContain('/login?returnUrl=');
  }
  // The back office has no address on the market's host.
  expect((await request.get('/backstage', { maxRedirects: 0 })).status()).toBe(404);
  expect(entryOf('/nowhere')).toBeUndefined();
  expect((await request.get('/login', { maxRedirects: 0 })).status()).toBe(200);
});

test('unknown addresses are not found, with a way home', async ({ request }) => {
  for (const path of UNKNOWN) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect.soft(response.status(), path).toBe(404);
    const text = await response.text();
    expect.soft(text, path).toContain('This page could not be found');
    expect.soft(text, path).toMatch(/<a[^>]+href="\/"/);
  }
});

/** Lists whose address has a part that names nothing any more, and what remains of it. */
const STALE: readonly [path: string, kept: RegExp][] = [
  ['/wares?gt=1&gid=999999&areaId=5&sort=newest', /^\/wares\?gt=1&sort=newest&stale=gid$/],
  ['/wares?gt=999', /^\/wares\?gt=0&stale=gt$/],
  ['/wares?gt=1&gid=1&areaId=99999999', /^\/wares\?gt=1&gid=1&stale=area$/],
  ['/wares/hotShoppingMall?gt=2&gid=99999', /^\/wares\/hotShoppingMall\?gt=2&stale=gid$/],
  ['/wares/goldRecycling?gid=99999', /^\/wares\/goldRecycling\?stale=gid$/],
  ['/fastGold/fastGoldOrder?gid=99999', /stale=gid$/],
];

test('a stale part of a list’s address is left out with a hint, and the rest stays', async ({ request }) => {
  for (const [path, kept] of STALE) {
    const moved = await request.get(path, { maxRedirects: 0 });
    expect.soft(moved.status(), path).toBe(302);
    const target = moved.headers().location ?? '';
    expect.soft(target, path).toMatch(kept);
    const page = await request.get(target, { maxRedirects: 0 });
    expect.soft(page.status(), target).toBe(200);
    expect.soft(await page.text(), target).toContain('已失效，已按其余条件显示');
  }
});

test('an invitation is remembered with the first answer, and only a valid one', async ({ request }) => {
  const invited = await request.get('/news?inviteCode=ABCD1234', { maxRedirects: 0 });
  expect(invited.headers()['set-cookie']).toContain('invitecode=ABCD1234; Max-Age=604800');
  const broken = await request.get('/news?inviteCode=%3Cscript%3E', { maxRedirects: 0 });
  expect(broken.headers()['set-cookie'] ?? '').not.toContain('invitecode');
});

interface List {
  data: { list: { goodsSn: string; gameId: number; pageUrl: string }[] };
}

test('listings of a game that a brand hides are not found on its site', async ({ request }) => {
  const host = new URL(MARKET).host.replace('localhost', 'moon.localhost');
  const at = async (path: string, brand: boolean) =>
    await request.get(`${MARKET}${path}`, { maxRedirects: 0, ...(brand && { headers: { host } }) });
  const games = async (brand: boolean): Promise<number[]> => {
    const { data } = (await (await at('/api/comm/gameList', brand)).json()) as { data: { list: { id: number }[] } };
    return data.list.map(({ id }) => id);
  };
  const visible = new Set(await games(true));
  const foreign = (await games(false)).filter((id) => !visible.has(id));
  expect(foreign.length, 'the brand leaves games out').toBeGreaterThan(0);
  let checked = 0;
  for (const gameId of foreign) {
    const { data } = (await (await at(`/api/goods/getGoodsList?gameId=${gameId}&pageSize=1`, false)).json()) as List;
    const [goods] = data.list;
    if (!goods) continue;
    checked += 1;
    expect((await at(goods.pageUrl, false)).status(), goods.pageUrl).toBe(200);
    for (const path of [goods.pageUrl, `/h/goodsDetail/${goods.goodsSn}`])
      expect((await at(path, true)).status(), `${path} on the brand`).toBe(404);
    const list = await at(`/wares?gt=1&gid=${gameId}`, true);
    expect([list.status(), list.headers().location], 'its list on the brand').toEqual([302, '/wares?gt=1&stale=gid']);
    if (checked === 2) break;
  }
  expect(checked).toBeGreaterThan(0);
});

/** Requests odd addresses of every page; a separate seed for each visitor, the same in each run. */
async function expectNoFaults(request: APIRequestContext, seed: number): Promise<void> {
  expect(oddPages.length).toBeGreaterThan(20);
  expect(await faultsOf(request, seed)).toEqual([]);
}

test('malformed addresses of a visitor get an answer without a fault and without internals', async ({ request }) => {
  await expectNoFaults(request, 20_261_121);
});

test('malformed addresses of a user get an answer without a fault and without internals', async ({ request }) => {
  const form = { username: '13800000001', password: 'youshi2026' };
  expect((await (await request.post(login.path, { form })).json()).code).toBe(0);
  expect((await request.get('/center', { maxRedirects: 0 })).status()).toBe(200);
  await expectNoFaults(request, 20_261_122);
});
