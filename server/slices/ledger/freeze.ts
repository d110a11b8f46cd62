import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { yuanText } from '#contract/wire.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { account, type Transfer } from './rules.ts';

const FREEZE = 'staff_freeze';

async function move(trx: Trx, t: Omit<Transfer, 'dist'>): Promise<void> {
  // The platform's own act, on whatever site the user is.
  await sql`select ledger_post(${JSON.stringify([{ ...t, dist: 1 }])}::jsonb)`.execute(trx);
}

/** Tells the owner; a freeze of money is never silent. */
async function tellOwner(trx: Trx, userId: number, ref: string, text: string): Promise<void> {
  const told = JSON.stringify({ kind: 'money.hold', userId, ref, values: { text } });
  await sql`insert into outbox (topic, payload) values ('notice', ${told}::jsonb)`.execute(trx);
}

/**
 * Freezes a part of what a user can spend, with the reason that its owner reads; `days` ends it by itself. Returns the hold's id.
 * Throws BALANCE_LOW (by the database's check).
 */
export async function freezeUserMoney(
  trx: Trx,
  wish: { userId: number; amountFen: number; reason: string; days: number | undefined },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    values (${wish.userId}, ${wish.amountFen}, ${FREEZE}, ${`平台冻结：${wish.reason}`}, ${`F${randomBytes(8).toString('hex')}`},
      now() + make_interval(days => ${wish.days ?? null}::int)) returning id`.execute(trx);
  const id = rows[0]?.id ?? 0;
  await move(trx, {
    code: 'freeze',
    ref: `hold:${id}`,
    debit: account.available(wish.userId),
    credit: account.frozen(wish.userId),
    fen: wish.amountFen,
  });
  const until = wish.days === undefined ? '' : `，${wish.days} 天后自动解除`;
  await tellOwner(
    trx,
    wish.userId,
    `freeze:${id}`,
    `平台冻结了余额中的 ${yuanText(wish.amountFen)} 元${until}。原因：${wish.reason}`,
  );
  if (wish.days !== undefined)
    await sql`insert into timer (kind, ref, due_at) values ('freeze.end', ${String(id)}, now() + make_interval(days => ${wish.days}))`.execute(
      trx,
    );
  return id;
}

/** Ends a freeze once; by its time unless `note` says why earlier. Returns whether it was open. `also` runs in the same transaction. */
export async function endFreeze(
  db: Db,
  holdId: number,
  note?: string,
  also?: (trx: Trx, hold: { userId: number; amountFen: number }) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ user_id: number; amount_fen: number }>`
      update hold set released_at = now(), release_note = ${note ?? '冻结期结束'}
      where id = ${holdId} and code = ${FREEZE} and released_at is null and (${note !== undefined} or release_at <= now())
      returning user_id, amount_fen`.execute(trx);
    const hold = rows[0];
    if (!hold) return false;
    await move(trx, {
      code: 'unfreeze',
      ref: `hold:${holdId}`,
      debit: account.frozen(hold.user_id),
      credit: account.available(hold.user_id),
      fen: hold.amount_fen,
    });
    const text = `冻结的 ${yuanText(hold.amount_fen)} 元已解除，转回可用余额。原因：${note ?? '冻结期结束'}`;
    await tellOwner(trx, hold.user_id, `unfreeze:${holdId}`, text);
    await sql`delete from timer where kind = 'freeze.end' and ref = ${String(holdId)}`.execute(trx);
    await also?.(trx, { userId: hold.user_id, amountFen: hold.amount_fen });
    return true;
  });
}
