import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Transfer } from './rules.ts';

/**
 * The only function that moves money. All transfers are posted, or none; returns false when exactly these were posted before. Throws
 * BALANCE_LOW (from the database's check), and an internal error when the same (code, ref) was posted with other contents.
 */
export async function post(trx: Trx, transfers: readonly Transfer[]): Promise<boolean> {
  const { rows } = await sql<{
    posted: boolean;
  }>`select ledger_post(${JSON.stringify(transfers)}::jsonb) as posted`.execute(trx);
  return rows[0]?.posted === true;
}

/**
 * An account's balance in fen, with its row locked until the transaction ends, for callers that take at most the balance; 0 if
 * nothing was ever posted. Call it last: postings lock their accounts in the order of ids, and a deadlock is only retried.
 */
export async function lockedBalance(trx: Trx, key: string): Promise<number> {
  const { rows } = await sql<{ fen: number | null }>`select ledger_balance_locked(${key}) as fen`.execute(trx);
  return rows[0]?.fen ?? 0;
}
