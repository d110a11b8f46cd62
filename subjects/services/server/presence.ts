/** Boosting in which the buyer plays along: both confirm that they are present, and without the buyer the booster loses nothing (decision 521). */
import { sql } from 'kysely';
import { spanText } from '#contract/rules/time/span.ts';
import type { ServiceState } from '../rules/service.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { addProcess, moveServiceDue } from '#subjects/orders/server/service.ts';
import { actorOf, type PartyService, isFreeToLeave, nameOf, notifyParty, otherRole } from './actions.ts';
import { expectProof } from './proof.ts';
import { isAnyoneAbsent, needsPresence } from './queries.ts';

/** Whether a party has reported being present. */
const isThere = ({ service, role }: PartyService): boolean =>
  (role === 'buyer' ? service.buyerStartAt : service.sellerStartAt) !== null;

/** Whether a party of a boosting order can report being present now. */
export const mayConfirmPresence = (current: PartyService): boolean =>
  needsPresence(current.service) && !isThere(current);

/**
 * Records that a party of a boosting order is present. The promised time runs from the moment at which both are (decision 748); until then
 * the order's deadline is the time to come. Who waits in vain for a time can leave: a booster free of charge, a buyer because the booster is
 * late. Throws ORDER_STATE.
 */
export async function confirmPresence(ctx: Context, trx: Trx, current: PartyService): Promise<ServiceState> {
  const { order, service, role } = current;
  if (!needsPresence(service)) throw errorOf('ORDER_STATE', 'presenceNotNeeded');
  if (isThere(current)) throw errorOf('ORDER_STATE', 'presenceConfirmed');
  const isOtherThere = (role === 'buyer' ? service.sellerStartAt : service.buyerStartAt) !== null;
  await arrive(ctx, trx, current, isOtherThere);
  await addProcess(trx, order, isOtherThere ? '双方到场，开始计时' : `${nameOf(current)}已到场`, actorOf(current));
  await notifyParty(trx, current, otherRole(current), {
    kind: 'service.order',
    ref: `there:${role}`,
    title: '对方已到场',
    text: isOtherThere ? '双方都已到场，约定时间从现在算起' : '请上线，并在订单页点「我到了」',
  });
  return service.state;
}

/** Throws ORDER_STATE while one of those who play together has not confirmed presence. */
export function requireBothPresent({ service }: Pick<PartyService, 'service'>): void {
  if (!isAnyoneAbsent(service)) return;
  throw errorOf('ORDER_STATE', service.sellerStartAt === null ? 'arriveFirst' : 'buyerNotThere');
}

/** Stores an arrival. The second one begins the promised time and the time of the next picture; the first sets until when it waits. */
async function arrive(ctx: Context, trx: Trx, { order, role }: PartyService, isOtherThere: boolean): Promise<void> {
  const { accountFreeSeconds } = ctx.dir.setting('boosting');
  const column = sql.ref(role === 'buyer' ? 'buyer_start_at' : 'seller_start_at');
  // A booster who does not come is late from the buyer's arrival on, so the first arrival of a buyer moves the deadline as well.
  const movesDue = role === 'buyer' || isOtherThere;
  const { rows } = await sql<{ due: Date | null }>`
    update service_order set ${column} = now(),
      account_free_at = case when not ${isOtherThere} then now() + make_interval(secs => ${accountFreeSeconds}) end,
      started_at = case when ${isOtherThere} then now() end,
      late_told_at = case when not ${movesDue} then late_told_at end,
      due_at = case when ${movesDue} then greatest(due_at, now() + make_interval(mins => minutes)) else due_at end
    where order_id = ${order.id} returning due_at as due`.execute(trx);
  if (!movesDue) return;
  const due = rows[0]?.due ?? new Date();
  await moveServiceDue(trx, order.id, due);
  await schedule(trx, 'service.late', order.id, due);
  if (isOtherThere) await expectProof(ctx, trx, order.id);
}

/** Returns which parties of a boosting order are present when both play; null for other orders. */
export function presenceView(ctx: Context, { service }: PartyService): HandlerResult<typeof serviceOrder>['presence'] {
  if (!needsPresence(service) || service.acceptedAt === null) return null;
  const { accountFreeSeconds } = ctx.dir.setting('boosting');
  return {
    buyerStarted: service.buyerStartAt !== null,
    sellerStarted: service.sellerStartAt !== null,
    freeTime: service.accountFreeAt,
    isFree: isFreeToLeave({ service }),
    waitText: spanText(accountFreeSeconds),
  };
}
