import { PaymentStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { watchPayment } from './watch.ts';

interface Wish {
  orderId?: number | undefined;
  deposit?: { role: string } | undefined;
  /** The top-up payment that this one replaces. */
  instead?: string | undefined;
}

/** The payments that a new one replaces; undefined when it replaces none. */
function replacedBy({ orderId, deposit, instead }: Wish): RawBuilder<unknown> | undefined {
  if (orderId !== undefined) return sql`purpose = 'order' and order_id = ${orderId}`;
  if (deposit)
    return sql`purpose = 'deposit' and deposit_role = ${deposit.role} and status = ${sql.lit(PaymentStatus.Pending)}`;
  return instead === undefined ? undefined : sql`purpose = 'topup' and pay_rand = ${instead}`;
}

/**
 * Closes, at their channels, the payer's pending payments for the same purpose before another is created, so that two payments for it are
 * never open at the same time. A channel that does not respond blocks nothing: its payment is closed once it responds, and money that still
 * arrives through it is returned. Returns the first payment of the chain; null for an order or when nothing is replaced. Throws PAY_ALREADY
 * when one of them was paid.
 */
export async function dropAttempts({ ctx, user }: UserCall, wish: Wish): Promise<number | null> {
  const which = replacedBy(wish);
  if (!which) return null;
  const { rows } = await sql<{ id: number; root: number; status: number }>`
    select id, coalesce(attempt_of, id) as root, status from payment where user_id = ${user.id} and ${which} order by id`.execute(
    ctx.db,
  );
  await Promise.all(rows.filter(({ status }) => status === PaymentStatus.Pending).map(({ id }) => drop(ctx, id)));
  const ids = rows.map(({ id }) => id);
  const root = wish.orderId === undefined ? (rows[0]?.root ?? null) : null;
  const { rows: paid } = await sql`
    select from payment where status = ${sql.lit(PaymentStatus.Paid)} and (id = any(${ids}) or id = ${root} or attempt_of = ${root}) limit 1`.execute(
    ctx.db,
  );
  if (paid.length > 0) throw new AppError('PAY_ALREADY');
  return root;
}

async function drop(ctx: Context, id: number): Promise<void> {
  await sql`update payment set dropped_at = now() where id = ${id} and status = ${sql.lit(PaymentStatus.Pending)} and dropped_at is null`.execute(
    ctx.db,
  );
  await watchPayment(ctx, id);
}
