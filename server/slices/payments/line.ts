import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/**
 * Whether the money of a top-up or deposit comes a second time, by another way of paying for the same (`attempt_of`). Locks the line's
 * first payment, so that of two that arrive together one is the second. Read within the transaction that books the money.
 */
export async function isSecondOfLine(
  trx: Trx,
  p: { id: number; order_id: number | null; attempt_of: number | null },
): Promise<boolean> {
  if (p.order_id !== null) return false;
  const root = p.attempt_of ?? p.id;
  await sql`select from payment where id = ${root} for update`.execute(trx);
  const { rows } = await sql`
    select from payment where (id = ${root} or attempt_of = ${root}) and status = 1 and id <> ${p.id} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}
