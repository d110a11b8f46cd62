import { chinaDay, dayOf } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { APPEAL_DAYS, OPEN_REPORTS_MAX } from '../rules/black.ts';
import type { appealBlack, releaseBlack } from '#subjects/verification/contract/verification.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import { maskNumber, numberIndex } from './numbers.ts';
import { forgetUnfinished } from './unfinished.ts';

const SN_LENGTH = 9;
const QUERY_DAYS = 180;
const SWEEP_HOURS = 1;
export const TRUST_SWEEP = 'trust.sweep';

/** One line of an entry's history; `actor` is 'user:5', 'staff:3' or 'system'. */
export async function writeBlackEvent(
  trx: Trx,
  event: { entryId: number; kind: string; actor: string; explain?: string },
): Promise<void> {
  await sql`insert into black_event (entry_id, kind, actor, explain)
    values (${event.entryId}, ${event.kind}, ${event.actor}, ${event.explain ?? ''})`.execute(trx);
}

/** A public number for a new entry of the blacklist. */
export const newBlackSn = (): string => `H${readableCode(SN_LENGTH)}`;

/** The numbers in an entry, only as hash and mask. */
export async function writeBlackKeys(
  ctx: Pick<Context, 'keys'>,
  trx: Trx,
  entryId: number,
  accounts: readonly { kind: string; value: string }[],
): Promise<void> {
  for (const { kind, value } of accounts)
    await sql`insert into black_key (entry_id, kind, value_hash, value_mask)
      values (${entryId}, ${kind}, ${numberIndex(ctx.keys, value)}, ${maskNumber(value)}) on conflict do nothing`.execute(
      trx,
    );
}

async function loadOrder(trx: Trx, orderSn: string | undefined, userId: number): Promise<number | null> {
  if (orderSn === undefined) return null;
  const { rows } = await sql<{ id: number }>`
    select id from orders where sn = ${orderSn} and (buyer_id = ${userId} or seller_id = ${userId})`.execute(trx);
  if (!rows[0]) throw new AppError('ORDER_NOT_FOUND');
  return rows[0].id;
}

/**
 * Stores a report of a bad account; it is listed only after a review. An order given in it must be the reporter's own. Throws BLACK_TOO_MANY,
 * ORDER_NOT_FOUND, PICTURE_BROKEN, BAD_INPUT for an unknown game or a future day.
 */
export async function reportBlack(
  call: UserCall,
  input: Parsed<typeof releaseBlack>,
): Promise<HandlerResult<typeof releaseBlack>> {
  const { ctx, user, dist } = call;
  const day = input.happenedDay === undefined || input.happenedDay === '' ? null : input.happenedDay;
  if (day !== null && (dayOf(day) === null || day > chinaDay(new Date())))
    throw new AppError('BAD_INPUT', { text: '发生日期不正确', field: 'happenedDay' });
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      const pictures = await ownPictures(trx, user.id, 'evidence', input.pictures);
      const orderId = await loadOrder(trx, input.orderSn, user.id);
      if (input.gameId !== undefined) {
        const { rows } = await sql`select from game where id = ${input.gameId}`.execute(trx);
        if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '游戏不存在', field: 'gameId' });
      }
      // Serialises concurrent reports, so that the limit holds.
      await sql`select from app_user where id = ${user.id} for update`.execute(trx);
      const sn = newBlackSn();
      const { rows } = await sql<{ id: number }>`
        insert into black_entry (sn, dist_id, game_id, reason, title, text, pictures, amount_fen, happened_on, reporter_id, order_id)
        select ${sn}, ${dist.id}, ${input.gameId ?? null}::int, ${input.reason}, ${input.title}, ${input.content}, ${JSON.stringify(pictures)}::jsonb,
          ${input.amount ?? null}::bigint, ${day}::date, ${user.id}::bigint, ${orderId}::bigint
        where (select count(*) from black_entry where reporter_id = ${user.id} and status = 'reviewing') < ${OPEN_REPORTS_MAX}
        returning id`.execute(trx);
      const entryId = rows[0]?.id;
      if (entryId === undefined) throw new AppError('BLACK_TOO_MANY');
      await writeBlackKeys(ctx, trx, entryId, input.accounts);
      await writeBlackEvent(trx, { entryId, kind: 'reported', actor: `user:${user.id}` });
      return { blackSn: sn, status: 'reviewing' };
    }),
  );
}

/**
 * Appeals against an entry; one open appeal per person. Throws BLACK_NOT_FOUND, BLACK_STATE when it is not listed (any more), BLACK_APPEALED,
 * PICTURE_BROKEN.
 */
export async function takeAppeal(
  call: UserCall,
  input: Parsed<typeof appealBlack>,
): Promise<HandlerResult<typeof appealBlack>> {
  const { ctx, user } = call;
  const stored = await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      const { rows } = await sql<{ id: number; isListed: boolean; isMine: boolean }>`
        select id, coalesce(status = 'listed' and expires_at > now(), false) as "isListed", reporter_id is not distinct from ${user.id} as "isMine"
        from black_entry where sn = ${input.blackSn} and status <> 'reviewing' for share`.execute(trx);
      const entry = rows[0];
      if (!entry) throw new AppError('BLACK_NOT_FOUND');
      if (!entry.isListed || entry.isMine) throw new AppError('BLACK_STATE');
      const pictures = await ownPictures(trx, user.id, 'evidence', input.pictures);
      const created = await sql<{ by: Date }>`
        insert into black_appeal (entry_id, user_id, text, pictures, answer_by)
        values (${entry.id}, ${user.id}, ${input.content}, ${JSON.stringify(pictures)}::jsonb, now() + make_interval(days => ${APPEAL_DAYS}))
        on conflict do nothing returning answer_by as by`.execute(trx);
      const by = created.rows[0]?.by;
      if (!by) throw new AppError('BLACK_APPEALED');
      await writeBlackEvent(trx, { entryId: entry.id, kind: 'appealed', actor: `user:${user.id}` });
      return { by: by.toISOString() };
    }),
  );
  return { blackSn: input.blackSn, answerByTime: new Date(stored.by) };
}

/** Removes expired entries from the list and deletes old queries; runs hourly. */
export async function sweepTrust(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      update black_entry set status = 'expired', updated_at = now() where status = 'listed' and expires_at <= now() returning id`.execute(
      trx,
    );
    for (const { id } of rows) await writeBlackEvent(trx, { entryId: id, kind: 'expired', actor: 'system' });
  });
  await sql`delete from verify_query where created_at < now() - make_interval(days => ${QUERY_DAYS})`.execute(ctx.db);
  await sql`delete from black_external where good_until < now()`.execute(ctx.db);
  await forgetUnfinished(ctx.db);
  await schedule(ctx.db, TRUST_SWEEP, '', { seconds: SWEEP_HOURS * 3600 });
}
