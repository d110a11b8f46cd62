import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Sum of all balances by kind of account, in fen; the total is 0 unless the books are inconsistent. */
export async function trialBalance(
  db: Trx,
): Promise<{ kinds: { kind: string; fen: number; accounts: number }[]; totalFen: number }> {
  const { rows } = await sql<{ kind: string; fen: number; accounts: number }>`
    select case when key like 'user:%' then 'user:' || split_part(key, ':', 3) when key like 'order:%' then 'order:escrow'
        when key like 'want:%' then 'want:deposit' when key like 'recycle:%' then 'recycle:escrow'
        when key like 'inspection:%' then 'inspection:escrow' when key like 'boost:%' then 'boost:escrow'
        else split_part(key, ':', 1) || ':' || split_part(key, ':', case when key like 'dist:%' then 3 else 2 end) end as kind,
      sum(balance)::bigint as fen, count(*)::bigint as accounts
    from ledger_account group by 1 order by 1`.execute(db);
  return { kinds: rows, totalFen: rows.reduce((sum, r) => sum + r.fen, 0) };
}
