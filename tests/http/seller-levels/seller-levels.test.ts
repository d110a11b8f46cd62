import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { cancelOrder, confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { sellerLevel } from '#subjects/seller-levels/contract/seller-level.ts';
import { login } from '#subjects/accounts/contract/user.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { nightlyPart, recount } from '#subjects/seller-levels/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
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

/** A seller who was verified long enough ago for the first levels. */
async function grownSeller(): Promise<TestUser> {
  const seller = await t.newUser({});
  await passTime(t.ctx.db, 'real_name', { user_id: seller.id }, { days: 40 });
  return seller;
}

const buyers = (count: number): Promise<TestUser[]> =>
  Promise.all(Array.from({ length: count }, () => t.newUser({ balanceFen: 2_000_000 })));

/** A sale from the shelf to the confirmation. Returns the order's id. */
async function sell(seller: TestUser, buyer: TestUser, priceFen: number): Promise<number> {
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  return orderId;
}

/** Ends the protection of a seller's sales, and what follows. */
async function protectionOver(seller: TestUser): Promise<void> {
  await sql`update hold set release_at = now() where user_id = ${seller.id} and released_at is null`.execute(t.ctx.db);
  await sql`update timer set due_at = now() where kind = 'hold.release'
    and ref in (select id::text from orders where seller_id = ${seller.id})`.execute(t.ctx.db);
  await t.timers();
  await t.relay();
}

async function soldTo(seller: TestUser, people: readonly TestUser[], priceFen: number): Promise<void> {
  for (const buyer of people) await sell(seller, buyer, priceFen);
  await protectionOver(seller);
}

const standing = (user: TestUser) => user.client.ok(sellerLevel, {});

describe('a level', () => {
  test('comes from released sales to different buyers, is announced, shown, and shortens the next hold', async () => {
    const [seller, people] = [await grownSeller(), await buyers(3)];
    expect(await standing(seller)).toMatchObject({ level: 0, levelName: '新手', holdHours: 168, sinceTime: null });
    for (const buyer of people) await sell(seller, buyer, 20_000);
    await t.relay();
    // Still protected: what may go back has not been sold for good.
    expect(await standing(seller)).toMatchObject({ level: 0, counted: { buyers: 0, amount: '0.00' } });
    await protectionOver(seller);
    const now = await standing(seller);
    expect(now).toMatchObject({
      level: 1,
      levelName: '普通',
      holdHours: 72,
      counted: { buyers: 3, orders: 3, amount: '600.00' },
    });
    expect(now.history).toMatchObject([{ fromName: '新手', toName: '普通', up: true }]);
    expect(now.ladder[2]?.needs.find(({ key }) => key === 'buyers')).toEqual({
      key: 'buyers',
      label: '不同买家',
      have: '3 位',
      need: '10 位',
      met: false,
    });
    expect(now.rules.join()).toContain('2,000.00 元；10.00 元以下的订单不计');
    const notices = await seller.client.ok(noticeList, {});
    expect(notices.list.map((n) => n.title)).toContain('卖家等级已升级');
    const orderId = await sell(seller, people[0] as TestUser, 20_000);
    const hold = await sql<{ hours: number }>`
      select extract(epoch from release_at - created_at)::int / 3600 as hours from hold where ref = ${String(orderId)}`.execute(
      t.ctx.db,
    );
    expect(hold.rows[0]?.hours).toBe(72);
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 5000 });
    expect((await t.client().ok(goodsInfo, { goodsSn: goods.sn })).seller).toMatchObject({
      level: 1,
      levelNote: '近期 3 位不同买家，申诉败诉 0 次',
    });
  });

  test('requires every condition exactly: amount, buyers and days', async () => {
    const [poor, few, young] = [await grownSeller(), await grownSeller(), await t.newUser({})];
    const people = await buyers(3);
    await sell(poor, people[0] as TestUser, 16_667);
    await soldTo(poor, people.slice(1), 16_666);
    expect(await standing(poor)).toMatchObject({ level: 0, counted: { buyers: 3, amount: '499.99' } });
    await soldTo(few, people.slice(1), 50_000);
    expect(await standing(few)).toMatchObject({ level: 0, counted: { buyers: 2 } });
    await soldTo(young, people, 20_000);
    expect(await standing(young)).toMatchObject({ level: 0, counted: { buyers: 3, days: 0 } });
    await passTime(t.ctx.db, 'real_name', { user_id: young.id }, { days: 7 });
    expect(await recount(t.ctx, young.id)).toBe(1);
    await sell(poor, people[0] as TestUser, 1000);
    await protectionOver(poor);
    expect(await standing(poor)).toMatchObject({ level: 1, counted: { amount: '509.99' } });
  });
});

describe('farming raises no level', () => {
  test('one buyer counts for two sales and a limited amount', async () => {
    const [seller, [one]] = [await grownSeller(), await buyers(1)];
    await soldTo(
      seller,
      Array.from({ length: 5 }, () => one as TestUser),
      150_000,
    );
    const { level, counted, leftOut } = await standing(seller);
    expect([level, counted.buyers, counted.orders, counted.amount]).toEqual([0, 1, 2, '2000.00']);
    expect(leftOut).toMatchObject([{ label: '同一买家多买', count: 3 }]);
  });

  test('tiny orders do not count', async () => {
    const seller = await grownSeller();
    await soldTo(seller, await buyers(6), 999);
    expect(await standing(seller)).toMatchObject({
      level: 0,
      counted: { buyers: 0 },
      leftOut: [{ label: '小额订单', count: 6 }],
    });
  });

  test('buyers with the same browser, bank account, invitation, or who sell back do not count', async () => {
    const seller = await grownSeller();
    const [device, bank, invited, friend] = (await buyers(4)) as [TestUser, TestUser, TestUser, TestUser];
    // The two log in on one browser; nothing else of it is the same any more.
    const [mine, theirs] = [await t.newUser({ password: 'abc12345' }), await t.newUser({ password: 'abc12345' })];
    const browser = t.client();
    for (const who of [mine, theirs]) await browser.ok(login, { username: who.phone, password: 'abc12345' });
    const met = await sql<{
      n: number;
    }>`select count(distinct browser_hash) as n from user_browser where user_id in (${mine.id}, ${theirs.id})`.execute(
      t.ctx.db,
    );
    expect(met.rows[0]?.n).toBe(1);
    await sql`insert into user_browser (user_id, browser_hash) values (${seller.id}, '\\x01'), (${device.id}, '\\x01')`.execute(
      t.ctx.db,
    );
    for (const [who, removed] of [
      [seller, true],
      [bank, false],
    ] as const)
      await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc, removed_at)
        values (${who.id}, 'alipay', '\\x00', '\\x77', 'a', '\\x00', ${removed ? new Date() : null})`.execute(t.ctx.db);
    await sql`update app_user set inviter_id = ${seller.id} where id = ${invited.id}`.execute(t.ctx.db);
    await t.fund(seller.id, 500_000);
    await sell(friend, seller, 20_000);
    await soldTo(seller, [device, bank, invited, friend], 100_000);
    expect(await standing(seller)).toMatchObject({
      level: 0,
      counted: { buyers: 0 },
      leftOut: [{ label: '有关联的买家', count: 4 }],
    });
  });
});

describe('a level falls', () => {
  test('after more than one cancelled sale; concurrent counts write one change', async () => {
    const [seller, people] = [await grownSeller(), await buyers(3)];
    await soldTo(seller, people, 20_000);
    expect((await standing(seller)).level).toBe(1);
    const cancelOne = async (): Promise<void> => {
      const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 5000 });
      const { orderId } = await (people[0] as TestUser).client.ok(placeOrder, { goodsSn: goods.sn });
      await (people[0] as TestUser).client.ok(balancePay, { orderId });
      await seller.client.ok(cancelOrder, { orderId });
      await t.relay();
    };
    await cancelOne();
    expect((await standing(seller)).level).toBe(1);
    await cancelOne();
    expect((await standing(seller)).level).toBe(0);
    await passTime(t.ctx.db, 'orders', { seller_id: seller.id, status: 8 }, { days: 181 });
    await Promise.all(Array.from({ length: 20 }, () => recount(t.ctx, seller.id)));
    const { level, history } = await standing(seller);
    expect([level, history.length]).toEqual([1, 3]);
  });

  test('at night when sales become too old, seller by seller', async () => {
    const [seller, people] = [await grownSeller(), await buyers(3)];
    await soldTo(seller, people, 20_000);
    expect(await standing(seller)).toMatchObject({ counted: { buyers: 3 } });
    await passTime(t.ctx.db, 'orders', { seller_id: seller.id }, { days: 181 });
    await nightlyPart(t.ctx, 0);
    expect(await standing(seller)).toMatchObject({ level: 0, counted: { buyers: 0 } });
    const next = await sql<{
      ref: string;
    }>`select ref from timer where kind = 'level.nightly' and due_at > now()`.execute(t.ctx.db);
    expect(next.rows).toEqual([{ ref: '' }]);
  });
});
