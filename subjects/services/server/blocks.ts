import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { serviceBlock } from '#subjects/services/contract/services.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { termsForParty } from '#subjects/orders/server/service.ts';

/** Whether a user has blocked another. */
export async function hasBlocked(db: Trx, userId: number, otherId: number): Promise<boolean> {
  const { rows } = await sql`select from service_block where user_id = ${userId} and blocked_id = ${otherId}`.execute(
    db,
  );
  return rows.length > 0;
}

/** Whether either of two has blocked the other. */
export async function areBlocked(db: Trx, oneId: number, otherId: number): Promise<boolean> {
  const { rows } = await sql`select from service_block
    where (user_id = ${oneId} and blocked_id = ${otherId}) or (user_id = ${otherId} and blocked_id = ${oneId}) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Blocks the other party of an order of companion play, or lifts it. Throws ORDER_NOT_FOUND. */
export async function setBlock(
  { ctx, user }: UserCall,
  { orderId, act: action }: Parsed<typeof serviceBlock>,
): Promise<HandlerResult<typeof serviceBlock>> {
  const order = await termsForParty(ctx.db, { id: orderId }, user.id);
  if (order?.typeId !== COMPANION_PLAY) throw new AppError('ORDER_NOT_FOUND');
  const otherId = order.buyerId === user.id ? order.sellerId : order.buyerId;
  if (action === 'block')
    await sql`insert into service_block (user_id, blocked_id) values (${user.id}, ${otherId}) on conflict do nothing`.execute(
      ctx.db,
    );
  else await sql`delete from service_block where user_id = ${user.id} and blocked_id = ${otherId}`.execute(ctx.db);
  return { isBlocked: action === 'block' };
}
