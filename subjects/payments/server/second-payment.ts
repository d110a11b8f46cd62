import { PaymentStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/**
 * Whether a top-up or deposit was already paid by another attempt for the same purpose (`attempt_of`). Locks the first attempt, so that of two
 * payments that arrive together one is the second. Called in the transaction that posts the money.
 */
export async function isSecondPayment(
  trx: Trx,
  p: { id: number; order_id: number | null; attempt_of: number | null },
): Promise<boolean> {
  if (p.order_id !== null) return false;
  const root = p.attempt_of ?? p.id;
  await sql`select from payment where id = ${root} for update`.execute(trx);
  const { rows } = await sql`
    select from payment where (id = ${root} or attempt_of = ${root}) and status = ${sql.lit(PaymentStatus.Paid)} and id <> ${p.id} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}
