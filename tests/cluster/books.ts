/** Invariants of a market when trade and chat have ended: nothing acknowledged is lost or doubled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#server/db/client.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import type { Walker } from '#tests/support/servers/killable.ts';
import type { Load } from './load.ts';

/** The group of an order, made by the worker after the payment. Rejects when it takes longer than half a minute. */
export async function groupOf(db: Db, orderId: string): Promise<string> {
  for (let i = 0; i < 300; i++) {
    const { rows } = await sql<{ id: number }>`select id from chat_group where order_id = ${orderId}`.execute(db);
    if (rows[0]) return String(rows[0].id);
    await sleep(100);
  }
  throw new Error('the order got no group');
}

/** Waits until every event is delivered, however long a busy machine takes. Throws when for a minute none was. */
async function untilDelivered(db: Db): Promise<void> {
  const left = async (): Promise<number> =>
    (await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db)).rows[0]?.n ?? 0;
  let least = Number.POSITIVE_INFINITY;
  let since = Date.now();
  for (let n = await left(); n > 0; n = await left()) {
    if (n < least) since = Date.now();
    else if (Date.now() - since > 60_000) throw new Error(`${n} events are not delivered`);
    least = Math.min(least, n);
    await sleep(500);
  }
}

/** Expects that every order was placed and paid once, that no message is missing or doubled, and that the books are whole. */
export async function expectNothingLost(db: Db, load: Load, buyers: readonly Walker[]): Promise<void> {
  const ids = buyers.map(({ id }) => id);
  const { rows: orders } = await sql<{ n: number; paid: number }>`
    select count(*)::int as n, count(*) filter (where status = 1)::int as paid from orders where buyer_id = any(${ids}::bigint[])`.execute(
    db,
  );
  expect(orders[0]).toEqual({ n: load.placed.size, paid: load.paid.size });
  for (const [groupId, sent] of load.sent) {
    const { rows } = await sql<{ n: number; ids: number; first: number; last: number }>`
      select count(*)::int as n, count(distinct client_msg_id) filter (where client_msg_id = any(${sent}))::int as ids, min(seq)::int as first, max(seq)::int as last
      from chat_message where group_id = ${groupId}`.execute(db);
    const row = rows[0];
    expect(row?.ids).toBe(sent.length);
    expect(row && row.last - row.first + 1).toBe(row?.n);
  }
  await untilDelivered(db);
  expect(await brokenInvariants(db)).toEqual([]);
}
