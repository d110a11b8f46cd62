/** The clocks of conversations: under concurrent transitions of their orders, and for groups that are inserted without one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffDuty } from '#subjects/chat/contract/im-support.ts';
import { staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import { assignPending } from '#subjects/chat/server/groups/groups.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { trade } from '#tests/support/market/chat.ts';
import { addGame } from '#tests/support/goods/goods.ts';

let t: TestApp;
let an: TestStaff;
let bo: TestStaff;
let url: string;

beforeAll(async () => {
  t = await testApp({});
  await addGame(t.ctx);
  an = await t.newStaff({ role: 'service' });
  bo = await t.newStaff({ role: 'service' });
  url = t.ctx.config.databaseUrl ?? '';
});
afterAll(async () => await t.close());

const duty = async (...on: TestStaff[]): Promise<void> => {
  await sql`update staff set on_duty = im_uid = any(${on.map((s) => s.imUid)})`.execute(t.ctx.db);
};

/** A separate connection, as another server has. */
async function otherServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Resolves once a statement of the database waits for a lock. */
async function untilBlocked(): Promise<void> {
  for (let i = 0; i < 3_000; i++) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(t.ctx.db);
    if (rows.length > 0) return;
    await sleep(20);
  }
  throw new Error('nothing waits');
}

const assignments: Record<string, (groupId: string) => Promise<unknown>> = {
  transfer: async (groupId) => await an.client.ok(staffImTransfer, { groupId, staffId: bo.id }),
  'off duty': async () => await an.client.ok(staffDuty, { onDuty: false, release: true }),
  'from the queue': async (groupId) => await assignPending(t.ctx, Number(groupId)),
};

test.each(Object.keys(assignments))('an order moves on while its group is assigned: %s', async (name) => {
  const isQueued = name === 'from the queue';
  await duty(...(isQueued ? [] : [an]));
  const { orderId, groupId } = await trade(t);
  await duty(an, bo);
  await otherServer(async (client) => {
    await client.query('begin');
    await client.query('select from orders where id = $1 for no key update', [orderId]);
    const assigned = assignments[name]?.(groupId);
    await untilBlocked();
    // Shorter than a deadlock takes to be found: the group must not be locked by the assignment that waits for the order.
    await client.query("set local lock_timeout = '500ms'");
    await client.query("update orders set ship_by = ship_by + interval '1 hour' where id = $1", [orderId]);
    await client.query('commit');
    await assigned;
  });
  const { rows } = await sql<{ same: boolean; staff: number }>`
    select g.step_by = o.ship_by as same, (select count(*) from chat_member m where m.group_id = g.id and m.is_current)::int as staff
    from chat_group g join orders o on o.id = g.order_id where g.id = ${groupId}::bigint`.execute(t.ctx.db);
  expect(rows[0]).toEqual({ same: true, staff: 1 });
});

test('a group that is inserted without a clock has the clock of its order', async () => {
  const { orderId, groupId } = await trade(t);
  await sql`update chat_group set group_type = 2, order_id = null where id = ${groupId}::bigint`.execute(t.ctx.db);
  const { rows } = await sql<{ same: boolean }>`
    insert into chat_group (group_type, order_id, dist_id) select 1, o.id, o.dist_id from orders o where o.id = ${orderId}
    returning step_by = (select ship_by from orders where id = ${orderId}) as same`.execute(t.ctx.db);
  expect(rows[0]?.same).toBe(true);
});
