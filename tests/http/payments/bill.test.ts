import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bill, billStats } from '#subjects/payments/contract/pay.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { account, brokenInvariants, post } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const today = (): string => chinaDay(new Date());

/** A user with a top-up, a paid and refunded order, and a deposit. */
async function busyUser(): Promise<{ user: TestUser; orderSn: string }> {
  const user = await t.newUser({ balanceFen: 100_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  const order = await user.client.ok(placeOrder, { goodsSn: goods.sn });
  await user.client.ok(balancePay, { orderId: order.orderId });
  await user.client.ok(cancelOrder, { orderId: order.orderId });
  return { user, orderSn: order.orderSn };
}

async function exported(user: TestUser, query = ''): Promise<{ status: number; text: string; type: string }> {
  const response = await user.client.raw({ method: 'GET', url: `/api/pay/billExport${query}` });
  return { status: response.statusCode, text: response.body, type: String(response.headers['content-type']) };
}

describe('the bill', () => {
  test('is filtered by direction, kind, order and day, with the number of lines', async () => {
    const { user, orderSn } = await busyUser();
    const codesOf = async (input: Parameters<typeof user.client.ok<typeof bill>>[1]) => {
      const { list, total } = await user.client.ok(bill, input);
      return [total, ...list.map((l) => l.code)];
    };
    expect(await codesOf({})).toEqual([3, 'order_refund', 'order_pay', 'topup']);
    expect(await codesOf({ direction: 'out' })).toEqual([1, 'order_pay']);
    expect(await codesOf({ kind: 'refund' })).toEqual([1, 'order_refund']);
    expect(await codesOf({ orderSn })).toEqual([2, 'order_refund', 'order_pay']);
    expect(await codesOf({ orderSn: '999' })).toEqual([0]);
    expect(await codesOf({ minTime: today(), maxTime: today() })).toEqual([3, 'order_refund', 'order_pay', 'topup']);
    expect(await codesOf({ maxTime: dayAfter(today(), -1) })).toEqual([0]);
    expect(await codesOf({ minTime: dayAfter(today(), 1) })).toEqual([0]);
  });

  test('shows nothing for another user’s order, and rejects invalid filters with a message', async () => {
    const { orderSn } = await busyUser();
    const { user } = await busyUser();
    expect((await user.client.ok(bill, { orderSn })).list).toEqual([]);
    for (const input of [
      { minTime: '2026-02-30' },
      { maxTime: 'x' },
      { minTime: '2026-02-02', maxTime: '2026-02-01' },
    ]) {
      const response = await user.client.call(bill, input);
      expect([response.status, response.msg]).toEqual([422, expect.stringContaining('日期')]);
    }
  });

  test('finds a period in a long account by bisection, across days without entries', async () => {
    const user = await t.newUser();
    const of = account.available(user.id);
    for (let i = 0; i < 40; i++)
      await post(t.ctx.db, [
        {
          code: 'topup',
          ref: `walk:${user.id}:${i}`,
          debit: account.clearing('sandbox', i),
          credit: of,
          fen: 100 + i,
          dist: 1,
        },
      ]);
    const { rows } = await sql<{ at: number }>`
      select ledger_version_at(${of}, now() + interval '1 day')::int as at union all select ledger_version_at(${of}, now() - interval '1 day')::int
      union all select ledger_version_at('user:0:available', now())::int`.execute(t.ctx.db);
    expect(rows.map((r) => r.at)).toEqual([40, 0, 0]);
    const first = await user.client.ok(bill, { minTime: today(), pageSize: 30 });
    const second = await user.client.ok(bill, { minTime: today(), pageSize: 30, cursor: first.next ?? '' });
    expect([first.list.length, second.list.length, second.next, first.total]).toEqual([30, 10, null, 40]);
  });

  test('sums by day and by kind, including empty days, for at most a year', async () => {
    const { user } = await busyUser();
    const stats = await user.client.ok(billStats, {});
    expect(stats.days).toHaveLength(30);
    expect(stats.days.at(-1)).toEqual({ day: today(), income: '1101.00', expense: '101.00' });
    expect([stats.income, stats.expense]).toEqual(['1101.00', '101.00']);
    expect(stats.kinds).toEqual([
      { kind: 'topup', name: '充值', income: '1000.00', expense: '0.00' },
      expect.objectContaining({ income: expect.any(String) }),
      expect.objectContaining({ income: expect.any(String) }),
    ]);
    expect((await user.client.call(billStats, { minTime: '2020-01-01' })).status).toBe(422);
    expect((await user.client.call(billStats, { minTime: today(), maxTime: dayAfter(today(), -1) })).status).toBe(422);
  });
});

describe('the CSV file', () => {
  test('contains the filtered lines of its owner only, with amounts as numbers', async () => {
    const { user, orderSn } = await busyUser();
    const { status, text, type } = await exported(user);
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(text.startsWith('\ufeff时间,类型,')).toBe(true);
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[2]).toContain(`,-101.00,899.00,${orderSn}\t`);
    expect((await exported(user, '?direction=in')).text.trim().split('\r\n')).toHaveLength(3);
    expect((await exported(user, '?minTime=nonsense')).status).toBe(422);
    expect((await t.client().raw({ method: 'GET', url: '/api/pay/billExport' })).statusCode).toBe(401);
  });

  test('is a page with the way to a browser in WeChat on a phone, where no file can be saved', async () => {
    const { client } = await t.newUser();
    const get = (agent: string, accept: string) =>
      client.raw({ method: 'GET', url: '/api/pay/billExport', headers: { 'user-agent': agent, accept } });
    const wechat = 'Mozilla/5.0 (Linux; Android 13) Mobile MicroMessenger/8.0.54';
    const page = await get(wechat, 'text/html,*/*');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-disposition']).toBeUndefined();
    expect(page.body).toContain('微信里不能保存文件');
    expect(page.body).toContain('href="/center/mywallets/list"');
    expect((await get(wechat, '*/*')).headers['content-disposition']).toContain('attachment');
    expect(
      (await get('Mozilla/5.0 (Linux; Android 13) Mobile', 'text/html')).headers['content-disposition'],
    ).toBeDefined();
  });

  test('of a long account is written batch by batch', async () => {
    const user = await t.newUser();
    const transfers = Array.from({ length: 1_203 }, (_, i) => ({
      code: 'topup' as const,
      ref: `long:${user.id}:${i}`,
      debit: account.clearing('sandbox', i),
      credit: account.available(user.id),
      fen: 1,
      dist: 1,
    }));
    await post(t.ctx.db, transfers);
    const { text } = await exported(user);
    expect(text.trim().split('\r\n')).toHaveLength(1_204);
    expect(
      new Set(
        text
          .trim()
          .split('\r\n')
          .map((line) => line.split(',')[5]),
      ).size,
    ).toBe(1_204);
  });
});
