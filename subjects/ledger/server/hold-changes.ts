/** Changes of holds by other subjects, in the transaction of the corresponding postings. */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Holds that other subjects open. */
export type HoldCode = 'refund' | 'withdrawal' | 'service_safety' | 'service_efficiency' | 'service_tip';

/**
 * Opens a hold over money, in fen, that the caller moves to the user's frozen account. `code` and `ref` identify it; `seconds` until its end,
 * if known.
 */
export async function openHold(
  trx: Trx,
  hold: { userId: number; amountFen: number; code: HoldCode; reason: string; ref: string; seconds?: number },
): Promise<void> {
  await sql`insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    values (${hold.userId}, ${hold.amountFen}, ${hold.code}, ${hold.reason}, ${hold.ref}, now() + make_interval(secs => ${hold.seconds ?? null}))`.execute(
    trx,
  );
}

/** Ends an open hold and returns the amount that was still frozen, in fen; undefined when it has ended. The caller posts the money. */
export async function endHold(
  trx: Trx,
  { code, ref }: { code: 'refund' | 'withdrawal' | 'sale_protection' | 'service_tip'; ref: string },
  note: string,
): Promise<{ id: number; fen: number } | undefined> {
  const { rows } = await sql<{ id: number; fen: number }>`
    update hold set released_at = now(), release_note = ${note}
    where code = ${code} and ref = ${ref} and released_at is null returning id, amount_fen as fen`.execute(trx);
  return rows[0];
}

/** Records the amount of a sale, in fen, that could not be recovered from the seller. */
export async function setHoldShort(trx: Trx, holdId: number, shortFen: number): Promise<void> {
  await sql`update hold set short_fen = ${shortFen} where id = ${holdId}`.execute(trx);
}

/** Stops the clock of a hold that the caller has locked; `reason` is shown to its user. */
export async function stopHold(trx: Trx, holdId: number, reason: string): Promise<void> {
  await sql`update hold set release_at = null, reason = ${reason} where id = ${holdId}`.execute(trx);
}

/** Restarts the clock of an order's protection hold for `seconds`. */
export async function resumeHold(trx: Trx, orderId: number, seconds: number, reason: string): Promise<void> {
  await sql`update hold set release_at = now() + make_interval(secs => ${seconds}), reason = ${reason}
    where code = 'sale_protection' and ref = ${String(orderId)} and released_at is null`.execute(trx);
}
