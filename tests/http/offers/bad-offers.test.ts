/**
 * Hostile bodies for the calls by which things are offered: each begins from a body that the call accepts, so that every probe comes as
 * far as the handler goes (tests/http/requests/bad-input.test.ts sends the shapes that schemas turn away, to every call). Whatever is sent, the
 * answer is the envelope: success, or a refusal in Chinese words; never a fault.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { saveSearchAlert } from '#subjects/offers/contract/alerts.ts';
import { setDistBus } from '#subjects/content/contract/content.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import * as goods from '#subjects/goods/contract/goods.ts';
import { bulkGoods } from '#subjects/goods/contract/goods-bulk.ts';
import {
  bargaining,
  getWantGoodsList,
  releaseWantGoods,
  saveBargainRule,
  sellerCounterofferPrice,
} from '#subjects/offers/contract/offers.ts';
import * as coin from '#subjects/quick-coin/contract/quick-coin.ts';
import { recyclerApply } from '#subjects/recycling/contract/recycling.ts';
import { addUserRoleCardInfo } from '#subjects/games/contract/role-card.ts';
import { saveTimeSale } from '#subjects/time-sale/contract/time-sale.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addCoinGame, COIN_AREA, COIN_GAME, OFFER, offered, openedShop } from '#tests/support/services/coins.ts';
import { leafProbes } from '#tests/support/calls/hostile.ts';
import { wrongWith } from '#tests/support/calls/wrong-answer.ts';
import {
  accountBody,
  accountOffer,
  coinOffer,
  offerFixture,
  pictureFile,
  sendPicture,
} from '#tests/support/goods/offers.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
let shop: TestUser;
/** Ids used in the bodies, by kind. */
const created: Record<string, string> = {};
let skippedMs = 0;

beforeAll(async () => {
  t = await testApp();
  const offers = await offerFixture(t);
  await addCoinGame(t);
  const staff = await t.newStaff({ role: 'admin' });
  [seller, buyer] = [await offers.sellerWith(9), await t.newUser({ balanceFen: 500_000, stepUp: true })];
  shop = await openedShop(t, staff);
  created.picture = (await sendPicture(seller.client, await pictureFile('png'))).data.key;
  created.onSale = await offers.onSale(seller, { bargainOpen: '1' });
  for (const name of ['wanted', 'timed', 'bulk', 'offered'])
    created[name] = await offers.onSale(seller, { bargainOpen: '1' });
  await passTime(t.ctx.db, 'goods', { sn: created.timed }, { days: 10 });
  created.edited = await offers.published(seller);
  created.coin = await offered(shop);
  const { bargainId } = await buyer.client.ok(bargaining, { goodsSn: created.offered ?? '', price: '1000.00' });
  created.bargain = String(bargainId);
  // The budgets of one process run on the monotonic clock: an hour passes before each request, so that none answers in a handler's place.
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
});
afterAll(async () => {
  vi.restoreAllMocks();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

function honest({ method, path }: Endpoint, body: Body) {
  const query = Object.entries(body).map(
    ([k, v]) => [k, typeof v === 'string' ? v : JSON.stringify(v)] as [string, string],
  );
  return method === 'GET'
    ? { method, url: `${path}?${new URLSearchParams(query).toString()}` }
    : { method, url: path, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) };
}

type Body = Record<string, unknown>;
const details = { rank: 1, noble: 8, skin_count: 320, hero_count: 120, account_source: 1, second_realname: true };
const filters = { rank: { any: [1] }, skin_count: { min: 1, max: 900 }, second_realname: true };
const hours = [{ day: 1, fromMinute: 540, toMinute: 1320 }];

/** A call, whose it is, and a body that it accepts. */
const calls: [Endpoint, () => TestUser, () => Body][] = [
  [goods.releaseGoods, () => seller, () => ({ ...accountOffer(), details, pictures: [created.picture], stock: 1 })],
  [goods.releaseGoods, () => seller, () => ({ ...coinOffer(), bargainOpen: true })],
  [
    goods.updatetGoods,
    () => seller,
    () => ({ goodsSn: created.edited, ...accountBody(), details, pictures: [created.picture] }),
  ],
  [goods.onlySetupGoodsPrice, () => seller, () => ({ goodsSn: created.edited, price: '88.80' })],
  [goods.pushOrPullGoods, () => seller, () => ({ goodsSn: created.onSale, act: 'push' })],
  [
    goods.saveDraft,
    () => seller,
    () => ({ draftKey: 'sell:2:1', body: { bigTitle: '全英雄', details, pictures: [] } }),
  ],
  [bulkGoods, () => seller, () => ({ act: 'price', goodsSnList: [created.bulk, created.onSale], percent: -5 })],
  [goods.getGoodsUpperConf, () => seller, () => ({ gameId: '2', goodsTypeId: '1', details })],
  [goods.selfPublishGoodsList, () => seller, () => ({ status: '1', keyWord: '荣耀', pageSize: '5' })],
  [
    goods.getGoodsList,
    () => buyer,
    () => ({ gameId: '2', goodsTypeId: '1', keyWord: '荣耀', minPrice: '1', maxPrice: '9999', details: filters }),
  ],
  [bargaining, () => buyer, () => ({ goodsSn: created.wanted, price: '1100.00', message: '诚心要' })],
  [sellerCounterofferPrice, () => seller, () => ({ bargainId: created.bargain, price: '1200.00' })],
  [saveBargainRule, () => seller, () => ({ floorPercent: 60 })],
  [saveTimeSale, () => seller, () => ({ goodsSn: created.timed, price: '999.00', startHour: 1, hours: 24, num: 1 })],
  [
    releaseWantGoods,
    () => buyer,
    () => ({ gameId: 2, goodsTypeId: 1, areaId: 2001, bigTitle: '求一个王者号', details: filters, budget: '900' }),
  ],
  [getWantGoodsList, () => buyer, () => ({ gameId: '2', goodsTypeId: '1', pageSize: '5' })],
  [
    saveSearchAlert,
    () => buyer,
    () => ({ gameId: 2, goodsTypeId: 1, details: filters, title: '王者账号', path: '/wares?gt=1&gid=2' }),
  ],
  [
    addUserRoleCardInfo,
    () => buyer,
    () => ({ gameId: 2, areaId: 2001, serverId: 201_001, roleName: '长安小乔', roleLevel: 30, note: '主号' }),
  ],
  [
    setDistBus,
    () => buyer,
    () => ({ kind: 'other', name: '张三', phone: '13800000009', gameIds: [2], content: '想合作开一个站点' }),
  ],
  [
    coin.shopQuickCoinApply,
    () => buyer,
    () => ({ name: '小北金币铺', intro: '只做跨一区', gameIds: [COIN_GAME], contact: 'QQ 12345678', hours }),
  ],
  [
    coin.updateShopQuickCoin,
    () => shop,
    () => ({ name: '阿市金币铺二', intro: '跨一区', gameIds: [COIN_GAME], hours }),
  ],
  [coin.createQuickCoin, () => shop, () => ({ ...OFFER, areaId: COIN_AREA + 1, bigTitle: '秒发', note: '在线' })],
  [
    coin.updateQuickCoin,
    () => shop,
    () => ({ quickCoinSn: created.coin, act: 'save', lotPrice: '19.50', delivery: [1] }),
  ],
  [
    coin.placeQuickCoinOrder,
    () => buyer,
    () => ({ quickCoinSn: created.coin, num: 2, delivery: 1, roleName: '夜雨寄北' }),
  ],
  [coin.getQuickCoinList, () => buyer, () => ({ gameId: String(COIN_GAME), areaId: String(COIN_AREA), num: '5' })],
  [
    recyclerApply,
    () => seller,
    () => ({ name: '长期收金币', intro: '量大从优', gameIds: [COIN_GAME], contact: 'QQ 12345678' }),
  ],
];

test.each(calls.map((call, i) => [`${i} ${call[0].path}`, ...call] as const))(
  '%s',
  { timeout: 120_000 },
  async (_, endpoint, who, body) => {
    const { client } = who();
    const send = async (probe: { method: 'GET' | 'POST'; url: string; payload?: string; type?: string }) => {
      skippedMs += 3_600_001;
      // Errors count against the daily limit too, which would reject the call before the handler.
      await sql`delete from limit_counter`.execute(t.ctx.db);
      return await client.raw({
        method: probe.method,
        url: probe.url,
        headers: { ...(probe.type && { 'content-type': probe.type }) },
        ...(probe.payload !== undefined && { payload: probe.payload }),
      });
    };
    const accepted = await client.raw(honest(endpoint, body()));
    expect(accepted.json(), 'the body as it stands').toMatchObject({ code: 0 });
    const faults: string[] = [];
    for (const probe of leafProbes(endpoint, body())) {
      const wrong = wrongWith(await send(probe));
      if (wrong !== undefined) faults.push(`${probe.name}: ${wrong}`);
    }
    expect(faults).toEqual([]);
  },
);
