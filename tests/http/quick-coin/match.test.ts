/** An amount of coin from several shops: what is matched, for whom, and that the parts can be ordered as they were shown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findQuickCoin, placeQuickCoinOrder } from '#subjects/quick-coin/contract/quick-coin.ts';
import { matchQuickCoin } from '#subjects/quick-coin/contract/quick-coin-match.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addCoinGame, COIN_AREA, COIN_GAME, offered, openedShop } from '#tests/support/services/coins.ts';

let t: TestApp;
let shops: TestUser[];
let offers: string[];

const MARKET = { gameId: COIN_GAME, areaId: COIN_AREA } as const;

beforeAll(async () => {
  t = await testApp();
  await addCoinGame(t);
  const reviewer = await t.newStaff({ role: 'reviewer' });
  shops = [];
  for (let i = 0; i < 3; i++) shops.push(await openedShop(t, reviewer));
  const terms = [
    { lotPrice: '10.00', stock: 5, minNum: 1 },
    { lotPrice: '11.00', stock: 20, minNum: 1, maxNum: 6 },
    { lotPrice: '15.00', stock: 100, minNum: 1, maxNum: 100, delivery: [3] },
  ];
  offers = [];
  for (const [i, shop] of shops.entries()) offers.push(await offered(shop, terms[i]));
});
afterAll(() => t.close());

test('the cheapest lots of several shops cover the amount, compared with the cheapest single shop', async () => {
  const buyer = await t.newUser({ balanceFen: 100_000 });
  const { match, oneShop } = await buyer.client.ok(matchQuickCoin, { ...MARKET, units: 10_500 });
  expect(match?.parts.map(({ quickCoinSn, num }) => [quickCoinSn, num])).toEqual([
    [offers[0], 5],
    [offers[1], 6],
  ]);
  // 5 times 10 and 6 times 11 yuan, each with one percent.
  expect(match).toMatchObject({
    allInPrice: '117.16',
    amountText: '11,000 万金币',
    missing: 0,
    extraText: '500 万金币',
  });
  expect(oneShop).toMatchObject({ quickCoinSn: offers[2], num: 11, allInPrice: '166.65' });
  for (const part of match?.parts ?? []) {
    const offer = await buyer.client.ok(findQuickCoin, { quickCoinSn: part.quickCoinSn });
    const placed = await buyer.client.ok(placeQuickCoinOrder, {
      quickCoinSn: part.quickCoinSn,
      version: offer.version,
      num: part.num,
      delivery: offer.delivery[0]?.id ?? 1,
      roleName: '剑神',
    } as never);
    expect(placed.totalPrice).toBe(part.allInPrice);
  }
  // The first shop has sold out, the second one has 14 lots left and sells 6 per order.
  const after = await buyer.client.ok(matchQuickCoin, { ...MARKET, units: 10_500 });
  expect(after.match?.parts.map(({ quickCoinSn }) => quickCoinSn)).toEqual([offers[1], offers[2]]);
});

test('a missing amount is reported, and a delivery or a market without offers gives nothing', async () => {
  const { client } = await t.newUser();
  const { match, oneShop } = await client.ok(matchQuickCoin, { ...MARKET, units: 500_000 });
  expect(oneShop).toBeNull();
  expect(match?.missing).toBeGreaterThan(0);
  expect(match?.missingText).toContain('万金币');
  const meeting = await client.ok(matchQuickCoin, { ...MARKET, units: 2000, delivery: 3 });
  expect(meeting.match?.parts.map(({ quickCoinSn }) => quickCoinSn)).toEqual([offers[2]]);
  const none = await client.ok(matchQuickCoin, { ...MARKET, areaId: COIN_AREA + 1, units: 2000 });
  expect(none).toEqual({ match: null, oneShop: null });
});

test('a shop is never matched with its own offers, and camps are not mixed', async () => {
  const [, , third] = shops;
  const own = await third?.client.ok(matchQuickCoin, { ...MARKET, units: 90_000 });
  expect(own?.match?.parts.map(({ quickCoinSn }) => quickCoinSn)).not.toContain(offers[2]);
  const reviewer = await t.newStaff({ role: 'reviewer' });
  const area = { areaId: COIN_AREA + 1, stock: 3, minNum: 1 };
  const [a, b] = [await openedShop(t, reviewer), await openedShop(t, reviewer)];
  await offered(a, { ...area, camp: '联盟' } as never);
  const horde = await offered(b, { ...area, camp: '部落', lotPrice: '18.00' } as never);
  const { client } = await t.newUser();
  const { match } = await client.ok(matchQuickCoin, { gameId: COIN_GAME, areaId: COIN_AREA + 1, units: 5000 });
  expect(match).toMatchObject({ camp: '部落', missing: 2000 });
  expect(match?.parts.map(({ quickCoinSn }) => quickCoinSn)).toEqual([horde]);
});
