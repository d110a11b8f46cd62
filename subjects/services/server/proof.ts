import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { accountIsSealed, type OrderTerms } from '#subjects/orders/server/service.ts';
import { isBoosterAbsent, isBuyerAbsent, loadMilestones, type ServiceRow } from './queries.ts';

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

/** What a running order without pictures lacks, and who is reminded of it. */
type Missing = 'booster' | 'buyer' | 'account' | 'picture';

interface Reminder {
  to: 'buyerId' | 'sellerId';
  what: string;
  text: (hours: number) => string;
}

const REMINDERS = {
  booster: { to: 'sellerId', what: '请上线并确认到场', text: () => '买家在等您上线，请在订单页点「我到了」' },
  buyer: { to: 'buyerId', what: '请上线并确认到场', text: () => '打手在等您上线，请在订单页点「我到了」' },
  account: { to: 'buyerId', what: '请提交账号资料', text: () => '打手在等您的账号资料，提交后才能开始' },
  picture: {
    to: 'sellerId',
    what: '请上传进度截图',
    text: (hours) => `已进行 ${hours} 小时没有截图，请在订单页提交进度，取消时按截图上的进度结算`,
  },
} as const satisfies Record<Missing, Reminder>;

async function missingOf(ctx: Context, trx: Trx, orderId: number, service: ServiceRow): Promise<Missing> {
  if (isBuyerAbsent(service)) return 'buyer';
  if (isBoosterAbsent(service)) return 'booster';
  return service.mode !== 'account' || (await accountIsSealed(ctx, trx, orderId)) ? 'picture' : 'account';
}

/**
 * A running order had no picture for the set time of work: its booster is reminded, or who has to come or to submit the account first.
 * Sends nothing while a stage is pending the buyer, a dispute is open or the service is paused. The caller holds both.
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
  const { to, what, text } = REMINDERS[await missingOf(ctx, trx, orderId, service)];
  const { rows } = await sql<{ title: string; at: number }>`
      select coalesce(snapshot->>'title', '') as title, extract(epoch from now())::bigint as at from orders where id = ${orderId}`.execute(
    trx,
  );
  const hours = Math.round(ctx.dir.setting('boosting').proofSeconds / 360) / 10;
  await emit(trx, 'notice', {
    kind: 'boost.proof',
    userId: order[to],
    ref: `service:${orderId}:proof:${rows[0]?.at ?? 0}`,
    values: { what, goods: rows[0]?.title ?? '', text: text(hours), orderSn: order.sn },
  });
}
