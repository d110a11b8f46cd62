import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRecordList, depositRelease, getDepositConf } from '#subjects/deposits/contract/deposit.ts';
import { cancelOrder, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, bill, sandboxPress } from '#subjects/payments/contract/pay.ts';
import { newSellerLimits } from '#subjects/goods/server/selling/release.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const balances = async (user: TestUser) => await loadBalances(t.ctx.db, user.id);
const ofRole = async (user: TestUser, role = 'seller') =>
  (await user.client.ok(getDepositConf, {})).roles.find((r) => r.role === role);

/** Moves a waiting release's end to now and runs it. */
async function comeDue(user: TestUser): Promise<void> {
  await passTime(t.ctx.db, 'deposit_release', { user_id: user.id, status: 'waiting' }, { until: 'release_at' });
  await makeDue(t.ctx.db, 'deposit.release');
  await t.timers();
}

describe('paying', () => {
  test('from the balance up to a level, then only the difference to the next', async () => {
    const user = await t.newUser({ balanceFen: 250_000 });
    const conf = await ofRole(user);
    expect(conf).toMatchObject({ level: 0, paid: '0.00', releaseDays: 7 });
    expect(conf?.levels.map((l) => [l.amount, l.missing, l.reached])).toEqual([
      ['500.00', '500.00', false],
      ['2000.00', '2000.00', false],
    ]);
    expect(await user.client.ok(depositPay, { role: 'seller', level: 1 })).toMatchObject({
      status: 1,
      amount: '500.00',
    });
    expect(await user.client.ok(depositPay, { role: 'seller', level: 2 })).toMatchObject({
      status: 1,
      amount: '1500.00',
    });
    expect(await balances(user)).toMatchObject({ availableFen: 50_000, depositFen: 200_000 });
    expect(await ofRole(user)).toMatchObject({ level: 2, paid: '2000.00' });
    const again = await user.client.call(depositPay, { role: 'seller', level: 1 });
    expect([again.status, again.code]).toEqual([409, codes.DEPOSIT_REACHED[0]]);
    expect((await user.client.ok(bill, { account: 'deposit' })).list.map((l) => l.amount)).toEqual([
      '1500.00',
      '500.00',
    ]);
  });

  test('twenty concurrent requests pay once; a low balance, an unknown level and a minor are rejected', async () => {
    const user = await t.newUser({ balanceFen: 500_000 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => user.client.call(depositPay, { role: 'shop', level: 1 })),
    );
    expect(responses.filter((p) => p.code === 0)).toHaveLength(1);
    expect(await balances(user)).toMatchObject({ availableFen: 400_000, depositFen: 100_000 });
    expect((await user.client.call(depositPay, { role: 'recycler', level: 1 })).code).toBe(codes.BALANCE_LOW[0]);
    expect((await user.client.call(depositPay, { role: 'seller', level: 7 })).code).toBe(codes.BAD_INPUT[0]);
    const young = await t.newUser({ balanceFen: 100_000, birthDate: '20150101' });
    expect((await young.client.call(depositPay, { role: 'seller', level: 1 })).code).toBe(codes.REAL_NAME_MINOR[0]);
    // Roles are apart: the shop's deposit is nothing for the seller.
    expect(await ofRole(user, 'seller')).toMatchObject({ level: 0, paid: '0.00' });
  });

  test('by a channel: the money reaches the balance and the deposit once, however often it is notified', async () => {
    const user = await t.newUser();
    const { status, payment } = await user.client.ok(depositPay, { role: 'seller', level: 1, payWay: 'channel' });
    expect([status, payment?.amount]).toEqual([0, '500.00']);
    await t.client().ok(sandboxPress, { payRand: payment?.payRand ?? '', act: 'pay' });
    await t.relay();
    await sql`insert into outbox (topic, payload) select 'payment.paid', jsonb_build_object('paymentId', id) from payment where purpose = 'deposit'`.execute(
      t.ctx.db,
    );
    await t.relay();
    expect(await balances(user)).toEqual({ availableFen: 0, frozenFen: 0, depositFen: 50_000 });
    expect((await user.client.ok(bill, {})).list.map((l) => [l.code, l.amount])).toEqual([
      ['deposit_in', '-500.00'],
      ['topup', '500.00'],
    ]);
  });

  test('if the level was reached meanwhile, the channel’s money stays in the balance', async () => {
    const user = await t.newUser({ balanceFen: 50_000 });
    const { payment } = await user.client.ok(depositPay, { role: 'seller', level: 1, payWay: 'channel' });
    await user.client.ok(depositPay, { role: 'seller', level: 1 });
    await t.client().ok(sandboxPress, { payRand: payment?.payRand ?? '', act: 'pay' });
    await t.relay();
    expect(await balances(user)).toEqual({ availableFen: 50_000, frozenFen: 0, depositFen: 50_000 });
  });
});

describe('what a deposit does', () => {
  test('a new seller may list more with a deposit, until its return is requested', async () => {
    const user = await t.newUser({ balanceFen: 100_000 });
    const limit = async () => (await newSellerLimits(t.ctx, t.ctx.db, user.id))?.count;
    expect(await limit()).toBe(10);
    await user.client.ok(depositPay, { role: 'seller', level: 1 });
    expect(await limit()).toBe(50);
    await user.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    expect(await limit()).toBe(10);
    await user.client.ok(depositRelease, { role: 'seller', act: 'cancel' });
    expect(await limit()).toBe(50);
  });

  test('a seller who cancels a paid order compensates the buyer by rule 8.1, once, up to the deposit', async () => {
    const [seller, buyer] = [await t.newUser({ balanceFen: 50_000 }), await t.newUser({ balanceFen: 900_000 })];
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 100_000 });
    const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(balancePay, { orderId: order.orderId });
    await seller.client.ok(cancelOrder, { orderId: order.orderId });
    await t.relay();
    await sql`insert into outbox (topic, payload) values ('order.sellerCancelled', ${JSON.stringify({ orderId: order.orderId })}::jsonb)`.execute(
      t.ctx.db,
    );
    await t.relay();
    expect((await balances(seller)).depositFen).toBe(48_000);
    expect((await balances(buyer)).availableFen).toBe(902_000);
    expect((await seller.client.ok(depositRecordList, {})).list[0]).toMatchObject({
      kindName: '扣除',
      amount: '-20.00',
      ruleNo: '8.1',
      orderSn: order.orderSn,
    });
    expect(await ofRole(seller)).toMatchObject({ level: 0, paid: '480.00' });
    const bare = await t.newUser();
    const other = await addGoods(t.ctx, { sellerId: bare.id });
    const second = await buyer.client.ok(placeOrder, { goodsSn: other.sn });
    await buyer.client.ok(balancePay, { orderId: second.orderId });
    await bare.client.ok(cancelOrder, { orderId: second.orderId });
    await t.relay();
    expect((await balances(buyer)).availableFen).toBe(902_000);
  });
});

describe('returning', () => {
  test('is paid once after the waiting period; before it the request can be withdrawn', async () => {
    const user = await t.newUser({ balanceFen: 50_000, payPassword: '385714' });
    await user.client.ok(depositPay, { role: 'seller', level: 1, payPassword: '385714' });
    expect((await user.client.call(depositRelease, { role: 'shop', act: 'ask' })).code).toBe(codes.DEPOSIT_NONE[0]);
    const requested = await user.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    expect(requested).toMatchObject({ amount: '500.00', status: 'waiting', statusName: '等待退还' });
    const days = (Date.parse(requested.releaseTime) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const twice = await Promise.all(
      Array.from({ length: 5 }, () => user.client.call(depositRelease, { role: 'seller', act: 'ask' })),
    );
    expect(new Set(twice.map((a) => a.code))).toEqual(new Set([codes.DEPOSIT_RELEASING[0]]));
    expect((await user.client.call(depositPay, { role: 'seller', level: 2 })).code).toBe(codes.DEPOSIT_RELEASING[0]);
    await makeDue(t.ctx.db, 'deposit.release');
    await t.timers();
    expect((await balances(user)).depositFen).toBe(50_000);
    // A timer that came too early is set again, to the very moment.
    const { rows } = await sql<{ left: string }>`
      select r.release_at - t.due_at as left from deposit_release r join timer t on t.kind = 'deposit.release' and t.ref = r.id::text
      where r.user_id = ${user.id} and r.status = 'waiting'`.execute(t.ctx.db);
    expect(rows.map(({ left }) => JSON.stringify(left))).toEqual(['{}']);
    await user.client.ok(depositRelease, { role: 'seller', act: 'cancel' });
    expect((await user.client.call(depositRelease, { role: 'seller', act: 'cancel' })).code).toBe(
      codes.DEPOSIT_NO_RELEASE[0],
    );
    await user.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    await comeDue(user);
    await comeDue(user);
    expect(await balances(user)).toEqual({ availableFen: 50_000, frozenFen: 0, depositFen: 0 });
    expect((await user.client.ok(depositRecordList, {})).list.map((r) => [r.kindName, r.amount])).toEqual([
      ['退还', '-500.00'],
      ['缴纳', '500.00'],
    ]);
  });

  test('is delayed with a reason while an order is open; a penalty meanwhile reduces it', async () => {
    const [seller, buyer] = [await t.newUser({ balanceFen: 50_000 }), await t.newUser({ balanceFen: 90_000 })];
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(balancePay, { orderId: order.orderId });
    await seller.client.ok(offlineTranSub, { orderId: order.orderId });
    await seller.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    await comeDue(seller);
    expect((await ofRole(seller))?.release?.reason).toBe('1 笔订单未完结，处理完后自动退还');
    expect((await balances(seller)).depositFen).toBe(50_000);
    await seller.client.ok(cancelOrder, { orderId: order.orderId });
    await t.relay();
    await comeDue(seller);
    expect(await balances(seller)).toEqual({ availableFen: 49_500, frozenFen: 0, depositFen: 0 });
    expect((await ofRole(seller))?.release).toBeNull();
  });
});
