import { CHINA_MS } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { codes } from '#contract/codes.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import { handoverDone } from '#subjects/orders/contract/handover.ts';
import * as o from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import * as q from '#subjects/quick-coin/contract/quick-coin.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { putSetting } from '#tests/support/market/settings.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { sizeOf } from '#tests/sizes.ts';
import {
  addCoinGame,
  addDeposit,
  applyForShop,
  COIN_AREA,
  COIN_GAME,
  OFFER,
  offered,
  openedShop,
  providerAt,
} from '#tests/support/services/coins.ts';

let t: TestApp;
let reviewer: TestStaff;
let shop: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addCoinGame(t);
  reviewer = await t.newStaff({ role: 'reviewer' });
  shop = await openedShop(t, reviewer);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const stockOf = async (sn: string): Promise<number> =>
  (await sql<{ stock: number }>`select stock from quick_coin_offer where sn = ${sn}`.execute(t.ctx.db)).rows[0]
    ?.stock ?? -1;

const ORDER = { num: 3, delivery: 1, roleName: '剑神' } as const;

describe('a shop', () => {
  test('sells after application and review; a second application is rejected while one is pending', async () => {
    const user = await t.newUser();
    expect((await user.client.ok(q.getShopQuickCoinInfo, {})).shop).toBeNull();
    await applyForShop(user);
    expect((await user.client.call(q.createQuickCoin, OFFER as never)).code).toBe(codes.PROVIDER_STATE[0]);
    expect(
      (await user.client.call(q.shopQuickCoinApply, { name: '又一家', gameIds: [COIN_GAME], contact: '12345678' }))
        .code,
    ).toBe(codes.PROVIDER_STATE[0]);
    const { id, updateMark, contact } = await providerAt(reviewer, user.id);
    expect(contact).toBe('QQ 12345678');
    expect((await reviewer.client.call(reviewProvider, { id, decision: 'refuse', updateMark })).status).toBe(422);
    await reviewer.client.ok(reviewProvider, { id, decision: 'refuse', reason: '资料不全', updateMark });
    expect((await user.client.ok(q.getShopQuickCoinInfo, {})).shop).toMatchObject({
      status: 'refused',
      reviewNote: '资料不全',
    });
    await applyForShop(user);
    const again = await providerAt(reviewer, user.id);
    const early = await reviewer.client.call(reviewProvider, { id, decision: 'approve', updateMark: again.updateMark });
    expect(early.code).toBe(codes.SHOP_DEPOSIT[0]);
    await addDeposit(t, user.id, 100_000);
    const responses = await Promise.all(
      [1, 2].map(() => reviewer.client.call(reviewProvider, { id, decision: 'approve', updateMark: again.updateMark })),
    );
    expect(responses.map((a) => a.code).toSorted((a, b) => a - b)).toEqual([0, codes.PROVIDER_STATE[0]]);
    expect((await user.client.ok(userInfo, {})).isQuickShop).toBe(1);
    await t.fund(user.id, 100);
    await user.client.ok(depositRelease, { role: 'shop', act: 'ask' });
    expect((await user.client.call(q.createQuickCoin, OFFER as never)).code).toBe(codes.SHOP_DEPOSIT[0]);
  });

  test('is offline outside its public opening hours; overlapping hours are rejected', async () => {
    const own = await openedShop(t, reviewer);
    const sn = await offered(own);
    const view = async () => (await t.client().ok(q.findQuickCoin, { quickCoinSn: sn })).shop;
    const onSale = async () =>
      (await t.client().ok(q.getQuickCoinList, { gameId: COIN_GAME, online: '1', pageSize: 50 })).list.some(
        (one) => one.quickCoinSn === sn,
      );
    expect([await view(), await onSale()]).toMatchObject([{ online: true, hoursText: '' }, true]);
    // Today in China is left out: the shop is closed now, whatever the time.
    const today = (new Date(Date.now() + CHINA_MS).getUTCDay() + 6) % 7;
    const week = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, fromMinute: 0, toMinute: 1440 }));
    await own.client.ok(q.updateShopQuickCoin, { hours: week.filter(({ day }) => day !== today) });
    expect(await view()).toMatchObject({ online: false });
    expect((await view()).hoursText).toContain('00:00-24:00');
    expect(await onSale()).toBe(false);
    await own.client.ok(q.updateShopQuickCoin, { hours: week });
    expect([await view(), await onSale()]).toMatchObject([{ online: true, hoursText: '' }, true]);
    const overlap = [...week, { day: 0, fromMinute: 600, toMinute: 700 }];
    const rejected = await own.client.call(q.updateShopQuickCoin, { hours: overlap });
    expect([rejected.status, rejected.msg]).toEqual([422, '同一天的接单时段不能重叠']);
  });

  test('changes public details after a review, its notice immediately', async () => {
    const own = await openedShop(t, reviewer);
    await own.client.ok(q.updateShopQuickCoin, { name: '新名字铺', notice: '今晚十点后休息' });
    const waiting = await own.client.ok(q.getShopQuickCoinInfo, {});
    expect(waiting.shop).toMatchObject({ name: '阿市金币铺', notice: '今晚十点后休息', hasPending: true });
    const { id, updateMark, pending } = await providerAt(reviewer, own.id);
    expect(pending).toEqual([{ label: '名称', before: '阿市金币铺', after: '新名字铺' }]);
    await reviewer.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
    expect((await own.client.ok(q.getShopQuickCoinInfo, {})).shop).toMatchObject({
      name: '新名字铺',
      hasPending: false,
    });
    await own.client.ok(q.updateShopQuickCoin, { act: 'leave' });
    expect((await own.client.ok(userInfo, {})).isQuickShop).toBe(0);
  });

  test('has as many offers as its deposit allows, also concurrently', async () => {
    const own = await openedShop(t, reviewer);
    const shop = (listings: number) => [
      { name: '标准店铺', amountFen: 100_000, releaseDays: 7, limits: { listings }, benefits: [] },
    ];
    await putSetting(t, 'deposit_levels', { shop: shop(2) });
    const responses = await Promise.all([1, 2, 3, 4].map(() => own.client.call(q.createQuickCoin, OFFER as never)));
    await putSetting(t, 'deposit_levels', { shop: shop(20) });
    expect(responses.filter((a) => a.code === 0)).toHaveLength(2);
    expect(responses.filter((a) => a.code === codes.SHOP_LISTINGS[0])).toHaveLength(2);
  });
});

describe('an offer', () => {
  test('shows both ratios and is listed by unit price, cheapest first', async () => {
    const dear = await offered(shop, { areaId: COIN_AREA + 1, lotPrice: '20.00' });
    const cheap = await offered(shop, { areaId: COIN_AREA + 1, lotPrice: '18.00', delivery: [3] });
    const visitor = t.client();
    const { list, total } = await visitor.ok(q.getQuickCoinList, { gameId: COIN_GAME, areaId: COIN_AREA + 1 });
    expect(list.map((one) => one.quickCoinSn)).toEqual([cheap, dear]);
    expect(total).toBe(2);
    expect(list[0]).toMatchObject({ ratioText: '1元=55.56万金币', unitPriceText: '0.018元/万金币', isMine: false });
    const first = await visitor.ok(q.getQuickCoinList, { gameId: COIN_GAME, areaId: COIN_AREA + 1, pageSize: 1 });
    const second = await visitor.ok(q.getQuickCoinList, {
      gameId: COIN_GAME,
      areaId: COIN_AREA + 1,
      pageSize: 1,
      cursor: first.next ?? '',
    });
    expect(second.list.map((one) => one.quickCoinSn)).toEqual([dear]);
    const count = async (input: object) =>
      (await visitor.ok(q.getQuickCoinList, { gameId: COIN_GAME, areaId: COIN_AREA + 1, ...input })).total;
    expect(await count({ delivery: 3 })).toBe(1);
    expect(await count({ num: 51 })).toBe(0);
    expect(await count({ serverId: 1 })).toBe(2);
    expect((await visitor.ok(q.findQuickCoin, { quickCoinSn: dear })).lots).toEqual([2, 5, 10, 20, 50]);
  });

  test('is rejected with a message for a wrong region, unit or amount', async () => {
    const bad: [object, string][] = [
      [{ areaId: 1 }, '大区不属于该游戏'],
      [{ unit: '钻石' }, '该游戏的金币单位是万金币'],
      [{ lotPrice: '0.001' }, '每份价格应为正数，最多两位小数'],
      [{ lotPrice: '1e3' }, '每份价格应为正数，最多两位小数'],
      [{ stock: '-1' }, '库存超出范围'],
      [{ minNum: 9, maxNum: 3 }, '最多份数不能小于起购份数'],
      [{ delivery: [] }, '请选择交货方式'],
    ];
    for (const [overrides, message] of bad) {
      const response = await shop.client.call(q.createQuickCoin, { ...OFFER, ...overrides } as never);
      expect([response.code !== 0, response.msg]).toEqual([true, message]);
    }
  });

  test('can be changed only by its shop; a change of terms increases its version', async () => {
    const sn = await offered(shop);
    const other = await openedShop(t, reviewer);
    expect((await other.client.call(q.updateQuickCoin, { quickCoinSn: sn, applyChange: 'remove' })).status).toBe(404);
    expect((await shop.client.ok(q.updateQuickCoin, { quickCoinSn: sn, stock: 7 })).version).toBe(1);
    expect((await shop.client.ok(q.updateQuickCoin, { quickCoinSn: sn, lotPrice: '18.50' })).version).toBe(2);
    await shop.client.ok(q.updateQuickCoin, { quickCoinSn: sn, applyChange: 'pull' });
    expect((await t.client().call(q.findQuickCoin, { quickCoinSn: sn })).status).toBe(404);
    await shop.client.ok(q.updateQuickCoin, { quickCoinSn: sn, applyChange: 'push' });
    const buyer = await t.newUser();
    expect((await buyer.client.call(q.placeQuickCoinOrder, { quickCoinSn: sn, ...ORDER, version: 1 })).code).toBe(
      codes.GOODS_CHANGED[0],
    );
    await shop.client.ok(q.updateQuickCoin, { quickCoinSn: sn, applyChange: 'remove' });
    expect((await shop.client.ok(q.selfPublishQuickCoinList, {})).list.map((one) => one.quickCoinSn)).not.toContain(sn);
  });
});

describe('an order', () => {
  test('offers the same coupons as the normal checkout, and lists a used one as a fee line', async () => {
    await addCampaign(t.ctx, { code: 'COIN', amountFen: 500, minimumFen: 4000 });
    const sn = await offered(shop);
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'COIN' });
    const of = async (num: number) => (await buyer.client.ok(q.coinDiscount, { quickCoinSn: sn, num })).list;
    expect(await of(3)).toMatchObject([{ couponId: coupon?.couponId, usable: true, takes: '5.00' }]);
    expect(await of(2)).toMatchObject([{ usable: false, takes: '0.00' }]);
    const couponId = coupon?.couponId;
    const wish = { quickCoinSn: sn, ...ORDER, couponId };
    expect((await buyer.client.call(q.placeQuickCoinOrder, { ...wish, num: 2 })).code).toBe(codes.COUPON_UNUSABLE[0]);
    const { orderSn, totalPrice } = await buyer.client.ok(q.placeQuickCoinOrder, wish);
    // 3 lots at 19, 1 % on top, 5 off.
    expect(totalPrice).toBe('52.57');
    const { lines } = await buyer.client.ok(o.orderDetail, { orderSn });
    expect(lines.map((l) => [l.code, l.amount])).toEqual([
      ['goods', '57.00'],
      ['service', '0.57'],
      ['coupon', '-5.00'],
    ]);
    expect((await t.client().call(q.coinDiscount, { quickCoinSn: sn, num: 3 })).status).toBe(401);
  });

  test('uses the same escrow as goods: paid, delivered, confirmed', async () => {
    const sn = await offered(shop);
    const buyer = await t.newUser({ balanceFen: 10_000 });
    const placed = await buyer.client.ok(q.placeQuickCoinOrder, { quickCoinSn: sn, ...ORDER, roleLevel: 110 });
    expect(placed).toMatchObject({ coinText: '3,000 万金币', totalPrice: '57.57', status: 0 });
    expect(await stockOf(sn)).toBe(97);
    await buyer.client.ok(balancePay, { orderId: placed.orderId });
    const detail = await buyer.client.ok(o.orderDetail, { orderSn: placed.orderSn });
    expect(detail.attrs).toContainEqual({ label: '收货角色', value: '剑神，110 级' });
    const minutes = (Date.parse(detail.deadline ?? '') - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(30);
    const [sold] = (await shop.client.ok(q.queryQuickOrderList, { belong: 1, orderSn: placed.orderSn })).orderList;
    expect(sold).toMatchObject({
      roleName: '剑神',
      deliveryName: '邮寄',
      net: '54.15',
      deliveredText: '0 万金币',
      belong: 1,
    });
    await shop.client.ok(o.offlineTranSub, { orderId: placed.orderId });
    await buyer.client.ok(o.confirmRecGoods, { orderId: placed.orderId });
    const [bought] = (await buyer.client.ok(q.queryQuickOrderList, { belong: 0 })).orderList;
    expect(bought).toMatchObject({ status: 3, deliveredText: '3,000 万金币', net: null });
    expect((await t.client().ok(q.findQuickCoin, { quickCoinSn: sn })).soldNum).toBe(3);
    expect((await shop.client.ok(q.getShopQuickCoinInfo, {})).shop).toMatchObject({
      income30: '54.15',
      doneNum: 1,
      onTimeRate: 100,
    });
  });

  test('has steps for the chosen method of delivery', async () => {
    const step = { actor: 'seller', minutes: 20, required: true, beforeShip: true, explain: '怎么交货' };
    const steps = [
      { ...step, key: 'meet', title: '约定交货', evidence: false },
      { ...step, key: 'deliver', title: '卖家交货', evidence: true },
    ];
    await sql`insert into catalogue_version (game_id, kind, version, body)
      values (${COIN_GAME}, 'handover', 1, ${JSON.stringify({ accounts: [], deliveries: [{ goodsTypes: [2], steps }] })}::jsonb)`.execute(
      t.ctx.db,
    );
    t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
    const explained = async (delivery: number, more: object): Promise<string[]> => {
      const buyer = await t.newUser({ balanceFen: 10_000 });
      const wish = { quickCoinSn: await offered(shop), ...ORDER, delivery, ...more };
      const { orderId, orderSn } = await buyer.client.ok(q.placeQuickCoinOrder, wish);
      await buyer.client.ok(balancePay, { orderId });
      return (await buyer.client.ok(o.orderDetail, { orderSn })).handover.map(({ explain }) => explain);
    };
    expect((await explained(1, {}))[1]).toMatch(/邮寄.*收件角色和数量/);
    expect((await explained(2, { auctionItem: '破旧的布料 1 金' }))[1]).toMatch(/拍卖行.*物品和成交价/);
  });

  test('has one deadline: a step ends with the time to ship, and the last one with the automatic receipt', async () => {
    const step = { minutes: 90, required: true, evidence: false, explain: '怎么交货' };
    const steps = [
      { ...step, key: 'deliver', title: '卖家交货', actor: 'seller', beforeShip: true },
      { ...step, key: 'count', title: '清点到账', actor: 'buyer', beforeShip: false },
    ];
    await sql`insert into catalogue_version (game_id, kind, version, body)
      values (${COIN_GAME}, 'handover', 2, ${JSON.stringify({ accounts: [], deliveries: [{ goodsTypes: [2], steps }] })}::jsonb)`.execute(
      t.ctx.db,
    );
    t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
    const buyer = await t.newUser({ balanceFen: 10_000 });
    const wish = { quickCoinSn: await offered(shop), ...ORDER };
    const { orderId, orderSn } = await buyer.client.ok(q.placeQuickCoinOrder, wish);
    await buyer.client.ok(balancePay, { orderId });
    // The shop promises 30 minutes: the step's own 90 would contradict the time to ship.
    const { handover: promised } = await buyer.client.ok(o.orderDetail, { orderSn });
    expect(promised.map(({ minutes }) => minutes)).toEqual([30, 90]);
    const current = async () => {
      const { deadline, handover } = await buyer.client.ok(o.orderDetail, { orderSn });
      const now = handover.find(({ state }) => state === 'current');
      return { key: now?.key, isOne: now?.dueTime === deadline, isReceipt: now?.isReceipt };
    };
    expect(await current()).toEqual({ key: 'deliver', isOne: true, isReceipt: false });
    await shop.client.ok(handoverDone, { orderId, step: 1, pictures: '[]' } as never);
    expect(await current()).toEqual({ key: 'count', isOne: true, isReceipt: true });
  });

  test('returns its lots once when cancelled', async () => {
    const sn = await offered(shop);
    const buyer = await t.newUser({ balanceFen: 10_000 });
    const { orderId } = await buyer.client.ok(q.placeQuickCoinOrder, { quickCoinSn: sn, ...ORDER });
    await buyer.client.ok(balancePay, { orderId });
    await Promise.all([1, 2, 3].map(() => buyer.client.call(o.cancelOrder, { orderId })));
    expect(await stockOf(sn)).toBe(100);
  });

  test('is placed once for one key', async () => {
    const sn = await offered(shop);
    const buyer = await t.newUser();
    const key = { idempotencyKey: 'coin-once' };
    const responses = await Promise.all(
      [1, 2, 3].map(() => buyer.client.call(q.placeQuickCoinOrder, { quickCoinSn: sn, ...ORDER }, key)),
    );
    expect(new Set(responses.map((a) => a.data?.orderSn)).size).toBe(1);
    expect(responses.every((a) => a.data?.coinText === '3,000 万金币')).toBe(true);
    expect(await stockOf(sn)).toBe(97);
  });

  test('is rejected for one’s own shop, outside the bounds, and by a delivery that is not offered', async () => {
    const sn = await offered(shop);
    const buyer = await t.newUser();
    const code = async (user: TestUser, input: object) =>
      (await user.client.call(q.placeQuickCoinOrder, { quickCoinSn: sn, ...ORDER, ...input } as never)).code;
    expect(await code(shop, {})).toBe(codes.GOODS_OWN[0]);
    expect(await code(buyer, { num: 1 })).toBe(codes.COIN_LOTS[0]);
    expect(await code(buyer, { num: 51 })).toBe(codes.COIN_LOTS[0]);
    expect(await code(buyer, { delivery: 3 })).toBe(codes.BAD_INPUT[0]);
    expect(await code(buyer, { delivery: 2 })).toBe(codes.BAD_INPUT[0]);
    expect(await code(buyer, { roleCardId: 999 })).toBe(codes.NOT_FOUND[0]);
    expect(await code(await t.newUser({ verified: false }), {})).toBe(codes.REAL_NAME_REQUIRED[0]);
    expect(await stockOf(sn)).toBe(100);
  });

  test('concurrent buyers get exactly the lots in stock', async () => {
    const sn = await offered(shop, { stock: 20, minNum: 2 });
    const buyers = await Promise.all(Array.from({ length: sizeOf('raceCallers') }, async () => await t.newUser()));
    const responses = await Promise.all(
      buyers.map(
        async (buyer) => await buyer.client.call(q.placeQuickCoinOrder, { quickCoinSn: sn, ...ORDER, num: 2 }),
      ),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(10);
    expect(new Set(responses.filter((a) => a.code !== 0).map((a) => a.code))).toEqual(new Set([codes.GOODS_STOCK[0]]));
    expect(await stockOf(sn)).toBe(0);
    expect(
      (await t.client().ok(q.getQuickCoinList, { gameId: COIN_GAME })).list.map((one) => one.quickCoinSn),
    ).not.toContain(sn);
  });
});

describe('the ratio', () => {
  test('is computed per area from offers and completed orders, and charted by day', async () => {
    await makeDue(t.ctx.db, 'quickCoin.ratio');
    await t.timers();
    const visitor = t.client();
    const { unit, list } = await visitor.ok(q.coinRatioHistory, { gameId: COIN_GAME, areaId: COIN_AREA });
    expect(unit).toBe('万金币');
    expect(list).toHaveLength(1);
    expect(list[0]?.typical).toBeCloseTo(52.6315, 3);
    expect(list[0]?.deals).toBe(1);
    const { ratio } = await visitor.ok(q.getQuickCoinList, { gameId: COIN_GAME, areaId: COIN_AREA });
    expect(ratio).toMatchObject({ typicalText: '1元=52.63万金币', lastDealText: '1元=52.63万金币' });
    expect((await visitor.ok(q.coinRatioHistory, { gameId: COIN_GAME, areaId: 1 })).list).toEqual([]);
  });

  test('an inactive shop is hidden until it returns', async () => {
    const own = await openedShop(t, reviewer);
    const sn = await offered(own);
    const found = async () => (await t.client().call(q.findQuickCoin, { quickCoinSn: sn })).code;
    await passTime(t.ctx.db, 'app_user', { id: own.id }, { days: 4 });
    await makeDue(t.ctx.db, 'quickCoin.away');
    await t.timers();
    expect(await found()).toBe(codes.GOODS_NOT_FOUND[0]);
    await own.client.ok(userInfo, {});
    await t.relay();
    expect(await found()).toBe(0);
  });
});
