/** The record of an order, which both parties read. */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Adds an entry that is no transition to an order's record; `actor` is `user:<id>`, `staff:<id>`, `system` or `timer`. */
export async function addProcess(
  trx: Trx,
  order: { id: number; status: number },
  explain: string,
  actor: string,
): Promise<void> {
  await sql`insert into order_process (order_id, order_status, explain, actor)
    values (${order.id}, ${order.status}, ${explain}, ${actor})`.execute(trx);
}
