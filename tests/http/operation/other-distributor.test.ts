/**
 * What belongs to one distributor, asked for by staff of another: with every role and every call of the back office, by the numbers of
 * things that are there. Nothing is changed, and no response contains anything of them.
 */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, assert, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { addNumber } from '#subjects/verification/contract/staff-trust.ts';
import { staffClaimDetail } from '#subjects/guarantees/contract/staff-claims.ts';
import { personMoney } from '#subjects/back-office/contract/person.ts';
import { staffDisputeDetail } from '#subjects/disputes/contract/staff-disputes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { endpoints } from '#contract/registry.ts';
import { staffRoles } from '#subjects/back-office/rules/staff.ts';
import type { TestApp, TestStaff } from '#tests/support/servers/build.ts';
import { type ChangeWatch, watchChanges } from '#tests/support/database/row-changes.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { goodInput } from '#tests/support/calls/hostile.ts';
import { listPaths, rowsAt } from '#tests/support/calls/listed-rows.ts';
import { everything, type Owned } from '#tests/support/calls/ownership.ts';
import { plantRows } from '#tests/support/database/planted-rows.ts';
import { staffInput } from '#tests/support/calls/staff-inputs.ts';

let court: Court;
let t: TestApp;
let watch: ChangeWatch;
let owned: Owned;
let people: TestStaff[];
/** Staff of the first site, in every role. */
let locals: TestStaff[];
/** Numbers of rows that only staff know. */
let ids: Record<string, string>;
/** Inputs of calls that read one row, by call. */
let named: Record<string, Record<string, string>> = {};

async function firstId(table: string): Promise<string> {
  const { rows } = await sql<{
    id: number;
  }>`select id from ${sql.table(table)} order by id limit 1`.execute(t.ctx.db);
  return String(rows[0]?.id ?? 0);
}

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
  await sql`update distributor m set conf = d.conf, theme = d.theme from distributor d where d.id = 1 and m.id = 2`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  owned = await everything(court);
  await t.relay();
  locals = await Promise.all(staffRoles.map((role) => t.newStaff({ role, distId: 1 })));
  const number = { kind: 'qq', value: '880000001', name: '平台客服', duty: '售后', shown: '1' } as const;
  const { numberId } = await court.other.client.ok(addNumber, number);
  people = await Promise.all(staffRoles.map((role) => t.newStaff({ role, distId: 2 })));
  ids = {
    providerId: await firstId('provider'),
    staffId: String(court.service.id),
    holdId: await firstId('hold'),
    paymentId: await firstId('payment'),
    userId: String(owned.ownerId),
    numberId: String(numberId),
  };
  const local = locals[staffRoles.indexOf('admin')];
  assert(local !== undefined);
  named = await plantRows({ t, chief: court.other, local, owned, inputOf });
  watch = await watchChanges(t.ctx);
});
afterAll(async () => await t.close());

const PLAIN = {
  reason: '核实过了，没有别的问题',
  text: '核实过了，没有别的问题',
  content: '核实过了，没有别的问题',
  publicText: '核实过了，没有别的问题',
  note: '核实过了，没有别的问题',
  amount: '100.00',
  refund: '10.00',
  limit: '10.00',
  seenLimit: '10.00',
  rules: '["2.2"]',
  steps: '[1]',
  clientMsgId: 'c-1',
  updateMark: '2026-11-01T00:00:00.000Z',
  value: '812345678',
  name: '小游',
  scope: 'all',
  queries: '[""]',
};

/** Today in China. */

/** A call of the back office by the end of its path. */
const nameOf = ({ path }: Endpoint): string => path.slice('/api/backstage/'.length);

/** Returns the input of a call: existing rows, by field name; `id` means another thing for each. */
function inputOf(endpoint: Endpoint): Record<string, string> {
  const { names: _names, ...things } = owned;
  const texts = Object.fromEntries(Object.entries(things).map(([field, value]) => [field, String(value)]));
  const id = /provider\//.test(endpoint.path) ? ids.providerId : '1';
  return goodInput(endpoint, {
    ...PLAIN,
    ...texts,
    ...ids,
    ...(endpoint.path.endsWith('/search') && { q: owned.orderSn, keyWord: '已付款' }),
    ...(endpoint.path.endsWith('/personOrders') && { side: 'bought' }),
    ...(endpoint.path.includes('/list/') && { list: 'orders' }),
    day: chinaDay(new Date()),
    id: id ?? '1',
    appealId: '1',
    reportId: '1',
    numberId: '1',
    ...named[nameOf(endpoint)],
  });
}

const calls = endpoints
  .filter((e) => e.auth === 'staff' && !/staff(Logout|Info)$/.test(e.path))
  .map((e) => [nameOf(e), e] as const);

/** Lists, by call and path, whose rows are the same for every site, and why. */
const SHARED: Readonly<Record<string, string>> = {
  'board/trade days': 'the days of the chart',
  'board/trade games': 'the catalogue of games',
  'content/advertList games': 'the catalogue of games',
  'counters queues': 'the names of the queues with their own counts',
  'dispute/list reasons': 'the reasons of disputes',
  'goods/list games': 'the catalogue of games',
  'im/colleagues list': 'staff of the platform serve every site',
  'im/setup games': 'the catalogue of games',
  'league/list games': 'the catalogue of games',
  'order/list games': 'the catalogue of games',
  'service/weeks weeks': 'the weeks of the chart',
  'staff/options permissions': 'the permissions',
  'staff/options roles': 'the shipped roles',
  'trust/numberList list': 'the platform’s numbers serve every site',
};

/** Calls in whose lists no row of the first site is planted, and why. */
const UNPLANTED: Readonly<Record<string, string>> = {
  'board/funnel': 'brands are compared only for staff of the platform',
  'commission/days': 'the first site is the platform’s own and earns no commission',
  'trial/messages': 'the market is no trial; trial.test.ts has one',
};

/** Returns the identity of a row: its number, or all of it. */
function identityOf(row: unknown): string {
  const entry = Object.entries(row as object).find(([key]) => /^(id|sn)$|Sn$|Id$/.test(key));
  return entry === undefined ? JSON.stringify(row) : `${entry[0]} ${String(entry[1])}`;
}

describe('staff of the first site see rows, staff of the other none of them', () => {
  const reads = calls.filter(([, e]) => e.method === 'GET' && listPaths(e).length > 0);

  test.each(reads)('%s', async (name, endpoint) => {
    // As filters of a list they would find other rows.
    const { amount: _a, reason: _r, value: _v, content: _c, ...typed } = inputOf(endpoint);
    const input = { ...typed, ...('staffId' in typed && { staffId: String(locals[0]?.id) }) } as never;
    const ask = async (all: TestStaff[], sent: never) =>
      await Promise.all(all.map(({ client }) => client.call(endpoint, sent)));
    let own = await ask(locals, input);
    const isWrong = own.every(({ code }) => code === codes.BAD_INPUT[0]);
    const sent = isWrong ? (staffInput(endpoint) as never) : input;
    if (isWrong) own = await ask(locals, sent);
    const other = await ask(people, sent);
    for (const { headers } of [...own, ...other]) expect(headers['x-content-type-options']).toBe('nosniff');
    if (own.every(({ code }) => code === codes.FORBIDDEN[0])) {
      expect(other.map(({ code }) => code)).toEqual(people.map(() => codes.FORBIDDEN[0]));
      return;
    }
    let rows = 0;
    const paths = listPaths(endpoint).filter((path) => !Object.hasOwn(SHARED, `${name} ${path}`));
    for (const path of paths) {
      const idsIn = (responses: typeof own) =>
        new Set(responses.flatMap(({ data }) => rowsAt(data, path)).map(identityOf));
      const [first, second] = [idsIn(own), idsIn(other)];
      rows += first.size;
      expect([path, [...second].filter((id) => first.has(id))]).toEqual([path, []]);
    }
    if (paths.length > 0) expect([name, rows > 0]).toEqual([name, !Object.hasOwn(UNPLANTED, name)]);
  });
});

/** Calls that create rows of the caller's own site, whatever their input. */
const OWN =
  /^(content\/(saveNews|saveCase|addAdvert)|trust\/addNumber|staff\/saveRole|im\/(token|saveCanned|saveRule|duty)|import\/upload|commission\/ask)$/;
const NOTES = / (limit_counter|staff_passkey_challenge|audit_(log|seal|head))$/;

test.each(calls)('%s', async (name, endpoint) => {
  const secrets = [owned.orderSn, owned.disputeSn, owned.claimSn, owned.blackSn, owned.goodsSn, ...owned.names];
  await watch.take();
  for (const { client } of people) {
    const { data, headers } = await client.call(endpoint, inputOf(endpoint) as never);
    // Every answer of the server has it.
    expect(headers['x-content-type-options']).toBe('nosniff');
    const response = JSON.stringify(data);
    expect(secrets.filter((secret) => response.includes(secret))).toEqual([]);
  }
  const changed = (await watch.take()).filter((what) => !NOTES.test(what));
  if (!OWN.test(name)) expect(changed).toEqual([]);
});

test('A7: of a person of their own who trades on the first site they see no money of the first site', async () => {
  const userId = String(owned.ownerId);
  const { db } = t.ctx;
  const calls = endpoints.filter(({ path }) =>
    /\/backstage\/(user\/person[A-Z]?\w*|user\/adminQueryUserList)$/.test(path),
  );
  expect(calls.length).toBeGreaterThan(4);
  const chief = locals[staffRoles.indexOf('admin')];
  const before = await chief?.client.ok(personMoney, { userId, range: 'all' });
  assert(before !== undefined);
  expect([before.line.parts.length > 0, before.payees.length > 0, before.withdrawals.length > 0]).toEqual([
    true,
    true,
    true,
  ]);
  await sql`update app_user set dist_id = 2 where id = ${owned.ownerId}`.execute(db);
  let seen = 0;
  for (const { client } of people) {
    const { code, data } = await client.call(personMoney, { userId, range: 'all' });
    for (const call of calls.filter(({ method }) => method === 'GET')) {
      const response = JSON.stringify((await client.call(call, inputOf(call) as never)).data);
      const secrets = [owned.orderSn, owned.disputeSn, owned.claimSn, 'W111111111', 'h***'];
      expect([call.path, secrets.filter((secret) => response.includes(secret))]).toEqual([call.path, []]);
    }
    if (code === codes.FORBIDDEN[0]) continue;
    seen += 1;
    expect(data).toMatchObject({
      balances: null,
      debt: '0.00',
      escrow: { orders: 0, amount: '0.00' },
      withdrawn: { count: 0, amount: '0.00', accountMask: null },
      line: { opening: '0.00', parts: [], closing: '0.00' },
      payees: [],
      withdrawals: [],
    });
    expect(new Set(data.days.map(({ balance, withdrawals }) => `${balance} ${withdrawals}`))).toEqual(
      new Set(['0.00 0']),
    );
  }
  expect(seen).toBeGreaterThan(0);
  await sql`update app_user set dist_id = 1 where id = ${owned.ownerId}`.execute(db);
});

test('staff with a case of their own see no case of its parties on another site', async () => {
  const [service] = people;
  const { db } = t.ctx;
  const first = await court.trade('paid');
  await court.opened(first);
  const goods = await addGoods(t.ctx, { sellerId: first.seller.id, typeId: 27 });
  const second = await first.buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await first.buyer.client.ok(balancePay, { orderId: second.orderId });
  const disputeSn = await court.opened({ ...first, ...second });
  await sql`update dispute set dist_id = 2 where sn = ${disputeSn}`.execute(db);
  expect((await court.service.client.ok(staffDisputeDetail, { disputeSn })).before).toHaveLength(1);
  expect((await service?.client.ok(staffDisputeDetail, { disputeSn }))?.before).toEqual([]);
  await sql`insert into guarantee_claim (sn, dist_id, cover_id, order_id, user_id, reason, explain, asked_fen, status, chase_days, first_look_by, opened_at, decided_at)
    select 'C2222222222', 2, cover_id, order_id, user_id, reason, explain, asked_fen, 'withdrawn', chase_days, first_look_by, opened_at, now()
    from guarantee_claim where sn = ${owned.claimSn}`.execute(db);
  const claimSn = 'C2222222222';
  expect((await court.service.client.ok(staffClaimDetail, { claimSn })).before).toHaveLength(1);
  expect((await service?.client.ok(staffClaimDetail, { claimSn }))?.before).toEqual([]);
});
