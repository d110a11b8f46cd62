import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Transfer } from './rules.ts';

/**
 * Moves money: the only way to. All transfers are posted, or none; false when exactly these were posted before.
 * Throws BALANCE_LOW (by the database's check) and a fault when the same (code, ref) came with other contents.
 */
export async function post(trx: Trx, transfers: readonly Transfer[]): Promise<boolean> {
  const { rows } = await sql<{
    posted: boolean;
  }>`select ledger_post(${JSON.stringify(transfers)}::jsonb) as posted`.execute(trx);
  return rows[0]?.posted === true;
}

/**
 * An account's balance in fen with its row locked until the transaction ends, for who takes no more than there is; 0 where nothing was
 * ever posted. Take it last: other postings lock their accounts in the order of ids, and a deadlock is only tried again.
 */
export async function lockedBalance(trx: Trx, key: string): Promise<number> {
  const { rows } = await sql<{ fen: number | null }>`select ledger_balance_locked(${key}) as fen`.execute(trx);
  return rows[0]?.fen ?? 0;
}
