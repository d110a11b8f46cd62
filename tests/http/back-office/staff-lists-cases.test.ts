/** Lists of disputes and of the ledger, and what every list offers beside its rows: figures of views, all rows of a filter, names by a part. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { staffDisputeList, staffDisputeTake } from '#subjects/disputes/contract/staff-disputes.ts';
import { staffListing } from '#subjects/goods/contract/staff-listings.ts';
import * as c from '#subjects/back-office/contract/lists.ts';
import { staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import { staffWithdrawList, transferList } from '#subjects/payments/contract/staff-money.ts';
import { codes } from '#contract/codes.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

let court: Court;
let t: Court['t'];
let admin: TestStaff;
let moon: TestStaff;
let moonId: number;

beforeAll(async () => {
  court = await openCourt();
  ({ t } = court);
  admin = await t.newStaff({ role: 'admin' });
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}') on conflict do nothing`.execute(
    t.ctx.db,
  );
  const { rows } = await sql<{ id: number }>`select id from distributor where code = 'moon'`.execute(t.ctx.db);
  moonId = rows[0]?.id ?? 0;
  moon = await t.newStaff({ role: 'operator', distId: moonId });
});
afterAll(async () => await t.close());

describe('disputes', () => {
  test('are filtered and sorted, with links to both parties; a brand sees none of another', async () => {
    const d = await court.trade('shipped');
    const disputeSn = await court.opened(d);
    const { list, sum, total } = await admin.client.ok(staffDisputeList, {
      active: '1',
      sort: 'deadline',
      goodsPrice: '50~',
      openTime: 'today',
    });
    const mine = list.find((row) => row.disputeSn === disputeSn);
    expect(mine).toMatchObject({
      buyerId: String(d.buyer.id),
      sellerId: String(d.seller.id),
      status: 'open',
      orderSn: d.orderSn,
    });
    expect(total).toBe(list.length);
    expect(Number(sum)).toBe(list.reduce((all, row) => all + Number(row.goodsPrice), 0));
    const limits = list.map(({ deadline }) => Date.parse(deadline ?? '9999-12-31'));
    expect(limits).toEqual(limits.toSorted((a, b) => a - b));
    expect(
      (await admin.client.ok(staffDisputeList, { status: 'closed' })).list.map((row) => row.disputeSn),
    ).not.toContain(disputeSn);
    expect((await moon.client.ok(staffDisputeList, {})).total).toBe(0);
  });

  test('several are taken together; each that the caller may not take is rejected with its reason', async () => {
    const [a, b] = [await court.opened(await court.trade('paid')), await court.opened(await court.trade('paid'))];
    const colleague = await t.newStaff({ role: 'service' });
    const claimed = await colleague.client.ok(staffDisputeTake, {
      disputeSns: JSON.stringify([a, b, a, 'DS000000000000']),
    });
    expect(claimed.done).toEqual([a, b]);
    expect(claimed.refused).toEqual([{ key: 'DS000000000000', text: codes.DISPUTE_NOT_FOUND[2] }]);
    const { list } = await colleague.client.ok(staffDisputeList, { mine: '1' });
    expect(list.map((row) => row.disputeSn).toSorted()).toEqual([a, b].toSorted());
    const theirs = await t.newStaff({ role: 'service', distId: moonId });
    const rejected = await theirs.client.ok(staffDisputeTake, { disputeSns: JSON.stringify([a]) });
    expect(rejected.done).toEqual([]);
  });
});

describe('the ledger', () => {
  test('shows a user’s transfers by number and phone, with links to the users, and audits the look-up', async () => {
    const d = await court.trade('shipped');
    const byOrder = await admin.client.ok(transferList, { keyWord: d.orderSn });
    expect(byOrder.list.length).toBeGreaterThan(0);
    expect(byOrder.list.every(({ orderSn }) => orderSn === d.orderSn)).toBe(true);
    const byPhone = await admin.client.ok(transferList, { keyWord: d.buyer.phone });
    const byNumber = await admin.client.ok(transferList, { keyWord: String(d.buyer.id) });
    expect(byPhone.list).toEqual(byNumber.list);
    const id = String(d.buyer.id);
    expect(byNumber.list.every(({ fromUserId, toUserId }) => fromUserId === id || toUserId === id)).toBe(true);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit_log where act = 'user.search' and detail->>'list' = 'transfer' and staff_id = ${admin.id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(2);
    const kinds = await admin.client.ok(transferList, { group: 'topup', time: 'today' });
    expect(new Set(kinds.list.map(({ groupName }) => groupName))).toEqual(
      new Set(kinds.list.length > 0 ? ['充值'] : []),
    );
  });
});

describe('additions to the rows', () => {
  test('views are counted by their filters, per caller; one that names a user is not', async () => {
    await court.opened(await court.trade('paid'));
    const queries = JSON.stringify(['', 'active=1&sort=deadline', 'status=closed', 'keyWord=1', 'status=nonsense']);
    const { counts } = await admin.client.ok(c.listCounts, { list: 'disputes', queries });
    const total = async (query: object) => (await admin.client.ok(staffDisputeList, query)).total;
    expect(counts).toEqual([
      { total: await total({}), totalCapped: false },
      { total: await total({ active: '1' }), totalCapped: false },
      { total: await total({ status: 'closed' }), totalCapped: false },
      null,
      null,
    ]);
    const own = await moon.client.ok(c.listCounts, { list: 'disputes', queries: '[""]' });
    expect(own.counts).toEqual([{ total: 0, totalCapped: false }]);
    const rejected = await moon.client.call(c.listCounts, { list: 'transfers', queries: '[""]' });
    expect(rejected.code).toBe(codes.FORBIDDEN[0]);
  });

  test('all rows of a filter are selected by their keys, up to a limit, without hidden rows', async () => {
    const query = JSON.stringify({ active: '1', sort: '-openTime' });
    const { keys, more } = await admin.client.ok(c.listKeys, { list: 'disputes', query });
    const { list } = await admin.client.ok(staffDisputeList, { active: '1', pageSize: 50 });
    expect([keys, more]).toEqual([list.map(({ disputeSn }) => disputeSn), false]);
    expect((await moon.client.ok(c.listKeys, { list: 'disputes', query })).keys).toEqual([]);
    const people = c.MAX_BULK_ROWS + 1;
    await sql`insert into app_user (phone_enc, phone_hash, phone_mask, union_num, invite_code, nick_name, dist_id)
      select '\\x00', decode(md5('many' || i), 'hex'), '138****0000', 'U' || (7000000 + i), 'many' || i, '许多人' || i, 1 from generate_series(1, ${people}) i`.execute(
      t.ctx.db,
    );
    const many = await admin.client.ok(c.listKeys, { list: 'users', query: JSON.stringify({ keyWord: '许多人' }) });
    expect([many.keys.length, many.more]).toEqual([c.MAX_BULK_ROWS, true]);
    const wrong = await admin.client.call(c.listKeys, { list: 'disputes', query: JSON.stringify({ status: 'x' }) });
    expect(wrong.code).toBe(codes.BAD_INPUT[0]);
  });

  test('users are found by any part of a name, in all lists that search names, and by an index', async () => {
    const person = await t.newUser({ nickName: '晚风杂货铺' });
    const other = await t.newUser({ nickName: '杂%货' });
    for (const { id } of [person, other])
      await sql`insert into hold (user_id, amount_fen, code, reason, ref) values (${id}, 100, 'staff_freeze', '测试', ${`n${id}`})`.execute(
        t.ctx.db,
      );
    const found = async (keyWord: string) =>
      (await admin.client.ok(adminQueryUserList, { keyWord })).list.map(({ userId }) => userId);
    for (const part of ['杂货', '货铺', '风杂货', '晚风杂货铺', '晚'])
      expect(await found(part), part).toContain(String(person.id));
    expect(await found('杂铺')).not.toContain(String(person.id));
    // A wildcard means itself.
    expect(await found('杂%')).toEqual([String(other.id)]);
    const holds = await admin.client.ok(staffHoldList, { keyWord: '杂货铺' });
    expect(holds.list.map(({ userId }) => userId)).toEqual([String(person.id)]);
    expect((await admin.client.ok(staffWithdrawList, { keyWord: '杂货铺' })).total).toBe(0);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from app_user where name_parts(nick_name) @> name_parts('货铺')`.execute(t.ctx.db);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('app_user_name_parts');
  });

  test('a listing is shown in any state, to those who may see it', async () => {
    const seller = await t.newUser({});
    const goods = await addGoods(t.ctx, { sellerId: seller.id, status: 3 });
    const listing = await admin.client.ok(staffListing, { goodsSn: goods.sn });
    expect(listing).toMatchObject({ goodsSn: goods.sn, seller: { sellerId: String(seller.id) } });
    const reviewer = await t.newStaff({ role: 'reviewer', distId: moonId });
    expect((await reviewer.client.call(staffListing, { goodsSn: goods.sn })).code).toBe(codes.GOODS_NOT_FOUND[0]);
  });
});
