import { sql } from 'kysely';
import { type closeRefund, type pendingTransfers, refundOutcomes } from '#subjects/payments/contract/staff-pending.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { payChannelName } from '#subjects/payments/rules/pay-channels.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { PAYOUT_SINCE } from '#server/access/pending-transfers.ts';
import { closeRefundByHand, lockOpenRefund, PAYOUT_OVERDUE, REFUND_OVERDUE } from '../pending.ts';
import { approveRequest, openDraft, storeRequest } from '#server/staff/approvals.ts';

const ACTION = 'refund.close';
const MAX_ROWS = 100;

type Outcome = keyof typeof refundOutcomes;

interface Row {
  kind: 'refund' | 'payout';
  sn: string;
  channel: string;
  user_id: number;
  nick_name: string;
  amount_fen: number;
  code: string;
  asked_by: number | null;
  asked_name: string | null;
  asked_outcome: Outcome | null;
  asked_reason: string | null;
  since: Date;
}

/** Explanation of a pending code, for finance. */
function meaningOf({ ctx }: StaffCall, { kind, channel, code }: Row): string {
  if (code === '') return '还没有收到渠道的结果，正在每分钟重试';
  const known = ctx.pay.get(channel)?.explain?.(kind, code);
  // Our own reasons are already texts.
  return known ?? (/[\u4e00-\u9fff]/.test(code) ? code : '没有登记过的错误码，请在渠道的商户平台查看原因');
}

function askedOf(call: StaffCall, row: Row) {
  if (row.asked_name === null || row.asked_outcome === null) return null;
  return {
    name: row.asked_name,
    outcome: row.asked_outcome,
    outcomeName: refundOutcomes[row.asked_outcome],
    reason: row.asked_reason ?? '',
    isMine: row.asked_by === call.staff.id,
  };
}

/** Refunds and payouts that have been pending for too long. Throws FORBIDDEN. */
export async function listPendingTransfers(call: StaffCall): Promise<HandlerResult<typeof pendingTransfers>> {
  requirePlatform(call.staff, 'ledger.read');
  const { rows } = await sql<Row>`
    select p.kind, p.sn, p.channel, p.user_id, u.nick_name, p.amount_fen, p.code, a.asked_by, s.name as asked_name,
      a.payload ->> 'outcome' as asked_outcome, a.reason as asked_reason, p.since
    from (select 'refund' as kind, r.refund_no as sn, r.channel, r.user_id, r.amount_fen, coalesce(r.channel_reason, '') as code, r.created_at as since
          from refund r where ${REFUND_OVERDUE}
        union all select 'payout', w.sn, coalesce(w.channel, ''), w.user_id, w.amount_fen - w.fee_fen, coalesce(w.channel_reason, ''), ${PAYOUT_SINCE}
          from withdrawal w where ${PAYOUT_OVERDUE}) p
      join app_user u on u.id = p.user_id
      left join approval a on a.act = ${ACTION} and a.target = 'refund:' || p.sn and a.status = 'waiting' and a.expires_at > now()
      left join staff s on s.id = a.asked_by
    order by p.since limit ${MAX_ROWS}`.execute(call.ctx.db);
  return {
    list: rows.map((row) => ({
      kind: row.kind,
      sn: row.sn,
      channelName: payChannelName(row.channel) || row.channel,
      userId: String(row.user_id),
      nickName: row.nick_name,
      amount: row.amount_fen,
      code: row.code,
      meaning: meaningOf(call, row),
      canClose: row.kind === 'refund',
      asked: askedOf(call, row),
      sinceTime: row.since,
    })),
  };
}

/**
 * Records the outcome of a refund for which the channel gives no result. Two people must enter the same outcome. Throws
 * FORBIDDEN, FACTOR_REQUIRED, SECOND_PERSON, ORDER_STATE when it has ended or is being queried.
 */
export async function closeOpenRefund(
  call: StaffCall,
  { refundNo, outcome, reason }: Parsed<typeof closeRefund>,
): Promise<HandlerResult<typeof closeRefund>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'topup.refund');
  requireFactor(call);
  const { rows } = await sql<{ user_id: number; amount_fen: number }>`
    select r.user_id, r.amount_fen from refund r where r.refund_no = ${refundNo} and ${REFUND_OVERDUE}`.execute(ctx.db);
  const refund = rows[0];
  const ended = () => errorOf('ORDER_STATE', 'refundUnderWay');
  if (!refund) throw ended();
  const target = `refund:${refundNo}` as const;
  const { amount_fen: amountFen, user_id: userId } = refund;
  const request = { act: ACTION, target, amountFen, reason, distId: null, payload: { outcome } } as const;
  const draft = await openDraft<{ outcome: Outcome }>(ctx.db, ACTION, target);
  if (draft && draft.payload.outcome !== outcome)
    throw new AppError('SECOND_PERSON', {
      text: `同事登记的是“${refundOutcomes[draft.payload.outcome]}”，请核对后按同样的结果复核`,
    });
  // The request is stored under the refund's lock: otherwise two concurrent confirmations would leave a request for a
  // refund that has ended.
  const isClosed = await inTransaction(ctx.db, async (trx) => {
    if (!(await lockOpenRefund(trx, refundNo))) throw ended();
    const earlier = await storeRequest(trx, call, request);
    if (!earlier) return false;
    if (earlier.asked_by === staff.id) throw new AppError('SECOND_PERSON');
    if (!(await closeRefundByHand(trx, refundNo, outcome))) throw ended();
    await approveRequest(trx, call, request);
    await audit(trx, staff, ACTION, target, { userId, amountFen, outcome, reason }, ip);
    return true;
  });
  return { closed: isClosed };
}
