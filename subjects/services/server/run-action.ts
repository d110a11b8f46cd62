import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { serviceAct } from '#subjects/services/contract/services.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type ServiceActionResult, giveUp, partyAction, pause, refuseOrder, resume } from './actions.ts';
import { accept } from './begin.ts';
import { reportLogIn } from './boosting/log-in.ts';
import { acceptEvening, cancelAccepted, pressStart } from './companions/start.ts';
import { confirmPresence } from './presence.ts';
import { agreeEnd, pressEnd, stopAtOnce } from './companions/play.ts';

const NEEDS_REASON = new Set(['decline', 'giveUp']);

/**
 * Accepts, declines, gives up, pauses, resumes, starts, ends, agrees or stops. Throws ORDER_NOT_FOUND, ORDER_STATE, ORDER_FORBIDDEN,
 * ORDER_DISPUTED, SERVICE_CLOSED, BALANCE_LOW, BAD_INPUT.
 */
export async function runAction(call: UserCall, input: Parsed<typeof serviceAct>): Promise<ServiceActionResult> {
  const { ctx, user } = call;
  const { orderId, act: action } = input;
  if (NEEDS_REASON.has(action) && !input.reason)
    throw new AppError('BAD_INPUT', { text: '请填写原因', field: 'reason' });
  const reason = publishable(ctx.words, '原因', input.reason ?? '', 'reason');
  return await partyAction(call, orderId, action, async (trx, held) => {
    const isCompanion = held.service.typeId === COMPANION_PLAY;
    switch (action) {
      case 'accept':
        return isCompanion ? await acceptEvening(ctx, trx, held) : await accept(ctx, trx, held);
      case 'decline':
        return await refuseOrder(ctx, trx, held, 'seller', `对方没有接单：${reason}`);
      case 'giveUp':
        return isCompanion ? await cancelAccepted(ctx, trx, held, reason) : await giveUp(ctx, trx, held, reason);
      case 'pause':
        return await pause(ctx, trx, held);
      case 'resume':
        return await resume(trx, held, `user:${user.id}`);
      case 'cannotLogIn':
        return await reportLogIn(trx, held);
      case 'start':
        return isCompanion ? await pressStart(trx, held) : await confirmPresence(ctx, trx, held);
      case 'end':
        return await pressEnd(ctx, trx, held);
      case 'agreeEnd':
        return await agreeEnd(ctx, trx, held);
      default:
        return await stopAtOnce(ctx, trx, held, reason);
    }
  });
}
