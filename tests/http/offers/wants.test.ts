import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveSearchAlert } from '#subjects/offers/contract/alerts.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import type { Input } from '#contract/endpoint.ts';
import { onlySetupGoodsPrice } from '#subjects/goods/contract/goods.ts';
import {
  findSelfWantGoodsList,
  getWantGoodsList,
  releaseWantGoods,
  updateWantGoodsStatus,
} from '#subjects/offers/contract/offers.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { MOON, openListingMarket, type ListingMarket } from '#tests/support/goods/listings.ts';

let market: ListingMarket;

beforeAll(async () => {
  market = await openListingMarket();
});
afterAll(async () => {
  expect(await brokenInvariants(market.t.ctx.db)).toEqual([]);
  await market.t.close();
});

const code = (name: ErrorName): number => codes[name][0];
type WantInput = Input<typeof releaseWantGoods>;

const wantInput = (overrides: Partial<WantInput> = {}): WantInput => ({
  gameId: 1,
  goodsTypeId: 1,
  bigTitle: '求一个王者段位的号',
  details: { rank: 2, skins: { all: [1] }, skin_num: { min: 100, max: 400 } },
  budget: '150',
  ...overrides,
});

async function wanted(buyer: TestUser, overrides: Partial<WantInput> = {}): Promise<string> {
  return (await buyer.client.ok(releaseWantGoods, wantInput(overrides))).wantSn;
}

const own = async (buyer: TestUser, wantSn: string) =>
  (await buyer.client.ok(findSelfWantGoodsList, {})).list.find((w) => w.wantSn === wantSn);

/** Puts goods on sale and runs what follows from it. */
async function put(overrides: Parameters<ListingMarket['add']>[0]) {
  const goods = await market.add(overrides);
  await market.t.relay();
  return goods;
}

const matches = { rank: 2, skins: [1, 2], skin_num: 200 };

async function notices(userId: number): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from notice where user_id = ${userId} and kind = 'goods.want' order by id`.execute(market.t.ctx.db);
  return rows.map((r) => r.body);
}

describe('a want', () => {
  test('matches existing goods, and notifies only of new goods that match', async () => {
    const buyer = await market.t.newUser();
    const wantSn = await wanted(buyer);
    const first = await own(buyer, wantSn);
    expect(first).toMatchObject({ status: 1, statusName: '求购中', budget: '150.00', isMine: true });
    expect(first?.chips.map((c) => c.label)).toEqual(['段位', '限定皮肤', '皮肤数量']);
    expect(first?.matchUrl).toContain('max=150.00');
    expect(first?.matchUrl).toContain('f.rank=2');
    const before = first?.matches ?? 0;
    const good = await put({ attrs: matches, fen: 14_000, title: '王者号 凤求凰 正好' });
    await put({ attrs: { ...matches, rank: 1 }, fen: 9000 });
    await put({ attrs: { ...matches, skin_num: 500 }, fen: 9000 });
    await put({ attrs: { ...matches, skins: [2] }, fen: 9000 });
    await put({ attrs: matches, fen: 14_900 });
    await put({ attrs: matches, fen: 9000, by: buyer });
    const after = await own(buyer, wantSn);
    expect(after?.matches).toBe(before + 1);
    expect(after?.matched[0]).toMatchObject({ goodsSn: good.sn, allInPrice: '141.40', bigTitle: '王者号 凤求凰 正好' });
    expect(await notices(buyer.id)).toHaveLength(1);
  });

  test('is found by number anywhere in the list, only by its owner', async () => {
    const [buyer, other] = [await market.t.newUser(), await market.t.newUser()];
    const wantSn = await wanted(buyer);
    for (let i = 0; i < 2; i++) await wanted(buyer, { bigTitle: `又求一个号 ${i}` });
    const page = await buyer.client.ok(findSelfWantGoodsList, { pageSize: 1 });
    expect(page.list.map((w) => w.wantSn)).not.toContain(wantSn);
    const found = await buyer.client.ok(findSelfWantGoodsList, { wantSn });
    expect(found).toMatchObject({ total: 1, next: null, list: [{ wantSn, bigTitle: '求一个王者段位的号' }] });
    expect((await other.client.ok(findSelfWantGoodsList, { wantSn })).list).toEqual([]);
  });

  test('notifies again when a listing becomes cheaper, not when dearer', async () => {
    const buyer = await market.t.newUser();
    const wantSn = await wanted(buyer, { budget: '130' });
    const goods = await put({ attrs: matches, fen: 14_000 });
    const count = (await own(buyer, wantSn))?.matches ?? 0;
    const price = async (yuan: string) => {
      await market.seller.client.ok(onlySetupGoodsPrice, { goodsSn: goods.sn, price: yuan });
      await market.t.relay();
    };
    await price('120');
    expect((await own(buyer, wantSn))?.matches).toBe(count + 1);
    await price('125');
    await price('120');
    expect(await notices(buyer.id)).toHaveLength(1);
    await price('110');
    expect(await notices(buyer.id)).toHaveLength(2);
  });

  test('still notifies of new matches, up to a limit, when there were many at the start', async () => {
    const buyer = await market.t.newUser();
    const wantSn = await wanted(buyer, { details: {}, budget: '300' });
    expect((await own(buyer, wantSn))?.matches).toBeGreaterThan(20);
    for (let i = 0; i < 22; i++) await market.add({ fen: 20_000 + i });
    await market.t.relay();
    expect(await notices(buyer.id)).toHaveLength(20);
  });

  test('is fulfilled by buying a match, and its deposit is returned in full', async () => {
    const buyer = await market.t.newUser({ balanceFen: 100_000, payPassword: '135790', stepUp: true });
    const wantSn = await wanted(buyer, { deposit: '50' });
    expect((await own(buyer, wantSn))?.deposit).toBe('50.00');
    expect((await loadBalances(market.t.ctx.db, buyer.id)).availableFen).toBe(95_000);
    const goods = await put({ attrs: matches, fen: 12_000 });
    const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(balancePay, { orderId: order.orderId });
    await market.t.relay();
    expect(await own(buyer, wantSn)).toMatchObject({
      status: 3,
      statusName: '已买到',
      orderSn: order.orderSn,
      deposit: null,
    });
    expect((await loadBalances(market.t.ctx.db, buyer.id)).availableFen).toBe(100_000 - 12_120);
    const again = await buyer.client.call(updateWantGoodsStatus, { wantSn, status: 1 });
    expect(again.code).toBe(code('WANT_STATE'));
  });

  test('can be closed and reopened; closing twice returns the deposit once', async () => {
    const buyer = await market.t.newUser({ balanceFen: 10_000, payPassword: '135790', stepUp: true });
    const wantSn = await wanted(buyer, { deposit: '20' });
    await Promise.all([0, 1, 2].map(() => buyer.client.ok(updateWantGoodsStatus, { wantSn, status: 2 })));
    expect((await loadBalances(market.t.ctx.db, buyer.id)).availableFen).toBe(10_000);
    const count = (await own(buyer, wantSn))?.matches;
    await put({ attrs: matches, fen: 11_000 });
    expect((await own(buyer, wantSn))?.matches).toBe(count);
    expect(await buyer.client.ok(updateWantGoodsStatus, { wantSn, status: 1 })).toMatchObject({ statusName: '求购中' });
  });

  test('can be changed only by its owner while it is open', async () => {
    const buyer = await market.t.newUser();
    const other = await market.t.newUser();
    const wantSn = await wanted(buyer);
    await wanted(buyer, { wantSn, bigTitle: '改成钻石也行', details: { rank: 1 }, budget: '180' });
    expect(await own(buyer, wantSn)).toMatchObject({ bigTitle: '改成钻石也行', budget: '180.00' });
    expect((await other.client.call(releaseWantGoods, wantInput({ wantSn }))).code).toBe(code('WANT_NOT_FOUND'));
    expect((await other.client.call(updateWantGoodsStatus, { wantSn, status: 2 })).code).toBe(code('WANT_NOT_FOUND'));
    await buyer.client.ok(updateWantGoodsStatus, { wantSn, status: 2 });
    expect((await buyer.client.call(releaseWantGoods, wantInput({ wantSn }))).code).toBe(code('WANT_STATE'));
  });
});

describe('limits of a want', () => {
  test('unknown games, types, regions and filters, too little money and too many wants are rejected', async () => {
    const buyer = await market.t.newUser({ payPassword: '135790', stepUp: true });
    const rejected = async (overrides: Partial<WantInput>) =>
      (await buyer.client.call(releaseWantGoods, wantInput(overrides))).code;
    expect(await rejected({ gameId: 99, details: {} })).toBe(code('NOT_FOUND'));
    expect(await rejected({ goodsTypeId: 61, details: {} })).toBe(code('GOODS_TYPE_UNSUPPORTED'));
    expect(await rejected({ areaId: 20 })).toBe(code('BAD_INPUT'));
    expect(await rejected({ details: { nothing: 1 } })).toBe(code('BAD_INPUT'));
    expect(await rejected({ budget: '0.5' })).toBe(code('BAD_INPUT'));
    expect(await rejected({ bigTitle: '号' })).toBe(code('BAD_INPUT'));
    expect(await rejected({ deposit: '10' })).toBe(code('BALANCE_LOW'));
    const stranger = await market.t.newUser({ verified: false });
    expect((await stranger.client.call(releaseWantGoods, wantInput())).code).toBe(code('REAL_NAME_REQUIRED'));
    for (let i = 0; i < 20; i++) await wanted(buyer);
    expect(await rejected({})).toBe(code('WANT_COUNT'));
  });

  test('the same key posts one want', async () => {
    const buyer = await market.t.newUser();
    const options = { idempotencyKey: 'want-1' };
    const responses = await Promise.all([0, 1, 2].map(() => buyer.client.ok(releaseWantGoods, wantInput(), options)));
    expect(new Set(responses.map((a) => a.wantSn)).size).toBe(1);
    expect((await buyer.client.ok(findSelfWantGoodsList, {})).total).toBe(1);
  });
});

describe('public wants', () => {
  test('show wants and demand with masked names, only for games that the site shows', async () => {
    for (const [i, budget] of ['300', '500', '900'].entries()) {
      const buyer = await market.t.newUser({ nickName: `想买的人${i}` });
      await wanted(buyer, { gameId: 2, goodsTypeId: 1, details: {}, budget, bigTitle: '求和平精英好号' });
    }
    const follower = await market.t.newUser();
    const saved = { gameId: 2, goodsTypeId: 1, title: '和平精英 账号', path: '/wares?gt=1&gid=2' };
    await follower.client.ok(saveSearchAlert, saved);
    await follower.client.ok(saveSearchAlert, { ...saved, maxPrice: '500', path: '/wares?gt=1&gid=2&max=500' });
    const response = await market.t.client().ok(getWantGoodsList, { gameId: 2, goodsTypeId: 1, pageSize: 2 });
    expect(response.demand).toEqual({ wants: 3, medianBudget: '500.00', searches: 1 });
    expect(response.list.map((w) => [w.buyerName, w.budget, w.isMine])).toEqual([
      ['想**2', '900.00', false],
      ['想**1', '500.00', false],
    ]);
    const next = await market.t.client().ok(getWantGoodsList, { gameId: 2, pageSize: 2, cursor: response.next ?? '' });
    expect(next.list).toHaveLength(1);
    expect((await market.t.client({ host: MOON }).ok(getWantGoodsList, { gameId: 2, goodsTypeId: 1 })).list).toEqual(
      [],
    );
    expect((await market.t.client().ok(getWantGoodsList, { gameId: 2, goodsTypeId: 2 })).demand).toEqual({
      wants: 0,
      medianBudget: null,
      searches: 0,
    });
  });
});
