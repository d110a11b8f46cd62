/** Addresses that name what is not there, or what this site does not show: the error page, the right status, and a way home. */
import { expect, test } from '@playwright/test';
import { MARKET } from './support/people.ts';

const UNKNOWN = [
  '/detail/ZZ9999999',
  '/JDetail/ZZ9999999',
  '/h/goodsDetail/ZZ9999999',
  '/detail/..%2f..%2fetc',
  '/wares/ZZ9999999/timePurchase',
  '/wares?gt=1&gid=999999',
  '/wares?gt=999',
  '/wares?gt=1&gid=1&areaId=99999999',
  '/wares/hotShoppingMall?gt=2&gid=99999',
  '/wares/goldRecycling?gid=99999',
  '/fastGold/fastGoldOrder?gid=99999',
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

for (const path of UNKNOWN)
  test(`${path} is not found`, async ({ request }, info) => {
    test.skip(info.project.name === 'phone', 'the answer is the same for every screen');
    const response = await request.get(`${MARKET}${path}`, { maxRedirects: 0 });
    expect(response.status()).toBe(404);
    const text = await response.text();
    expect(text).toContain('This page could not be found');
    expect(text).toMatch(/<a[^>]+href="\/"/);
  });

interface List {
  data: { list: { goodsSn: string; gameId: number; pageUrl: string }[] };
}

test('listings of a game that a brand hides are not found on its site', async ({ request }, info) => {
  test.skip(info.project.name === 'phone', 'the answer is the same for every screen');
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
    for (const path of [goods.pageUrl, `/h/goodsDetail/${goods.goodsSn}`, `/wares?gt=1&gid=${gameId}`])
      expect((await at(path, true)).status(), `${path} on the brand`).toBe(404);
    if (checked === 2) break;
  }
  expect(checked).toBeGreaterThan(0);
});
