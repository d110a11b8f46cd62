/** A person's own data as a file: who may have it, what is in it, and when it is gone. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { requestDataExport, DATA_EXPORT_PATH, dataExportList } from '#subjects/data-export/contract/data-export.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { partsOf } from '#subjects/data-export/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import type { TestApp, TestUser } from '#tests/support/servers/build.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';

let court: Court;
let t: TestApp;

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
});
afterAll(async () => await t.close());

const fetchFile = (user: TestUser, url: string) => user.client.raw({ method: 'GET', url });

/** Requests a file and lets it be made; returns the address from which it is fetched. */
async function exportedText(user: TestUser): Promise<string> {
  await user.client.ok(requestDataExport, {});
  await t.timers();
  await t.relay();
  const { list } = await user.client.ok(dataExportList, {});
  return list[0]?.url ?? '';
}

type File = Record<string, Record<string, unknown>[]>;

describe('the file', () => {
  test('contains the user’s data, other users masked, and no secret', async () => {
    const d = await court.trade('completed');
    await d.buyer.client.ok(orderEval, { orderSn: d.orderSn, score: 5, content: '发货很快' });
    const url = await exportedText(d.buyer);
    const response = await fetchFile(d.buyer, url);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(response.headers['content-disposition']).toContain('attachment');
    const file = JSON.parse(response.body) as File;
    expect(Object.keys(file)).toEqual(['说明', ...partsOf(0).map(({ name }) => name)]);
    expect(file['我买到的']).toMatchObject([
      { 订单编号: d.orderSn, 货款: '100.00', 对方: expect.stringMatching(/^.\*\*/u), 状态记录: expect.any(Array) },
    ]);
    expect(file['评价']).toMatchObject([{ 订单编号: d.orderSn, 方向: '我写的', 内容: '发货很快' }]);
    expect(file['资金流水']?.length).toBeGreaterThan(1);
    expect(file['账户资料']?.[0]?.['手机']).toMatch(/^\d{3}\*{4}\d{4}$/);
    for (const word of [d.seller.nickName, d.buyer.phone, d.seller.phone, 'password', 'hash', '_enc'])
      expect(response.body).not.toContain(word);
    const notices = await d.buyer.client.ok(noticeList, {});
    expect(notices.list.map((n) => n.title)).toContain('个人数据已准备好');
  });

  test('covers every table that references a user, or states the reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct c.conrelid::regclass::text as name from pg_constraint c where c.contype = 'f' and c.confrelid = 'app_user'::regclass order by 1`.execute(
      t.ctx.db,
    );
    const known = new Set([...partsOf(1).flatMap(({ tables }) => tables), ...Object.keys(LEFT_OUT)]);
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    for (const { rows: query } of partsOf(1)) await query.execute(t.ctx.db);
  });

  test('is encrypted at rest', async () => {
    const user = await t.newUser({ stepUp: true, nickName: '封存的人' });
    await exportedText(user);
    const { rows } = await sql<{
      body: Buffer;
    }>`select body_enc as body from data_export where user_id = ${user.id}`.execute(t.ctx.db);
    expect(rows[0]?.body.length).toBeGreaterThan(100);
    expect(rows[0]?.body.includes(Buffer.from('封存的人'))).toBe(false);
  });
});

/** Tables that name a person and are no part of the file, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  data_export: 'the files themselves',
  api_key: 'keys of own programs, which hold secrets; their page lists them',
  former_person: 'a hash of who closed an account',
  listing_import: 'files that the person made; what they published is in the file',
  link_mark: "staff's judgement of a link between two people",
  notice_delivery: 'how a notice left',
  order_contact: 'sealed for the trade',
  sealed_credential: 'sealed',
  push_subscription: 'keys of a browser',
  seller_week: 'sums of looks by people who are not named',
  seller_day: 'sums of orders, which are in the file',
  staff_note: "staff's notes of their work",
  top_seller: 'sums of orders, which are in the file',
  user_browser: 'hashes that prove nothing to their owner',
  user_network: 'hashes that prove nothing to their owner',
  verify_query: 'hashes of what was asked',
  webhook_endpoint: 'addresses of own programs with a secret; their page lists them',
  wechat_login: 'a log-in under way',
  wechat_push_ticket: 'a ticket that has passed',
};

describe('it can be downloaded', () => {
  test('by its owner only, and only when it is ready', async () => {
    const [owner, other] = [await t.newUser({ stepUp: true }), await t.newUser({ stepUp: true })];
    await owner.client.ok(requestDataExport, {});
    const { list } = await owner.client.ok(dataExportList, {});
    expect(list).toMatchObject([{ status: 'waiting', url: null }]);
    const tooEarly = `${DATA_EXPORT_PATH}?exportId=${list[0]?.exportId}`;
    expect((await fetchFile(owner, tooEarly)).statusCode).toBe(404);
    await t.timers();
    expect((await fetchFile(owner, tooEarly)).statusCode).toBe(200);
    expect((await fetchFile(other, tooEarly)).statusCode).toBe(404);
    expect((await t.client().raw({ method: 'GET', url: tooEarly })).statusCode).toBe(401);
    const operator = await t.newStaff({ role: 'operator', distId: 1 });
    for (const staff of [operator, await t.newStaff()])
      expect((await staff.client.raw({ method: 'GET', url: tooEarly })).statusCode).toBeGreaterThanOrEqual(400);
    for (const bad of ['', '0', "1' or 1=1", '9'.repeat(30)])
      expect((await fetchFile(owner, `${DATA_EXPORT_PATH}?exportId=${encodeURIComponent(bad)}`)).statusCode).toBe(404);
    expect((await other.client.ok(dataExportList, {})).list).toEqual([]);
  });

  test('by a verified owner, once a day, also concurrently', async () => {
    const user = await t.newUser();
    expect((await user.client.call(requestDataExport, {})).code).toBe(1160);
    expect((await user.client.call(requestDataExport, { smsCode: '000000' })).code).not.toBe(0);
    expect((await user.client.ok(dataExportList, {})).list).toEqual([]);
    const proved = await t.newUser({ stepUp: true });
    const results = await Promise.all(Array.from({ length: 6 }, () => proved.client.call(requestDataExport, {})));
    expect(results.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1171, 1171, 1171, 1171, 1171]);
    expect((await proved.client.ok(dataExportList, {})).nextTime).not.toBeNull();
  });

  test('for seven days, after which it is deleted', async () => {
    const user = await t.newUser({ stepUp: true });
    const url = await exportedText(user);
    await passTime(t.ctx.db, 'data_export', { user_id: user.id }, { until: 'expires_at' });
    expect((await fetchFile(user, url)).statusCode).toBe(404);
    await makeDue(t.ctx.db, 'dataExport.remove');
    await t.timers();
    const { rows } = await sql<{ status: string; body: Buffer | null }>`
      select status, body_enc as body from data_export where user_id = ${user.id}`.execute(t.ctx.db);
    expect(rows).toEqual([{ status: 'removed', body: null }]);
    expect((await user.client.ok(dataExportList, {})).list).toMatchObject([{ status: 'removed', url: null }]);
  });
});
