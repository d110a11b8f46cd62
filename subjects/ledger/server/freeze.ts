import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { account, type Transfer } from './rules.ts';

const FREEZE = 'staff_freeze';

async function move(trx: Trx, t: Omit<Transfer, 'dist'>): Promise<void> {
  // Booked on the platform's own site, whatever the user's site is.
  await sql`select ledger_post(${JSON.stringify([{ ...t, dist: 1 }])}::jsonb)`.execute(trx);
}

/** Notifies the owner of frozen money. */
async function notifyOwner(trx: Trx, userId: number, ref: string, text: string): Promise<void> {
  await emit(trx, 'notice', { kind: 'money.hold', userId, ref, values: { text } });
}

/**
 * Freezes part of a user's available balance, with a reason that the user reads; the freeze ends automatically after `days`. Returns the
 * hold's id. Throws BALANCE_LOW (from the database's check).
 */
export async function freezeUserMoney(
  trx: Trx,
  request: { userId: number; amountFen: number; reason: string; days: number | undefined },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    values (${request.userId}, ${request.amountFen}, ${FREEZE}, ${`平台冻结：${request.reason}`}, ${`F${randomBytes(8).toString('hex')}`},
      now() + make_interval(days => ${request.days ?? null}::int)) returning id`.execute(trx);
  const id = rows[0]?.id ?? 0;
  await move(trx, {
    code: 'freeze',
    ref: `hold:${id}`,
    debit: account.available(request.userId),
    credit: account.frozen(request.userId),
    fen: request.amountFen,
  });
  const until = request.days === undefined ? '' : `，${request.days} 天后自动解除`;
  await notifyOwner(
    trx,
    request.userId,
    `freeze:${id}`,
    `平台冻结了余额中的 ${yuanLabel(request.amountFen)} 元${until}。原因：${request.reason}`,
  );
  if (request.days !== undefined) await schedule(trx, 'freeze.end', id, { seconds: request.days * 86_400 });
  return id;
}

/** Ends a freeze once: when it is due, or earlier with `note` as the reason. Returns whether it was open. `also` runs in the same transaction. */
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
    const text = `冻结的 ${yuanLabel(hold.amount_fen)} 元已解除，转回可用余额。原因：${note ?? '冻结期结束'}`;
    await notifyOwner(trx, hold.user_id, `unfreeze:${holdId}`, text);
    await cancel(trx, 'freeze.end', holdId);
    await also?.(trx, { userId: hold.user_id, amountFen: hold.amount_fen });
    return true;
  });
}
