/** Changes to a user that other subjects decide and only accounts writes. */
import { type RawBuilder, sql } from 'kysely';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { removeSession } from '#server/access/session-store.ts';
import type { Trx } from '#server/db/client.ts';

/** Marks a user as verified, in the transaction that stores the identity. */
export async function markVerified(trx: Trx, userId: number): Promise<void> {
  await sql`update app_user set auth_status = ${AuthStatus.Verified} where id = ${userId}`.execute(trx);
}

/** Adds to the sums behind a seller's rating; negative numbers remove a review. */
export async function addRating(
  trx: Trx,
  sellerId: number,
  by: { sum: number; count: number; good: number },
): Promise<void> {
  await sql`update app_user set rating_sum = rating_sum + ${by.sum}, rating_count = rating_count + ${by.count},
    rating_good = rating_good + ${by.good} where id = ${sellerId}`.execute(trx);
}

/** Sets a seller's level, in the transaction that records the change. */
export async function setSellerLevel(trx: Trx, sellerId: number, level: number): Promise<void> {
  await sql`update app_user set seller_level = ${level} where id = ${sellerId}`.execute(trx);
}

/**
 * Moves an account from one status to another; `within` restricts the users (`and …`, empty for all). False when there is no such user
 * in status `from`.
 */
export async function changeUserStatus(
  trx: Trx,
  userId: number,
  { from, to, within }: { from: number | undefined; to: number | undefined; within: RawBuilder<unknown> },
): Promise<boolean> {
  const { rows } =
    await sql`update app_user set status = ${to} where id = ${userId} and status = ${from} ${within} returning id`.execute(
      trx,
    );
  return rows.length > 0;
}

/** Ends one session, of a user or of a member of staff. */
export async function endSession(trx: Trx, sessionHash: Buffer): Promise<void> {
  await removeSession(trx, sessionHash);
}
