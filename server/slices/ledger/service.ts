import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { account, type Transfer } from './rules.ts';

export { account, type PostingCode, postings, type Transfer } from './rules.ts';
export { brokenInvariants } from './invariants.ts';
export { type BooksCheck, lastChecks, startNightly } from './nightly.ts';
export { endFreeze, freezeUserMoney } from './freeze.ts';
export { movements, statement, type StatementFilter, turnover30 } from './statement.ts';

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

export interface Balances {
  availableFen: number;
  frozenFen: number;
  depositFen: number;
}

/** A user's three balances in fen; zero where nothing was ever posted. */
export async function balancesOf(db: Trx, userId: number): Promise<Balances> {
  const keys = [account.available(userId), account.frozen(userId), account.deposit(userId)];
  const { rows } = await sql<{
    key: string;
    balance: number;
  }>`select key, balance from ledger_account where key = any(${keys})`.execute(db);
  const of = (key: string | undefined): number => rows.find((r) => r.key === key)?.balance ?? 0;
  return { availableFen: of(keys[0]), frozenFen: of(keys[1]), depositFen: of(keys[2]) };
}

export interface OpenHold {
  id: number;
  userId: number;
  amountFen: number;
  code: string;
  reason: string;
  ref: string;
  releaseAt: Date | null;
  createdAt: Date;
}

/** A user's open holds, newest first; their sum is the frozen balance. */
export async function openHolds(db: Trx, userId: number): Promise<OpenHold[]> {
  const { rows } = await sql<OpenHold>`
    select id, user_id as "userId", amount_fen as "amountFen", code, reason, ref, release_at as "releaseAt", created_at as "createdAt"
    from hold where user_id = ${userId} and released_at is null order by id desc limit 200`.execute(db);
  return rows;
}

/**
 * Ends the protection hold of an order: frozen to available. Does nothing when it has ended, when the time has not come (unless
 * `early` says why) or when a dispute or a claim has stopped the hold. `also` runs in the same transaction after it. Returns whether it released.
 */
export async function releaseHold(
  db: Db,
  ref: { orderId: number } | { holdId: number },
  early?: string,
  also?: (trx: Trx, hold: { id: number; userId: number; amountFen: number }) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const by =
      'holdId' in ref ? sql`h.id = ${ref.holdId}` : sql`h.code = 'sale_protection' and h.ref = ${String(ref.orderId)}`;
    // The order's row first: who opens a dispute holds it, and what is read after the wait is what the dispute left.
    await sql`select o.id from hold h join orders o on o.id = h.ref::bigint where ${by} and h.code = 'sale_protection' for share of o`.execute(
      trx,
    );
    const { rows } = await sql<{ user_id: number; amount_fen: number; ref: string; dist_id: number; id: number }>`
      update hold h set released_at = now(), release_note = ${early ?? '保护期结束'} from orders o
      where ${by} and h.code = 'sale_protection' and o.id = h.ref::bigint and h.released_at is null and h.release_at is not null
        and not o.disputed and (${early !== undefined} or h.release_at <= now())
      returning h.id, h.user_id, h.amount_fen, h.ref, o.dist_id`.execute(trx);
    const hold = rows[0];
    if (!hold) return false;
    await post(trx, [
      {
        code: 'hold_end',
        ref: `hold:${hold.id}`,
        debit: account.frozen(hold.user_id),
        credit: account.available(hold.user_id),
        fen: hold.amount_fen,
        dist: hold.dist_id,
        order: Number(hold.ref),
      },
    ]);
    await sql`delete from timer where kind = 'hold.release' and ref = ${hold.ref}`.execute(trx);
    const told = { holdId: hold.id, userId: hold.user_id, amountFen: hold.amount_fen, orderId: Number(hold.ref) };
    await sql`insert into outbox (topic, payload) values ('hold.released', ${JSON.stringify(told)}::jsonb)`.execute(
      trx,
    );
    await also?.(trx, { id: hold.id, userId: hold.user_id, amountFen: hold.amount_fen });
    return true;
  });
}

/** Sum of all balances by kind of account, in fen; the total is zero or the books are broken. */
export async function trialBalance(
  db: Trx,
): Promise<{ kinds: { kind: string; fen: number; accounts: number }[]; totalFen: number }> {
  const { rows } = await sql<{ kind: string; fen: number; accounts: number }>`
    select case when key like 'user:%' then 'user:' || split_part(key, ':', 3) when key like 'order:%' then 'order:escrow'
        when key like 'want:%' then 'want:deposit' else split_part(key, ':', 1) || ':' || case when key like 'dist:%' then 'commission' else split_part(key, ':', 2) end end as kind,
      sum(balance)::bigint as fen, count(*)::bigint as accounts
    from ledger_account group by 1 order by 1`.execute(db);
  return { kinds: rows, totalFen: rows.reduce((sum, r) => sum + r.fen, 0) };
}
