/** Declared lists of the back office, by the list of orders: paging, filters, views, exports, acts on several rows. */
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { staffClaimList } from '#subjects/guarantees/contract/staff-claims.ts';
import { staffDisputeList } from '#subjects/disputes/contract/staff-disputes.ts';
import { staffGoodsList, staffTakeDown } from '#subjects/goods/contract/staff-listings.ts';
import * as c from '#subjects/back-office/contract/lists.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import { staffWithdrawList, transferList } from '#subjects/payments/contract/staff-money.ts';
import { staffOrderBulk, staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import { settlementList } from '#subjects/promotions/contract/staff-campaigns.ts';
import { codes } from '#contract/codes.ts';
import type { Input } from '#contract/endpoint.ts';
import { auditRows } from '#subjects/back-office/contract/list-audit.ts';
import { claimList } from '#subjects/guarantees/contract/list-claims.ts';
import { disputeList } from '#subjects/disputes/contract/list-cases.ts';
import { goodsList } from '#subjects/goods/contract/list-goods.ts';
import { settlementRows, transferRows } from '#subjects/ledger/contract/list-ledger.ts';
import { holdList } from '#subjects/ledger/contract/list-holds.ts';
import { withdrawalList } from '#subjects/payments/contract/list-money.ts';
import { userList } from '#subjects/accounts/contract/list-users.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { assign } from '#tests/support/orders/orders.ts';

let t: TestApp;
let seller: TestUser;
let admin: TestStaff;
let service: TestStaff;
let moon: TestStaff;
const COLUMNS = JSON.stringify(['orderSn', 'bigTitle', 'totalPrice', 'createTime']);

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx, { handover: true });
  seller = await t.newUser({ soldCount: 9 });
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  admin = await t.newStaff({ role: 'admin' });
  service = await t.newStaff({ role: 'service' });
  moon = await t.newStaff({ role: 'operator', distId: 2 });
});
afterAll(async () => await t.close());

/** A paid order of an item; the buyer is new. */
async function paid(priceFen = 10_000, title?: string) {
  const buyer = await t.newUser({ balanceFen: priceFen * 3 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen });
  if (title !== undefined) await sql`update goods set title = ${title} where id = ${goods.id}`.execute(t.ctx.db);
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  return { ...order, buyer };
}

/** Every page of a list behind one another. */
async function walk(query: Record<string, string>, between?: () => Promise<unknown>): Promise<string[]> {
  const sns: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await admin.client.ok(staffOrderList, { ...query, pageSize: 2, ...(cursor && { cursor }) });
    sns.push(...page.list.map((order) => order.orderSn));
    cursor = page.next;
    await between?.();
  } while (cursor !== null);
  return sns;
}

describe('paging', () => {
  test('returns each row once in every order, with equal keys and rows that arrive meanwhile', async () => {
    const before = await Promise.all([paid(), paid(), paid(), paid(), paid()]);
    await sql`update orders set created_at = date_trunc('hour', now())`.execute(t.ctx.db);
    for (const key of ['createTime', 'deadline', 'totalPrice']) {
      for (const sort of [key, `-${key}`]) {
        let left = 1;
        const seen = await walk({ sort }, async () => left-- > 0 && (await paid()));
        expect(new Set(seen).size, sort).toBe(seen.length);
        expect(seen, sort).toEqual(expect.arrayContaining(before.map(({ orderSn }) => orderSn)));
      }
    }
    const [down, up] = [await walk({ sort: '-totalPrice' }), await walk({ sort: 'totalPrice' })];
    expect(up).toEqual(down.toReversed());
  });

  test('filters, count and sum agree; unknown filters are rejected', async () => {
    await paid(77_700);
    const { list, total, sum } = await admin.client.ok(staffOrderList, {
      totalPrice: '700~',
      createTime: 'today',
      status: '1,2',
    });
    expect(list.map(({ totalPrice }) => Number(totalPrice) >= 700)).toEqual(list.map(() => true));
    expect([total, Number(sum)]).toEqual([
      list.length,
      list.reduce((all, { totalPrice }) => all + Number(totalPrice), 0),
    ]);
    expect((await admin.client.ok(staffOrderList, { createTime: '2020-01-01~2020-01-02' })).total).toBe(0);
    for (const input of [
      { sort: 'staff' },
      { createTime: '2026-02-30~' },
      { status: '77' },
      { totalPrice: '5~1' },
      { cursor: 'WzEsMl0x' },
    ])
      expect(
        (await admin.client.call(staffOrderList, input as Input<typeof staffOrderList>)).code,
        JSON.stringify(input),
      ).toBe(codes.BAD_INPUT[0]);
  });

  test('new rows are counted from the time of reading', async () => {
    const { now } = await admin.client.ok(staffOrderList, {});
    await paid();
    const { total } = await admin.client.ok(staffOrderList, { newerThan: now, pageSize: 1 });
    expect(total).toBeGreaterThan(0);
  });
});

const download = async (staff: TestStaff, exportId: number) =>
  await staff.client.raw({ method: 'GET', url: `${c.LIST_EXPORT_PATH}?exportId=${exportId}` });

describe('exports', () => {
  /** The bytes of an export. */
  async function file(staff: TestStaff, input: { format: 'csv' | 'xlsx'; query?: string; columns?: string }) {
    const started = await staff.client.ok(c.startListExport, { list: 'orders', columns: COLUMNS, ...input });
    const response = await download(staff, started.exportId);
    return { ...started, response, bytes: new Uint8Array(response.rawPayload) };
  }

  test('the file contains the list, in its order, and is downloaded once by its requester', async () => {
    await paid(10_000, '=HYPERLINK("http://a")');
    const { exportId, bytes, response, total } = await file(admin, {
      format: 'csv',
      query: '{"sort":"totalPrice","status":"1"}',
    });
    expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
    expect(lines[0]).toBe('订单,商品,实付,下单时间');
    expect(lines.slice(1).map((line) => line.split('\t')[0])).toEqual(await walk({ sort: 'totalPrice', status: '1' }));
    expect(lines.length - 1).toBe(total);
    // The formula of a title is text.
    expect(lines.some((line) => line.includes(`"'=HYPERLINK(""http://a"")"`))).toBe(true);
    expect(response.headers['content-disposition']).toContain('attachment');
    expect(await admin.client.ok(c.listExportState, { exportId })).toEqual({ written: total, ended: true });
    expect((await download(admin, exportId)).statusCode).toBe(404);
    expect((await service.client.call(c.listExportState, { exportId })).code).toBe(codes.NOT_FOUND[0]);
  });

  test('a workbook has the same rows, with text that is never evaluated', async () => {
    const { bytes, total } = await file(admin, { format: 'xlsx' });
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet.match(/<row r=/g)?.length).toBe(total + 1);
    expect(sheet).toContain('=HYPERLINK("http://a")</t>');
    expect(sheet).not.toContain('<f>');
    expect(sheet.endsWith('</worksheet>')).toBe(true);
  });

  test('a brand exports only its own rows; each export is audited; others’ cannot be downloaded', async () => {
    const { total, bytes } = await file(moon, { format: 'csv' });
    expect([total, new TextDecoder().decode(bytes).trimEnd().split('\r\n').length]).toEqual([0, 1]);
    const { rows } = await sql<{ rows: number }>`
      select (detail->>'rows')::int as rows from audit_log where act = 'list.export' and staff_id = ${moon.id}`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([{ rows: 0 }]);
    const { exportId } = await admin.client.ok(c.startListExport, { list: 'orders', format: 'csv', columns: COLUMNS });
    expect((await download(moon, exportId)).statusCode).toBe(404);
    const reviewer = await t.newStaff({ role: 'reviewer' });
    const rejected = await reviewer.client.call(c.startListExport, { list: 'orders', format: 'csv', columns: COLUMNS });
    expect(rejected.code).toBe(codes.FORBIDDEN[0]);
    const unknown = await admin.client.call(c.startListExport, {
      list: 'orders',
      format: 'csv',
      columns: '["password"]',
    });
    expect(unknown.code).toBe(codes.BAD_INPUT[0]);
  });
});

describe('views and columns', () => {
  const view = { list: 'orders', query: 'status=1%2C2' } as const;

  test('own views and those of colleagues of the same brand are listed; only the author changes one', async () => {
    const { viewId } = await admin.client.ok(c.saveListView, { ...view, name: '本周待交付', shared: '1' });
    await admin.client.ok(c.saveListView, { ...view, name: '自己看' });
    const seen = async (staff: TestStaff) =>
      (await staff.client.ok(c.listSetup, { list: 'orders' })).views.map(({ name, isMine }) => [name, isMine]);
    expect(await seen(admin)).toEqual([
      ['本周待交付', true],
      ['自己看', true],
    ]);
    expect(await seen(service)).toEqual([['本周待交付', false]]);
    expect(await seen(moon)).toEqual([]);
    expect((await service.client.call(c.removeListView, { viewId })).code).toBe(codes.NOT_FOUND[0]);
    expect((await service.client.call(c.saveListView, { ...view, viewId, name: '别人的' })).code).toBe(
      codes.NOT_FOUND[0],
    );
    const twice = await admin.client.call(c.saveListView, { ...view, viewId, name: '自己看' });
    expect([twice.code, twice.field]).toEqual([codes.BAD_INPUT[0], 'name']);
    await admin.client.ok(c.removeListView, { viewId });
    expect(await seen(service)).toEqual([]);
  });

  test('are stored once for concurrent saves under one name', async () => {
    const saves = await Promise.all(
      Array.from({ length: 5 }, () => service.client.call(c.saveListView, { ...view, name: '同名' })),
    );
    expect(saves.filter(({ code }) => code === 0).length).toBe(1);
  });

  test('chosen columns are saved per person', async () => {
    await service.client.ok(c.saveListColumns, { list: 'orders', columns: '["orderSn"]' });
    await service.client.ok(c.saveListColumns, { list: 'orders', columns: COLUMNS });
    expect((await service.client.ok(c.listSetup, { list: 'orders' })).columns).toEqual(JSON.parse(COLUMNS));
    expect((await admin.client.ok(c.listSetup, { list: 'orders' })).columns).toBeNull();
  });
});

describe('actions on several orders', () => {
  test('possible ones are done, each of the others is rejected with its reason', async () => {
    const [mine, others] = [await paid(), await paid()];
    await assign(t, mine.orderId, service);
    await assign(t, others.orderId, admin);
    const orderSns = JSON.stringify([mine.orderSn, others.orderSn, '26000000000000']);
    const { done, refused } = await service.client.ok(staffOrderBulk, { orderSns, act: 'remind' });
    expect(done).toEqual([mine.orderSn]);
    expect(refused).toEqual([
      { key: others.orderSn, text: '只有负责本单的客服可以催' },
      { key: '26000000000000', text: codes.ORDER_NOT_FOUND[2] },
    ]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from chat_message where content->>'card' = 'order.remind'`.execute(t.ctx.db);
    expect(rows[0]?.n).toBe(1);
  });

  test('send one of several concurrent reminders of one order', async () => {
    const { orderSn, orderId } = await paid();
    await assign(t, orderId, service);
    const input = { orderSns: JSON.stringify([orderSn]), act: 'remind' as const };
    const all = await Promise.all(Array.from({ length: 5 }, () => service.client.ok(staffOrderBulk, input)));
    expect(all.filter(({ done }) => done.length > 0).length).toBe(1);
  });

  test('orders are handed over to a colleague with their group; staff of another brand are rejected', async () => {
    const { orderSn, orderId } = await paid();
    await assign(t, orderId, admin);
    const colleague = await t.newStaff({ role: 'service' });
    const input = { orderSns: JSON.stringify([orderSn]), act: 'assign' as const, staffId: colleague.id };
    expect((await admin.client.ok(staffOrderBulk, input)).done).toEqual([orderSn]);
    const { list } = await colleague.client.ok(staffOrderList, { mine: '1' });
    expect(list.map((order) => [order.orderSn, order.staffId])).toEqual([[orderSn, colleague.id]]);
    // Only who has an order, or leads, gives it on.
    expect((await service.client.ok(staffOrderBulk, input)).refused.length).toBe(1);
    expect((await moon.client.call(staffOrderBulk, input)).code).toBe(codes.FORBIDDEN[0]);
  });
});

describe('listings', () => {
  test('are taken down with the reason for the seller, once; one in an order and one of another brand are rejected', async () => {
    const reviewer = await t.newStaff({ role: 'reviewer' });
    const offered = await addGoods(t.ctx, { sellerId: seller.id });
    const locked = await addGoods(t.ctx, { sellerId: seller.id, status: GoodsStatus.Locked });
    const listed = await reviewer.client.ok(staffGoodsList, { keyWord: offered.sn });
    expect(listed.list.map(({ goodsSn, status }) => [goodsSn, status])).toEqual([[offered.sn, GoodsStatus.OnSale]]);
    const input = { goodsSns: JSON.stringify([offered.sn, locked.sn]), reason: '标题与商品不符' };
    const all = await Promise.all(Array.from({ length: 4 }, () => reviewer.client.ok(staffTakeDown, input)));
    expect(all.flatMap(({ done }) => done)).toEqual([offered.sn]);
    expect(all[0]?.refused.map(({ key }) => key)).toContain(locked.sn);
    const after = await reviewer.client.ok(staffGoodsList, { keyWord: offered.sn });
    expect(after.list).toMatchObject([{ status: GoodsStatus.Rejected, note: '标题与商品不符' }]);
    expect((await service.client.call(staffTakeDown, input)).code).toBe(codes.FORBIDDEN[0]);
    const theirs = await t.newStaff({ role: 'reviewer', distId: 2 });
    expect((await theirs.client.ok(staffGoodsList, {})).total).toBe(0);
    expect((await theirs.client.ok(staffTakeDown, input)).done).toEqual([]);
  });
});

const DECLARED = [
  userList,
  withdrawalList,
  holdList,
  auditRows,
  goodsList,
  disputeList,
  claimList,
  transferRows,
  settlementRows,
];

describe('every list', () => {
  const lists = [
    ['users', adminQueryUserList, ['createTime', 'soldCount']],
    ['withdrawals', staffWithdrawList, ['createTime', 'amount']],
    ['holds', staffHoldList, ['createTime', 'amount', 'releaseTime']],
    ['audit', auditList, ['time']],
    ['goods', staffGoodsList, ['createTime', 'price']],
    ['disputes', staffDisputeList, ['openTime', 'deadline', 'goodsPrice']],
    ['claims', staffClaimList, ['openTime', 'deadline', 'asked']],
    ['transfers', transferList, ['time']],
    ['settlements', settlementList, ['time', 'amount']],
  ] as const;

  test.each(lists)(
    '%s: is read to its end in every order, and exported with every column',
    async (list, endpoint, sorts) => {
      for (const sort of sorts.flatMap((key) => [key, `-${key}`])) {
        let cursor: string | null = null;
        let count = 0;
        do {
          const page: { list: readonly unknown[]; next: string | null } = await admin.client.ok(endpoint, {
            sort,
            pageSize: 7,
            ...(cursor !== null && { cursor }),
          } as Input<typeof endpoint>);
          count += page.list.length;
          cursor = page.next;
        } while (cursor !== null && count < 60);
        const { total } = (await admin.client.ok(endpoint, { sort } as Input<typeof endpoint>)) as { total: number };
        // Reading the audit is not audited; nothing else is written meanwhile.
        expect(Math.min(count, 60), sort).toBeGreaterThanOrEqual(Math.min(total, 60));
      }
      const spec = DECLARED.find(({ name }) => name === list);
      const columns = JSON.stringify(spec?.columns.map(({ key }) => key));
      const { exportId } = await admin.client.ok(c.startListExport, { list, format: 'csv', columns });
      const { rawPayload, statusCode } = await download(admin, exportId);
      expect(statusCode).toBe(200);
      expect(rawPayload.toString('utf8').split('\r\n')[0]?.split(',').length).toBe(spec?.columns.length);
    },
  );

  test('staff of a brand see and export only its own users', async () => {
    const own = await moon.client.ok(adminQueryUserList, { createTime: 'today' });
    expect(own.total).toBe(0);
    for (const list of ['holds', 'audit', 'goods', 'transfers'] as const) {
      const { code } = await moon.client.call(c.startListExport, { list, format: 'csv', columns: '["time"]' });
      expect([list, code]).toEqual([list, codes.FORBIDDEN[0]]);
    }
  });
});
