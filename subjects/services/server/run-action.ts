import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { serviceAct } from '#subjects/services/contract/services.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type ServiceActionResult, giveUp, partyAction, pause, refuseOrder, resume } from './actions.ts';
import { accept } from './begin.ts';
import { reportLogIn } from './boosting/log-in.ts';
import { acceptEvening, cancelAccepted, confirmStart } from './companions/start.ts';
import { confirmPresence } from './presence.ts';
import { agreeEnd, proposeEnd, stopAtOnce } from './companions/play.ts';

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
  const reason = publishable(ctx.blockedWords, '原因', input.reason ?? '', 'reason');
  return await partyAction(call, orderId, action, async (trx, current) => {
    const isCompanion = current.service.typeId === COMPANION_PLAY;
    switch (action) {
      case 'accept':
        return isCompanion ? await acceptEvening(ctx, trx, current) : await accept(ctx, trx, current);
      case 'decline':
        return await refuseOrder(ctx, trx, current, 'seller', `对方没有接单：${reason}`);
      case 'giveUp':
        return isCompanion ? await cancelAccepted(ctx, trx, current, reason) : await giveUp(ctx, trx, current, reason);
      case 'pause':
        return await pause(ctx, trx, current);
      case 'resume':
        return await resume(trx, current, `user:${user.id}`);
      case 'cannotLogIn':
        return await reportLogIn(trx, current);
      case 'start':
        return isCompanion ? await confirmStart(trx, current) : await confirmPresence(ctx, trx, current);
      case 'end':
        return await proposeEnd(ctx, trx, current);
      case 'agreeEnd':
        return await agreeEnd(ctx, trx, current);
      default:
        return await stopAtOnce(ctx, trx, current, reason);
    }
  });
}
