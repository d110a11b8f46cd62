import { sql } from 'kysely';
import { stepActor } from '../../rules/exchange.ts';
import { OrderStatus } from '../../rules/order-status.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ensureHandover } from './handover.ts';
import { openHandover, type OpenStep } from '../queries.ts';
import { lateSeconds, type Resumed, WARN_SECONDS } from './late-times.ts';
import type { OrderTerms, TransitionName } from '../rules.ts';

const actorNames = { buyer: '买家', seller: '卖家', staff: '平台客服' } as const;

/** The missing steps with their current actors as text: 「换绑手机」（买家）. */
export const missingText = (open: readonly OpenStep[]): string =>
  open.map((step) => `「${step.title}」（${actorNames[stepActor(step)]}）`).join('、');

/** The open required steps that keep the seller's money in escrow: the seller's and staff's, and a buyer's that waits for the seller's code. */
export const blockingRelease = (open: readonly OpenStep[]): OpenStep[] => open.filter(({ blocks }) => blocks);

/**
 * The buyer's last required step, the receipt, which confirming completes as well. Undefined when another step is still open or the step
 * requires pictures.
 */
export function receiptOf<S extends Receipt>(open: readonly S[]): S | undefined {
  const [only, ...others] = open;
  return only && others.length === 0 && isReceipt(only) ? only : undefined;
}

type Receipt = Pick<OpenStep, 'actor' | 'beforeShip' | 'evidence'>;
const isReceipt = ({ actor, beforeShip, evidence }: Receipt): boolean => actor === 'buyer' && !beforeShip && !evidence;

/** The open steps without a final receipt, which the confirmation itself completes. */
function withoutReceipt(open: readonly OpenStep[]): readonly OpenStep[] {
  const last = open.at(-1);
  return last && open.length > 1 && isReceipt(last) ? open.slice(0, -1) : open;
}

/**
 * Checks the required steps of a transition: shipping requires those before it, completing requires all steps of the seller and of staff,
 * and the buyer's own confirmation also the buyer's. Returns the step that the confirmation completes. The database checks again
 * (order_steps_done). Throws ORDER_HANDOVER_OPEN, which names the missing steps.
 */
export async function requireSteps(
  ctx: Context,
  db: Trx,
  order: OrderTerms,
  name: TransitionName,
): Promise<number | undefined> {
  await ensureHandover(ctx, db, order.id);
  const open = await openHandover(db, order.id, name === 'ship');
  const receipt = name === 'confirm' ? receiptOf(open) : undefined;
  if (receipt) return receipt.step;
  const blocking = name === 'confirm' ? withoutReceipt(open) : name === 'ship' ? open : blockingRelease(open);
  const [first] = blocking;
  if (first)
    throw new AppError('ORDER_HANDOVER_OPEN', {
      text: `请先完成${missingText(blocking)}`,
      ...(first.secret && first.actor === 'seller' && { call: 'POST /api/order/sealSecret' }),
    });
  return undefined;
}

/** Whether the seller's money must stay in escrow, for any actor. The caller holds the order's lock. */
export async function isReleaseBlocked(ctx: Context, trx: Trx, orderId: number): Promise<boolean> {
  await ensureHandover(ctx, trx, orderId);
  return blockingRelease(await openHandover(trx, orderId, false)).length > 0;
}

/**
 * Stops the auto-confirm clock of an order whose time is over while required steps of the seller or of staff are open: it stays stopped
 * until they are done, customer service is called, and both parties are notified of the missing steps. Does nothing when the steps were
 * done or the order's state changed meanwhile.
 */
export async function stopConfirm(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ status: number; disputed: boolean; stopped: boolean }>`
      select status, disputed, confirm_stopped_at is not null as stopped from orders where id = ${orderId} for update`.execute(
      trx,
    );
    const order = rows[0];
    if (order?.status !== OrderStatus.Shipped || order.disputed || order.stopped) return;
    const missing = blockingRelease(await openHandover(trx, orderId, false));
    if (missing.length === 0) return await startConfirm(trx, orderId);
    await sql`update orders set confirm_stopped_at = now(), auto_confirm_at = null where id = ${orderId}`.execute(trx);
    await cancel(trx, 'order.autoConfirm', orderId);
    await waitForSteps(trx, orderId, { isAnew: false, hasLastDay: false });
    const text = missingText(missing);
    await record(trx, orderId, `验收期已到，但${text}还没有完成，自动确认已停止，货款继续由平台托管，客服已介入`);
    await emit(trx, 'order.confirmStopped', { orderId, missing: text });
    const card = {
      orderId,
      key: `confirm-stopped-${missing[0]?.step}`,
      card: 'order.stepMissing',
      title: '自动确认已停止，请客服跟进',
      content: `还差${text}。完成前货款不会放给卖家，完成后重新计算验收时间`,
    };
    await emit(trx, 'chat.card', card);
  });
}

const record = async (trx: Trx, orderId: number, explain: string): Promise<void> => {
  await sql`insert into order_process (order_id, order_status, explain, actor) values (${orderId}, ${OrderStatus.Shipped}, ${explain}, 'timer')`.execute(
    trx,
  );
};

/** The minimum time for inspection after the last missing step was done, in seconds, by the current setting. */
const STEPS_DONE_SECONDS = sql`(setting_now('order')->>'stepsDoneSeconds')::int`;

/**
 * Restarts a shipped order's auto-confirm clock once no step of the seller or of staff is missing: the buyer has at
 * least `order.stepsDoneSeconds` for inspection, and at least the remaining time. The caller holds the order's lock. A
 * dispute keeps the clock stopped; its end restarts it (`disputeEnds`).
 */
export async function startConfirm(trx: Trx, orderId: number, at: { disputeEnds?: boolean } = {}): Promise<void> {
  const { rows } = await sql<{ was: boolean; until: Date }>`
    update orders o set confirm_stopped_at = null,
      auto_confirm_at = greatest(o.auto_confirm_at, now() + make_interval(secs => ${STEPS_DONE_SECONDS}))
    from orders before where o.id = ${orderId} and before.id = o.id and o.status = ${OrderStatus.Shipped}
      and (not o.disputed or ${at.disputeEnds === true})
    returning before.confirm_stopped_at is not null as was, o.auto_confirm_at as until`.execute(trx);
  const started = rows[0];
  if (!started) return;
  await schedule(trx, 'order.autoConfirm', orderId, started.until);
  if (!started.was) return;
  await record(trx, orderId, '必做步骤已全部完成，验收时间重新开始计算');
  await emit(trx, 'order.confirmResumed', { orderId });
}

/**
 * Restarts the clock of a shipped order that was stopped for missing steps when a dispute was opened, if none is
 * missing now; otherwise it waits for them, `isAnew` with its whole time, `hasLastDay` with at least a day.
 */
export async function resumeAfterDispute(trx: Trx, orderId: number, how: Required<Resumed>): Promise<void> {
  if (blockingRelease(await openHandover(trx, orderId, false)).length === 0)
    await startConfirm(trx, orderId, { disputeEnds: true });
  else await waitForSteps(trx, orderId, how);
}

/**
 * Schedules the time at which customer service decides about a shipped order, in case its missing steps are not done by
 * then.
 */
async function waitForSteps(trx: Trx, orderId: number, { isAnew, hasLastDay }: Required<Resumed>): Promise<void> {
  const { rows } = await sql<{ until: Date }>`
    update orders set confirm_stopped_at = case when ${isAnew} then now()
      when ${hasLastDay} then greatest(confirm_stopped_at, now() + make_interval(secs => ${WARN_SECONDS} - ${lateSeconds})) else confirm_stopped_at end
    where id = ${orderId} and status = ${OrderStatus.Shipped} and confirm_stopped_at is not null
    returning confirm_stopped_at + make_interval(secs => ${lateSeconds}) as until`.execute(trx);
  if (rows[0]) await schedule(trx, 'order.late', orderId, rows[0].until);
}

/** Whether a shipped order has waited too long for its missing steps; otherwise schedules the next check. The caller holds its lock. */
export async function isStoppedTooLong(trx: Trx, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ until: Date; isOver: boolean }>`
    select s.until, s.until <= now() as "isOver" from (select confirm_stopped_at + make_interval(secs => ${lateSeconds}) as until from orders
      where id = ${orderId} and status = ${OrderStatus.Shipped} and not disputed and confirm_stopped_at is not null) s`.execute(
    trx,
  );
  if (rows[0]?.isOver === false) await schedule(trx, 'order.late', orderId, rows[0].until);
  return rows[0]?.isOver === true;
}
