import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { eraseExchange } from './handover/exchange.ts';
import { ORDERS_ENDED } from '#server/states/order-states.ts';

const SWEEP = 'credential.sweep';
const SWEEP_SECONDS = 300;
/** Orders per sweep. */
const BATCH = 200;

/**
 * Whether an ended order's sealed forms are no longer needed: no hold, no dispute, no cover (domain.md 2); a recycler has three days to take an account over. An order that was never
 * completed also waits for an open dispute.
 */
const OVER = sql`o.status in ${ORDERS_ENDED} and not o.disputed
  and not exists (select from dispute d where d.order_id = o.id and d.closed_at is null)
  and not exists (select from hold h where h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null)
  and (o.type_id <> ${sql.lit(OrderType.Recycling)} or o.completed_at is null or o.completed_at < now() - interval '3 days')
  and not exists (select from guarantee_cover c where c.order_id = o.id and c.status in ('waiting', 'active', 'claimed'))`;

/**
 * Erases the sealed forms that are no longer needed, all versions with their key. Returns the number of orders. Run by a timer.
 */
export async function eraseEnded(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select distinct c.order_id as id from sealed_credential c join orders o on o.id = c.order_id
    where c.erased_at is null and ${OVER} limit ${BATCH}`.execute(ctx.db);
  let erased = 0;
  for (const { id } of rows) if (await eraseOne(ctx, id)) erased += 1;
  return erased;
}

/** Erases one order's forms under its lock, unless a dispute was opened meanwhile. */
async function eraseOne(ctx: Context, orderId: number): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`select from orders o where o.id = ${orderId} and ${OVER} for update of o`.execute(trx);
    if (rows.length === 0) return false;
    await sql`update order_key set wrapped = null, erased_at = now() where order_id = ${orderId} and erased_at is null`.execute(
      trx,
    );
    await sql`update sealed_credential set body_enc = null, erased_at = now() where order_id = ${orderId} and erased_at is null`.execute(
      trx,
    );
    await eraseExchange(trx, orderId);
    await sql`insert into order_process (order_id, order_status, explain, actor)
      select id, status, '保护期与保障已结束，密封信息已连同密钥清除', 'timer' from orders where id = ${orderId}`.execute(
      trx,
    );
    return true;
  });
}

/** Binds the sweep, every five minutes. */
export async function bindRetention(ctx: Context, effects: Effects): Promise<void> {
  effects.every(SWEEP, async () => {
    await eraseEnded(ctx);
    await schedule(ctx.db, SWEEP, '', { seconds: SWEEP_SECONDS });
  });
  await schedule(ctx.db, SWEEP, '', { seconds: SWEEP_SECONDS }, 'keep');
}
