import { sql } from 'kysely';
import { type ServiceState, unplayedFen } from '../../rules/service.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import {
  applyTransition,
  endService,
  finishServiceSteps,
  markServiceDelivered,
} from '#subjects/orders/server/service.ts';
import { type PartyService, notifyParty, stopServiceJobs } from '../actions.ts';
import type { ServiceRow } from '../queries.ts';

interface Why {
  actor: string;
  note: string;
}

/** The refund, in fen, after this many minutes of play; within the trial the full price. */
export function backFor(service: ServiceRow, goodsFen: number, played: number): number {
  const counted = played <= (service.form.trialMinutes ?? 0) ? 0 : played;
  return unplayedFen(goodsFen, counted, service.minutes);
}

/** All hours were played: the buyer accepts as after any delivery, or it is accepted automatically. */
async function deliverWhole(ctx: Context, trx: Trx, { order }: PartyService, actor: string): Promise<ServiceState> {
  await finishServiceSteps(ctx, trx, order.id, { actor, pictures: [], needsAccount: false });
  await markServiceDelivered(trx, order.id);
  await applyTransition(ctx, trx, { name: 'ship', order, role: 'service', actor });
  return 'checking';
}

/** Ends an order with a given refund, and notifies both parties. */
export async function settle(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  backFen: number,
  why: Why,
): Promise<ServiceState> {
  const { order } = current;
  await stopServiceJobs(trx, order.id);
  if (backFen === 0) return await deliverWhole(ctx, trx, current, why.actor);
  const { buyerFen, sellerFen } = await endService(ctx, trx, order, backFen, why);
  const { rows } = await sql<{ may: boolean }>`select order_may_be_rated(${order.id}) as may`.execute(trx);
  const rate = rows[0]?.may === true ? '；可以在订单页评价对方' : '';
  const text = {
    buyer: `退回您 ${yuanLabel(buyerFen)} 元`,
    seller: `您到手 ${yuanLabel(sellerFen)} 元，过保护期到余额`,
  };
  for (const role of ['buyer', 'seller'] as const)
    await notifyParty(trx, current, role, {
      kind: 'service.order',
      ref: `settled:${role}`,
      title: '陪玩已结束',
      text: `${why.note}。${text[role]}${rate}`,
    });
  return 'ended';
}
