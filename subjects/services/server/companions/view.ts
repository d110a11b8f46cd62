import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import { splitEscrow } from '#subjects/disputes/rules/ruling.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { PartyService } from '../actions.ts';
import { loadClocks, loadProlongation } from '../queries.ts';
import { companionSetting } from '../terms.ts';
import { minutesNow } from './play.ts';
import { backFor } from './settle.ts';
import { freeUntil } from './start.ts';
import { loadTips } from './tips.ts';

async function loadSn(db: Trx, orderId: number): Promise<string | null> {
  const { rows } = await sql<{ sn: string }>`select sn from orders where id = ${orderId}`.execute(db);
  return rows[0]?.sn ?? null;
}

/**
 * Companion play as its order's page shows it: which parties are present, the clocks, and the payment for the play so
 * far. Null for boosting and before acceptance.
 */
export async function companionView(
  ctx: Context,
  trx: Trx,
  { order, service, role }: PartyService,
): Promise<HandlerResult<typeof serviceOrder>['play']> {
  if (service.typeId !== COMPANION_PLAY || service.acceptedAt === null) return null;
  const clocks = await loadClocks(trx, order.id);
  const { startedAt, endBy } = service;
  const played = service.playedMinutes ?? (service.state === 'working' ? minutesNow(service) : null);
  const backFen = backFor(service, order.goodsFen, played ?? 0);
  const split = splitEscrow(order, backFen);
  const tips = await loadTips(trx, order.id);
  return {
    orderedMinutes: service.minutes,
    startTime: service.startsAt,
    bookedTime: service.prolongsId === null ? service.bookedAt : null,
    freeUntil: service.state === 'waiting' && service.prolongsId === null ? freeUntil(service) : null,
    prolongsSn: service.prolongsId === null ? null : await loadSn(trx, service.prolongsId),
    prolongedSn: (await loadProlongation(trx, order.id))?.sn ?? null,
    tipped: tips.tippedFen,
    tipLeft: tips.leftFen,
    noShowMinutes: Math.round(companionSetting(ctx).noShowSeconds / 60),
    noShowTime: clocks['service.noShow'] ?? null,
    buyerStarted: service.buyerStartAt !== null,
    sellerStarted: service.sellerStartAt !== null,
    startedTime: startedAt,
    endBy: endBy === null ? null : endBy === 0 ? 'buyer' : 'seller',
    finalTime: clocks['service.endFinal'] ?? null,
    playedMinutes: played,
    trialMinutes: service.form.trialMinutes ?? 0,
    back: split.buyerFen,
    seller: role === 'seller' ? split.sellerFen : null,
  };
}
