import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { accountIsSealed, type OrderTerms } from '#subjects/orders/server/service.ts';
import { isBuyerAbsent, loadMilestones, type ServiceRow } from './queries.ts';

/**
 * Schedules the next picture after a set working time; called after acceptance, a picture, or a reminder. The caller
 * holds the service.
 */
export async function expectProof(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  const { proofSeconds } = ctx.dir.setting('boosting');
  await sql`update service_order set proof_due_at = now() + make_interval(secs => ${proofSeconds}) where order_id = ${orderId} and type_id = ${BOOSTING}`.execute(
    trx,
  );
  await schedule(trx, 'service.proof', orderId, { seconds: proofSeconds });
}

/** Stops the clock of the next picture while the service is paused. */
export const stopProof = async (trx: Trx, orderId: number): Promise<void> => cancel(trx, 'service.proof', orderId);

/**
 * Resumes the clock of the next picture after a pause with its remaining time; `due` is null when it had not started.
 */
export async function resumeProof(trx: Trx, orderId: number, due: Date | null): Promise<void> {
  if (due) await schedule(trx, 'service.proof', orderId, { seconds: Math.max(0, (due.getTime() - Date.now()) / 1000) });
}

/**
 * A running order had no picture for the set time of work: its booster is reminded, or its buyer where the account is
 * still missing. Sends nothing while a stage is pending the buyer, a dispute is open or the service is paused. The
 * caller holds both.
 */
export async function remindProof(
  ctx: Context,
  trx: Trx,
  { order, service }: { order: OrderTerms; service: ServiceRow },
): Promise<void> {
  const orderId = order.id;
  if (service.typeId !== BOOSTING || service.state !== 'working') return;
  await expectProof(ctx, trx, orderId);
  if ((await loadMilestones(trx, orderId)).some(({ state }) => state === 'submitted')) return;
  const isAbsent = isBuyerAbsent(service);
  const isReady = service.mode === 'account' ? await accountIsSealed(ctx, trx, orderId) : !isAbsent;
  const { rows } = await sql<{ title: string; at: number }>`
      select coalesce(snapshot->>'title', '') as title, extract(epoch from now())::bigint as at from orders where id = ${orderId}`.execute(
    trx,
  );
  const hours = Math.round(ctx.dir.setting('boosting').proofSeconds / 360) / 10;
  await emit(trx, 'notice', {
    kind: 'boost.proof',
    userId: isReady ? order.sellerId : order.buyerId,
    ref: `service:${orderId}:proof:${rows[0]?.at ?? 0}`,
    values: {
      what: isReady ? '请上传进度截图' : isAbsent ? '请上线并确认到场' : '请提交账号资料',
      goods: rows[0]?.title ?? '',
      text: isReady
        ? `已进行 ${hours} 小时没有截图，请在订单页提交进度，取消时按截图上的进度结算`
        : isAbsent
          ? '打手在等您上线，请在订单页点「我到了」'
          : '打手在等您的账号资料，提交后才能开始',
      orderSn: order.sn,
    },
  });
}
