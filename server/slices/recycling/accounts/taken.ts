import { sql } from 'kysely';
import type { recycleRecent, staffRecycleTaken } from '#contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { Call, StaffCall } from '#server/access/call.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#server/slices/games/service.ts';
import { releaseHold } from '#server/slices/ledger/service.ts';
import { requestFor } from './inspect.ts';
import { isPlatforms, requestRows } from './rows.ts';
import { briefOf } from './view.ts';

const RECENT = 8;

/**
 * Staff have taken over an account that the platform bought: its seller's money comes free before the day is over. Whoever inspected it
 * does not confirm this alone. Throws FORBIDDEN, NOT_FOUND, ORDER_STATE, ORDER_DISPUTED.
 */
export async function platformTook(
  call: StaffCall,
  input: Parsed<typeof staffRecycleTaken>,
): Promise<HandlerResult<typeof staffRecycleTaken>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'order.act');
  requireFactor(call);
  const r = await requestFor(call, input.requestSn);
  if (r.status !== 'paid' || r.orderId === null || !(await isPlatforms(ctx.db, r.bestQuoteId)))
    throw new AppError('ORDER_STATE', { text: '只有平台收下、已验号的账号可以确认接管' });
  const { orderId } = r;
  const { rows } =
    await sql`select from recycle_reading where request_id = ${r.id} and staff_id = ${staff.id} limit 1`.execute(
      ctx.db,
    );
  if (rows.length > 0) throw new AppError('FORBIDDEN', { text: '验号的同事不能自己确认接管，请换一位' });
  if (!r.isHeld) return {};
  const isFree = await releaseHold(ctx.db, { orderId }, '平台确认已接管账号', async (trx) => {
    await audit(trx, staff, 'recycle.taken', `order:${r.orderSn ?? ''}`, { requestSn: r.sn }, ip);
  });
  if (!isFree && r.heldUntil === null) throw new AppError('ORDER_DISPUTED');
  return {};
}

/** What was recycled last on a site. Nothing in it names a person. */
export async function recentOnes(
  { ctx, dist }: Call,
  { gameId }: Parsed<typeof recycleRecent>,
): Promise<HandlerResult<typeof recycleRecent>> {
  const all = await catalogue(ctx);
  const rows = await requestRows(
    ctx.db,
    sql`r.status = 'paid' and r.dist_id = ${dist.id} and (${gameId ?? null}::int is null or r.game_id = ${gameId ?? null})`,
    RECENT,
  );
  const { rows: more } = await sql<{ id: number; isPlatform: boolean; paidAt: Date | null; doneAt: Date }>`
    select r.id, c.is_platform as "isPlatform", o.paid_at as "paidAt", o.completed_at as "doneAt" from recycle_request r
      join orders o on o.id = r.order_id join recycle_quote q on q.id = r.best_quote_id join recycler c on c.user_id = q.recycler_id
    where r.id = any(${rows.map(({ id }) => id)}::bigint[]) and o.completed_at is not null`.execute(ctx.db);
  return {
    list: rows.flatMap((r) => {
      const m = more.find(({ id }) => id === r.id);
      if (!m) return [];
      const { gameName, title } = briefOf(r, all, 'other');
      const hours = Math.round((m.doneAt.getTime() - (m.paidAt ?? m.doneAt).getTime()) / 360_000) / 10;
      return [{ gameName, title, price: (r.bestFen ?? 0) - r.cutFen, isPlatform: m.isPlatform, hours, time: m.doneAt }];
    }),
  };
}
