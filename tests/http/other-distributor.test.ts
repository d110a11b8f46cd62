/**
 * What belongs to one distributor, asked for by staff of another: with every role and every call of the back office, by the numbers of
 * things that are there. Nothing is changed, and no response contains anything of them.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addNumber } from '#contract/backstage-trust.ts';
import { staffClaimDetail } from '#contract/backstage-claims.ts';
import { staffDisputeDetail } from '#contract/backstage-disputes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { placeOrder } from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { endpoints } from '#contract/registry.ts';
import { staffRoles } from '#contract/rules/staff.ts';
import type { TestApp, TestStaff } from '#tests/support/build.ts';
import { type ChangeWatch, watchChanges } from '#tests/support/row-changes.ts';
import { type Court, openCourt } from '#tests/support/disputes.ts';
import { addGoods } from '#tests/support/goods.ts';
import { goodInput } from '#tests/support/hostile.ts';
import { everything, type Owned } from '#tests/support/ownership.ts';

let court: Court;
let t: TestApp;
let watch: ChangeWatch;
let owned: Owned;
let people: TestStaff[];
/** Numbers of rows that only staff know. */
let ids: Record<string, string>;

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
};

/** What a call is asked with: things that are there, by the names of its fields; `id` means another thing for each. */
function inputOf(endpoint: Endpoint): Record<string, string> {
  const { names: _names, ...things } = owned;
  const texts = Object.fromEntries(Object.entries(things).map(([field, value]) => [field, String(value)]));
  const id = /provider\//.test(endpoint.path) ? ids.providerId : '1';
  return goodInput(endpoint, {
    ...PLAIN,
    ...texts,
    ...ids,
    id: id ?? '1',
    appealId: '1',
    reportId: '1',
    numberId: '1',
  });
}

const calls = endpoints
  .filter((e) => e.auth === 'staff' && !/staff(Logout|Info)$/.test(e.path))
  .map((e) => [e.path.slice('/api/backstage/'.length), e] as const);

/** What staff make of their own, whatever they were asked about. */
const OWN =
  /^(content\/(saveNews|saveCase|addAdvert)|trust\/addNumber|staff\/saveRole|im\/(token|saveCanned|saveRule|duty)|import\/upload|commission\/ask)$/;
const NOTES = / (limit_counter|audit_(log|seal|head))$/;

test.each(calls)('%s', async (name, endpoint) => {
  const secrets = [owned.orderSn, owned.disputeSn, owned.claimSn, owned.blackSn, owned.goodsSn, ...owned.names];
  await watch.take();
  for (const { client } of people) {
    const { data } = await client.call(endpoint, inputOf(endpoint) as never);
    const response = JSON.stringify(data);
    expect(secrets.filter((secret) => response.includes(secret))).toEqual([]);
  }
  const changed = (await watch.take()).filter((what) => !NOTES.test(what));
  if (!OWN.test(name)) expect(changed).toEqual([]);
});

test('with a case of their own they see no case of its parties on another site', async () => {
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
