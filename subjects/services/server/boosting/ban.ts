import { sql } from 'kysely';
import type { boostBan } from '#subjects/services/contract/boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { AppError } from '#server/kernel/errors.ts';
import { insertDispute } from '#subjects/disputes/server/service.ts';
import { actorOf, lockedService, nameOf, notifyParty, otherRole } from '../actions.ts';
import { mayReportBan } from '../boosting-view.ts';

/** Reason of the disputes that a report opens (db/migrations/0001_baseline.sql). */
const REASON = 'account_punished';

/**
 * Reports that the account was punished: the case is opened immediately, which stops every clock and closes the form,
 * and both deposits stay frozen until the ruling. Throws ORDER_NOT_FOUND, ORDER_STATE, ORDER_DISPUTED, DISPUTE_*,
 * BAD_INPUT, PICTURE_BROKEN.
 */
export async function reportBan(
  call: UserCall,
  input: Parsed<typeof boostBan>,
): Promise<HandlerResult<typeof boostBan>> {
  const { ctx, user, idem } = call;
  const { orderId, pictures } = input;
  if (pictures.length === 0) throw new AppError('BAD_INPUT', { text: '请上传处罚通知的截图', field: 'pictures' });
  const punishment = publishable(ctx.blockedWords, '处罚内容', input.punishment, 'punishment');
  return await orEarlier(ctx.db, idem, async () =>
    inTransaction(ctx.db, async (trx) =>
      idempotent(trx, idem, async () => {
        const current = await lockedService(trx, orderId, user.id);
        if (current.order.disputed)
          throw new AppError('ORDER_DISPUTED', { text: '这笔订单已在申诉中，请在申诉里补充凭证' });
        if (!mayReportBan(current)) throw new AppError('ORDER_STATE');
        const opened = await insertDispute(call, trx, current.order, {
          orderSn: current.order.sn,
          reason: REASON,
          want: 'other',
          wantAmount: undefined,
          answers: { punishment },
          text: publishable(ctx.blockedWords, '说明', input.text, 'text'),
          pictures: pictures.slice(0, 6),
        });
        await sql`update service_order set ban_reported_at = now(), ban_reported_by = ${current.role === 'buyer' ? 0 : 1} where order_id = ${orderId}`.execute(
          trx,
        );
        await sql`insert into service_progress (order_id, actor, kind, text) values (${orderId}, ${actorOf(current)}, 'exception', ${`账号被处罚：${punishment}`})`.execute(
          trx,
        );
        await notifyParty(trx, current, otherRole(current), {
          kind: 'boost.ban',
          ref: `ban:${opened.disputeSn}`,
          title: `${nameOf(current)}上报账号被处罚`,
          text: `${punishment}。计时已停，两笔保证金冻结到结案，请在申诉里说明`,
        });
        return opened;
      }),
    ),
  );
}
