/** The page of one user in the back office, and the search over everything. */
import { sql } from 'kysely';
import { afterAll, assert, beforeAll, describe, expect, test } from 'vitest';
import { staffCounters, staffSearch } from '#subjects/back-office/contract/overview.ts';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import {
  personHead,
  personLinkMark,
  personLinks,
  personMoney,
  personNote,
  personOpenable,
  personOrders,
  personRecords,
  personSignOut,
  personUnmask,
} from '#subjects/back-office/contract/person.ts';
import { codes } from '#contract/codes.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { account, post, recordDebt } from '#subjects/ledger/server/service.ts';
import { payeeUsers } from '#subjects/verification/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { tie } from '#tests/support/market/links.ts';

let t: TestApp;
let admin: TestStaff;
let service: TestStaff;
let operator: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  admin = await t.newStaff({ role: 'admin' });
  service = await t.newStaff({ role: 'service' });
  operator = await t.newStaff({ role: 'operator', distId: 2 });
});
afterAll(async () => await t.close());

async function sale(): Promise<{ buyer: TestUser; seller: TestUser; orderSn: string; goodsSn: string }> {
  const seller = await t.newUser({ soldCount: 20, balanceFen: 12_345 });
  const buyer = await t.newUser({ balanceFen: 100_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 1, priceFen: 10_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  return { buyer, seller, orderSn, goodsSn: goods.sn };
}

const audits = async (act: string, staffId: number): Promise<{ target: string; detail: Record<string, unknown> }[]> =>
  (
    await sql<{ target: string; detail: Record<string, unknown> }>`
      select target, detail from audit_log where act = ${act} and staff_id = ${staffId} order by id`.execute(t.ctx.db)
  ).rows;

const fenOf = (yuan: string): number => Math.round(Number(yuan) * 100);

describe('a user of another site', () => {
  test('is not found by an operator, in every part of the page', async () => {
    const user = await t.newUser();
    const userId = String(user.id);
    for (const endpoint of [personHead, personMoney, personLinks, personRecords])
      expect((await operator.client.call(endpoint, { userId })).code).toBe(codes.NOT_FOUND[0]);
    expect((await operator.client.call(personOrders, { userId, side: 'sold' })).code).toBe(codes.NOT_FOUND[0]);
    expect((await operator.client.call(personNote, { userId, text: '看看' })).code).toBe(codes.NOT_FOUND[0]);
    expect((await admin.client.ok(personHead, { userId })).nickName).toBe(user.nickName);
  });

  test('is not among the users whose page an operator may open', async () => {
    const [own, other] = [await t.newUser(), await t.newUser()];
    await sql`update app_user set dist_id = 2 where id = ${own.id}`.execute(t.ctx.db);
    const userIds = [own, other].map(({ id }) => String(id));
    const openable = async (staff: TestStaff) =>
      (await staff.client.ok(personOpenable, { userIds: userIds.join(',') })).userIds.toSorted();
    expect(await openable(operator)).toEqual([String(own.id)]);
    expect(await openable(admin)).toEqual(userIds.toSorted());
    expect((await operator.client.call(personOpenable, { userIds: '1,x' })).code).toBe(codes.BAD_INPUT[0]);
  });

  test('is hidden from an operator among the linked users', async () => {
    const own = await t.newUser();
    const other = await t.newUser();
    await sql`update app_user set dist_id = 2 where id = ${own.id}`.execute(t.ctx.db);
    await tie(t, 'browser', own, other);
    expect((await operator.client.ok(personLinks, { userId: String(own.id) })).people).toEqual([]);
    expect((await admin.client.ok(personLinks, { userId: String(own.id) })).people).toHaveLength(1);
  });
});

describe('the money line', () => {
  test('adds up to the fen, for both parties of a sale', async () => {
    const { buyer, seller } = await sale();
    for (const [user, range] of [
      [buyer, '90'],
      [seller, '90'],
      [seller, 'all'],
    ] as const) {
      const money = await admin.client.ok(personMoney, { userId: String(user.id), range });
      const moved = money.line.parts.reduce((sum, part) => sum + fenOf(part.in) - fenOf(part.out), 0);
      const { balances } = money;
      assert(balances !== null);
      const parts = [balances.available, balances.frozen, balances.deposit, balances.maturing];
      expect(fenOf(money.line.opening) + moved).toBe(fenOf(money.line.closing));
      expect(parts.reduce((sum, yuan) => sum + fenOf(yuan), 0)).toBe(fenOf(money.line.closing));
      expect(fenOf(money.line.closing)).toBeGreaterThan(0);
      // Nobody had anything before: what they have came in by a transfer that the line names.
      expect(money.line.opening).toBe('0.00');
      expect(money.days.at(-1)?.balance).toBe((Number(balances.available) + Number(balances.frozen)).toFixed(2));
    }
  });

  test('A7: of a person on two sites shows an operator the movements of the own site only', async () => {
    const { seller } = await sale();
    const userId = String(seller.id);
    await t.ctx.db.transaction().execute(async (trx) => {
      const [debit, credit] = [account.clearing('alipay', 0), account.available(seller.id)];
      await post(trx, [{ code: 'topup', ref: `own-${userId}`, debit, credit, fen: 777, dist: 2 }]);
    });
    await sql`update app_user set dist_id = 2 where id = ${seller.id}`.execute(t.ctx.db);
    await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      values (${seller.id}, 'alipay', 'x', 'x', 'own***', 'x'), (${seller.id}, 'bank', 'x', 'y', 'rival***', 'x')`.execute(
      t.ctx.db,
    );
    await sql`insert into withdrawal (sn, dist_id, user_id, payout_account_id, amount_fen, fee_fen, status, paid_at)
      select 'W2' || id, case kind when 'alipay' then 2 else 1 end, user_id, id, case kind when 'alipay' then 111 else 222 end, 0, 2, now()
      from payout_account where user_id = ${seller.id}`.execute(t.ctx.db);
    await recordDebt(t.ctx.db, {
      debtor: { userId: seller.id },
      creditor: 'platform:guarantee_fund:0',
      fen: 100_000,
      code: 'ruled',
      reason: '裁决退款',
      ref: `rival-${userId}`,
      distId: 1,
    });
    const money = await operator.client.ok(personMoney, { userId, range: 'all' });
    expect(money.balances).toBeNull();
    expect(money.line).toMatchObject({ opening: '0.00', closing: '7.77' });
    expect(money.line.parts.map((part) => [part.in, part.out])).toEqual([['7.77', '0.00']]);
    expect(money.days.at(-1)).toMatchObject({ balance: '7.77', withdrawals: 1 });
    expect(money.payees.map(({ mask, paidNum, paid }) => [mask, paidNum, paid])).toEqual([['own***', 1, '1.11']]);
    expect(money.withdrawn).toMatchObject({ count: 1, amount: '1.11', accountMask: 'own***' });
    expect([money.debt, money.escrow.amount]).toEqual(['0.00', '0.00']);
    expect((await operator.client.ok(personHead, { userId })).debt).toBe('0.00');
    const whole = await admin.client.ok(personMoney, { userId, range: 'all' });
    expect([whole.payees.length, whole.withdrawn.count]).toEqual([2, 2]);
    expect(fenOf(whole.debt)).toBeGreaterThan(0);
    expect(fenOf(whole.line.closing)).toBeGreaterThan(777);
  });

  test('is hidden from customer service', async () => {
    const user = await t.newUser();
    expect((await service.client.call(personMoney, { userId: String(user.id) })).code).toBe(codes.FORBIDDEN[0]);
  });
});

describe('a masked field', () => {
  test('is revealed to permitted staff only, each time with an audit entry', async () => {
    const user = await t.newUser({ realName: '王小明' });
    const userId = String(user.id);
    expect((await service.client.call(personUnmask, { userId, field: 'phone' })).code).toBe(codes.FORBIDDEN[0]);
    expect((await admin.client.ok(personHead, { userId })).phoneMask).not.toBe(user.phone);
    expect((await admin.client.ok(personUnmask, { userId, field: 'phone' })).value).toBe(user.phone);
    expect((await admin.client.ok(personUnmask, { userId, field: 'realName' })).value).toBe('王小明');
    const entries = (await audits('user.unmask', admin.id)).filter(({ target }) => target === `user:${user.id}`);
    expect(entries.map(({ detail }) => detail['fields'])).toEqual(['手机号', '姓名']);
    expect(JSON.stringify(entries)).not.toContain(user.phone);
  });

  test('can be revealed sixty times an hour', async () => {
    const user = await t.newUser();
    const eager = await t.newStaff({ role: 'finance' });
    const answers = await Promise.all(
      Array.from({ length: 65 }, () => eager.client.call(personUnmask, { userId: String(user.id), field: 'phone' })),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(60);
    expect(answers.filter(({ code }) => code === codes.RATE_LIMITED[0])).toHaveLength(5);
  });
});

describe('links', () => {
  test('show the reason, and a mark dims them without changing a rule', async () => {
    const { buyer, seller } = await sale();
    await tie(t, 'browser', buyer, seller);
    const of = async () => await admin.client.ok(personLinks, { userId: String(seller.id) });
    const before = await of();
    expect(before.people.map(({ userId, sold }) => [userId, sold.orders])).toEqual([[String(buyer.id), 1]]);
    expect(before.reasons.map(({ kind, users, mark }) => [kind, users, mark.length])).toEqual([
      ['browser', [String(buyer.id)], 0],
    ]);
    const mark = {
      userId: String(seller.id),
      otherId: String(buyer.id),
      kind: 'browser',
      isUnrelated: '1',
      reason: '同住的家人',
    } as const;
    expect((await service.client.call(personLinkMark, mark)).code).toBe(codes.FORBIDDEN[0]);
    await admin.client.ok(personLinkMark, mark);
    expect((await of()).reasons[0]?.mark[0]).toMatchObject({ userId: String(buyer.id), reason: '同住的家人' });
    const { rows } = await sql<{ links: string[] }>`select user_links(${buyer.id}, ${seller.id}) as links`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.links).toEqual(['browser']);
    const wrong = await admin.client.call(personLinkMark, { ...mark, kind: 'payee' });
    expect(wrong.code).toBe(codes.BAD_INPUT[0]);
    await admin.client.ok(personLinkMark, { ...mark, isUnrelated: '0', reason: '看错了' });
    expect((await of()).reasons[0]?.mark).toEqual([]);
    expect(await audits('user.unrelate', admin.id)).toHaveLength(1);
    expect(await audits('user.relate', admin.id)).toHaveLength(1);
  });

  test('by a public network are ignored', async () => {
    const users = await Promise.all(Array.from({ length: 9 }, async () => await t.newUser()));
    for (const { id } of users)
      await sql`insert into user_network (user_id, network_hash) values (${id}, ${Buffer.from('a public network')})`.execute(
        t.ctx.db,
      );
    const links = await admin.client.ok(personLinks, { userId: String(users[0]?.id) });
    expect(links.people).toEqual([]);
    expect(links.publicNetworks).toBe(1);
  });
});

describe('the record', () => {
  test('a note is visible to colleagues, and sessions end immediately', async () => {
    const user = await t.newUser();
    const userId = String(user.id);
    await service.client.ok(personNote, { userId, text: '称朋友代卖，已提醒规则' });
    const records = await admin.client.ok(personRecords, { userId });
    expect(records.notes.map(({ text }) => text)).toEqual(['称朋友代卖，已提醒规则']);
    expect(records.actions?.map(({ actName }) => actName)).toContain('给用户加备注');
    expect((await service.client.ok(personRecords, { userId })).actions).toBeNull();
    expect(records.sessions.length).toBeGreaterThan(0);
    await admin.client.ok(personSignOut, { userId, reason: '用户反映被盗' });
    expect((await user.client.call(userInfo, {})).code).toBe(codes.LOGIN_REQUIRED[0]);
  });

  test('orders are listed by party with their figures', async () => {
    const { buyer, seller, orderSn } = await sale();
    const sold = await service.client.ok(personOrders, { userId: String(seller.id), side: 'sold' });
    expect(sold.list.map((o) => [o.orderSn, o.other.userId])).toEqual([[orderSn, String(buyer.id)]]);
    expect(sold.figures).toMatchObject({ orders: 1, done: 1, cancelled: 0, linked: 0 });
    expect((await service.client.ok(personOrders, { userId: String(seller.id), side: 'bought' })).list).toEqual([]);
  });
});

describe('the search', () => {
  const kinds = async (staff: TestStaff, q: string): Promise<string[]> =>
    (await staff.client.ok(staffSearch, { q })).groups.map(({ kind }) => kind);

  test('finds by each kind of number', async () => {
    const { buyer, seller, orderSn, goodsSn } = await sale();
    const location = (column: string): string => `payout_account.${column}:${seller.id}`;
    const account = `pay${seller.id}@example.com`;
    const { blindIndex } = await import('#server/kernel/secrets/crypto.ts');
    await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      values (${seller.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), account)}, ${blindIndex(t.ctx.keys, 'payout:alipay', account)},
        'p***', ${encrypt(t.ctx.keys, location('name_enc'), seller.realName)})`.execute(t.ctx.db);
    expect(await payeeUsers(t.ctx, account)).toHaveLength(1);
    const group = await sql<{
      id: number;
    }>`select g.id from chat_group g join orders o on o.id = g.order_id where o.sn = ${orderSn}`.execute(t.ctx.db);
    expect(await kinds(admin, orderSn)).toContain('order');
    expect(await kinds(admin, goodsSn)).toEqual(['goods']);
    expect(await kinds(admin, buyer.phone)).toEqual(['person']);
    expect(await kinds(admin, account)).toEqual(['payee']);
    expect(await kinds(admin, buyer.nickName.slice(0, 4))).toEqual(['person']);
    if (group.rows[0]) expect(await kinds(admin, String(group.rows[0].id).padStart(2, '0'))).toContain('group');
    expect(await kinds(admin, '没有这个人')).toEqual([]);
  });

  test('omits what the role or the site may not see, and records look-ups without the number', async () => {
    const { buyer, orderSn } = await sale();
    const reviewer = await t.newStaff({ role: 'reviewer' });
    expect(await kinds(reviewer, orderSn)).toEqual([]);
    expect(await kinds(operator, orderSn)).toEqual([]);
    expect(await kinds(operator, buyer.phone)).toEqual([]);
    const entries = await audits('user.lookup', operator.id);
    expect(entries.map(({ detail }) => [detail['byPhone'], detail['found']])).toContainEqual([true, []]);
    expect(JSON.stringify(entries)).not.toContain(buyer.phone);
  });
});

describe('the counters', () => {
  test('equal the lists, by site', async () => {
    const { orderSn } = await (async () => {
      const seller = await t.newUser();
      const buyer = await t.newUser({ balanceFen: 100_000 });
      const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 1, priceFen: 10_000 });
      const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
      await buyer.client.ok(balancePay, { orderId: order.orderId });
      return order;
    })();
    await sql`update orders set ship_by = now() - interval '5 minutes' where sn = ${orderSn}`.execute(t.ctx.db);
    const { queues } = await service.client.ok(staffCounters, {});
    const late = queues.find(({ key }) => key === 'late');
    const list = await service.client.ok(staffOrderList, { late: '1' });
    expect(late?.count).toBe(list.total);
    expect(late?.over).toBe(late?.count);
    expect(late?.nextTime).not.toBeNull();
  });

  test('count for each role only what it can act on', async () => {
    const keysOf = async (who: TestStaff) => (await who.client.ok(staffCounters, {})).queues.map(({ key }) => key);
    // Operators read orders, disputes and reports of their brand, and decide none of them.
    expect(await keysOf(operator)).toEqual(['adverts', 'business']);
    expect(await keysOf(service)).toEqual(['chat', 'late', 'cancel', 'disputes', 'claims', 'inspections', 'second']);
    const finance = await t.newStaff({ role: 'finance' });
    expect(await keysOf(finance)).toEqual(['claims', 'withdrawals', 'pendingTransfers', 'second']);
    const reviewer = await t.newStaff({ role: 'reviewer' });
    expect(await keysOf(reviewer)).toEqual([
      'goods',
      'providers',
      'inspections',
      'second',
      'black',
      'goodsReports',
      'reviewReports',
    ]);
  });

  test('count a request of a colleague at the page where it is decided, and not for the colleague', async () => {
    const [asking, deciding] = [await t.newStaff({ role: 'admin' }), await t.newStaff({ role: 'admin' })] as const;
    const idOf = sql`(select id from staff where im_uid = ${asking.imUid})`;
    for (const [act, target] of [
      ['setting.change', 'setting:fees'],
      ['claim.pay', 'claim:C000000000001'],
      ['claim.pay', 'claim:C000000000002'],
    ])
      await sql`insert into approval (act, target, reason, asked_by, payload, expires_at)
        values (${act}, ${target}, '核实无误', ${idOf}, '{}', now() + interval '1 day')`.execute(t.ctx.db);
    const countsOf = async (who: TestStaff) =>
      Object.fromEntries(
        (await who.client.ok(staffCounters, {})).queues
          .filter(({ key }) => key.startsWith('second'))
          .map(({ name, menu, count }) => [name, [menu, count]]),
      );
    expect(await countsOf(deciding)).toEqual({
      '待复核：交易设置': ['/backstage/settings', 1],
      '待复核：理赔': ['/backstage/claims', 2],
    });
    expect(await countsOf(asking)).toEqual({ 待第二人复核: ['/backstage/orders', 0] });
    await sql`update approval set status = 'withdrawn' where asked_by = ${idOf}`.execute(t.ctx.db);
  });

  test('leave out the adverts that the caller wrote, which a colleague approves', async () => {
    const editors = [await t.newStaff({ role: 'content' }), await t.newStaff({ role: 'content' })] as const;
    await sql`insert into advert (position, title, ht_url, starts_at, ends_at, created_by)
      values ('home_notice', '周末活动', '/news/weekend', now(), now() + interval '1 day', (select id from staff where im_uid = ${editors[0].imUid}))`.execute(
      t.ctx.db,
    );
    const waiting = async (who: TestStaff) =>
      (await who.client.ok(staffCounters, {})).queues.find(({ key }) => key === 'adverts')?.count;
    expect(await waiting(editors[0])).toBe(0);
    expect(await waiting(editors[1])).toBe(1);
  });

  test('count the distributor’s rows for its own staff', async () => {
    const own = await t.newStaff({ role: 'service', distId: 2 });
    expect((await own.client.ok(staffCounters, {})).queues.find(({ key }) => key === 'late')?.count).toBe(0);
  });
});
