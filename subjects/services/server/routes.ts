import { sql } from 'kysely';
import { accompanyerApply, getAccompanyerInfo, updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { boosterApply, getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { serviceLabels } from '../rules/service.ts';
import {
  answerMilestone,
  placeServiceOrder,
  serviceAct,
  serviceBlock,
  serviceCancel,
  serviceOffer,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import type { Binding } from '#server/binding.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { lockedOrder } from '#subjects/orders/server/service.ts';
import { notifyParty, refuseOrder, resume, stopServiceJobs } from './actions.ts';
import { setBlock } from './blocks.ts';
import { applyBooster, boosterInfo, changeBooster } from './boosters.ts';
import { cancelUnanswered, runCancel } from './cancel.ts';
import { applyCompanion, changeCompanion, companionInfo } from './companions/record.ts';
import {
  companionCalendar,
  companionCards,
  companionFigures,
  companionTip,
} from '#subjects/services/contract/companions.ts';
import { loadCalendar, loadCards } from './companions/cards.ts';
import { loadFigures } from './companions/figures.ts';
import { endProlongationLater, endUncontested, noShow, timeOver } from './companions/play.ts';
import { releaseTip, tipCompanion } from './companions/tips.ts';
import { loadOffer, placeService } from './placing.ts';
import { answerOne, confirmAutomatically, reportProgress } from './progress.ts';
import { isPlaying, loadService, servicesAmong } from './queries.ts';
import { runAction } from './run-action.ts';
import { remindProof } from './proof.ts';
import { accountCame, accountMissing, remindAccount } from './begin.ts';
import { lateDue } from './late.ts';
import { bindBoosting } from './boosting/routes.ts';
import { bindRequests } from './requests/routes.ts';
import { acceptSecondsOf } from './terms.ts';
import { serviceView } from './view.ts';
import { bindServicesStaff } from './staff/routes.ts';

/** Gives the provider of a paid order the time to accept, and calls. */
async function startAccepting(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const service = await loadService(trx, orderId, true);
    if (service?.state !== 'pending' || service.acceptBy !== null) return;
    const order = await lockedOrder(trx, orderId);
    if (order.status !== OrderStatus.Paid) return;
    if (service.prolongsId !== null && !(await isPlaying(trx, service.prolongsId))) {
      await refuseOrder(ctx, trx, { order, service, role: 'seller' }, 'timer', '上一段已经结束');
      return;
    }
    const acceptSeconds = acceptSecondsOf(ctx, service);
    await sql`update service_order set accept_by = now() + make_interval(secs => ${acceptSeconds}) where order_id = ${orderId}`.execute(
      trx,
    );
    await schedule(trx, 'service.accept', orderId, { seconds: acceptSeconds });
    const text = `请在 ${Math.round(acceptSeconds / 60)} 分钟内接单，超时货款自动退回买家`;
    await notifyParty(trx, { order }, 'seller', { kind: 'service.order', ref: 'paid', title: '有新的订单', text });
  });
}

/** A timer that runs during an open case is set again for after this time. */
const RECHECK_SECONDS = 3600;

/** Returns the money of an order that was not accepted in time; while a case is open, it does nothing. */
async function expireAccepting(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    if (service?.state !== 'pending' || order.status !== OrderStatus.Paid) return;
    if (order.disputed) return await schedule(trx, 'service.accept', orderId, { seconds: RECHECK_SECONDS });
    await refuseOrder(
      ctx,
      trx,
      { order, service, role: 'seller' },
      'timer',
      `${serviceLabels(service.typeId).provider}超时未接单`,
    );
  });
}

/** Reminds of what is missing: the account, or the next picture. */
async function remind(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    if (!service) return;
    // A reminder that falls due during a case comes after it.
    if (order.disputed) return await schedule(trx, 'service.proof', orderId, { seconds: RECHECK_SECONDS });
    if (service.typeId === BOOSTING && service.state === 'waiting') await remindAccount(ctx, trx, { order });
    else await remindProof(ctx, trx, { order, service });
  });
}

/** Ends a pause that lasted too long. */
async function endPause(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    if (service?.state !== 'paused') return;
    if (order.disputed) return await schedule(trx, 'service.resume', orderId, { seconds: RECHECK_SECONDS });
    await resume(trx, { order, service, role: 'seller' }, 'timer');
  });
}

/** Boosters and companions, their packages, and the orders of services. */
export function bindServices(binding: Binding): void {
  const { server, effects } = binding;
  bindServicesStaff(binding);
  server.serve(boosterApply, applyBooster);
  server.serve(getBoosterInfo, boosterInfo);
  server.serve(updateBooster, changeBooster);
  server.serve(accompanyerApply, applyCompanion);
  server.serve(getAccompanyerInfo, companionInfo);
  server.serve(updateAccompanyer, changeCompanion);
  server.serve(companionCalendar, loadCalendar);
  server.serve(companionCards, loadCards);
  server.serve(companionTip, tipCompanion);
  server.serve(companionFigures, loadFigures);
  server.serve(serviceOffer, loadOffer);
  server.serve(placeServiceOrder, placeService);
  server.serve(serviceOrder, serviceView);
  server.serve(serviceAct, runAction);
  server.serve(serviceProgress, reportProgress);
  server.serve(answerMilestone, answerOne);
  server.serve(serviceCancel, runCancel);
  server.serve(serviceBlock, setBlock);
  effects.onMany('order.paid', async (ctx, events) => {
    for (const id of await servicesAmong(ctx.db, orderIdsOf(events))) await startAccepting(ctx, id);
  });
  for (const ended of ['order.cancelled', 'order.completed', 'order.ruled'] as const)
    effects.onMany(ended, async (ctx, events) => {
      for (const id of await servicesAmong(ctx.db, orderIdsOf(events))) {
        await stopServiceJobs(ctx.db, id);
        await endProlongationLater(ctx, id);
      }
    });
  effects.timer('service.accept', expireAccepting);
  effects.timer('service.milestone', confirmAutomatically);
  effects.timer('service.cancelAnswer', cancelUnanswered);
  effects.timer('service.resume', endPause);
  effects.on('order.sealed', (ctx, { orderId }) => accountCame(ctx, orderId));
  effects.timer('service.account', accountMissing);
  effects.timer('service.proof', remind);
  effects.timer('service.late', lateDue);
  bindRequests(binding);
  bindBoosting(binding);
  effects.timer('service.tip', releaseTip);
  effects.timer('service.noShow', noShow);
  effects.timer('service.playEnd', timeOver);
  effects.timer('service.endFinal', endUncontested);
}
