import { PaymentStatus, RefundStatus } from '#contract/rules/statuses.ts';
import { payChannelName } from '#subjects/payments/rules/pay-channels.ts';
import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/payments/contract/staff-topups.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { earlierResult, idempotent } from '#server/db/idempotent.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { refundTopup } from '../refunds.ts';
import { approveRequest, requestOrConfirm, openDraft, secondPersonFen } from '#server/staff/approvals.ts';
import { audit } from '#server/audit/audit.ts';
import { auditUserSearch, ownerFilter } from '#subjects/accounts/server/service.ts';
import { amounting, type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

const ACTION = 'topup.refund';

type List = HandlerResult<typeof c.staffTopupList>;

interface Row {
  id: number;
  sort_key: string;
  inter_sn: string;
  channel: string;
  user_id: number;
  nick_name: string;
  amount_fen: number;
  gone: number;
  under_way: number;
  balance: number;
  in_time: boolean;
  asked_by: number | null;
  asked_name: string | null;
  asked_fen: number | null;
  asked_reason: string | null;
  paid_at: Date;
}

const FROM = sql`payment p join app_user u on u.id = p.user_id`;

const ARRIVED = sql`p.status = ${sql.lit(PaymentStatus.Paid)} and p.purpose in ('topup', 'deposit')`;

/** SQL: the pending request for a refund of payment `p`. */
const IS_ASKED = sql`a.act = 'topup.refund' and a.target = 'payment:' || p.id and a.status = 'waiting' and a.expires_at > now()`;
const PAID_AT = sql`coalesce(p.paid_at, p.created_at)`;

const SORTS = {
  payTime: { by: PAID_AT, kind: 'time' },
  amount: { by: sql`p.amount_fen`, kind: 'number' },
} as const;

function filterOf(call: StaffRead, input: Parsed<typeof c.staffTopupList>): RawBuilder<unknown> {
  const parts = [ARRIVED];
  const { keyWord } = input;
  if (input.channel !== undefined) parts.push(sql`p.channel = any(${input.channel}::text[])`);
  if (input.amount !== undefined) parts.push(amounting(sql`p.amount_fen`, input.amount));
  if (input.payTime !== undefined) parts.push(during(PAID_AT, input.payTime));
  if (input.refunded === true)
    parts.push(
      sql`exists (select from refund f where f.payment_id = p.id and f.status <> ${sql.lit(RefundStatus.Failed)})`,
    );
  if (input.second === true) parts.push(sql`exists (select from approval a where ${IS_ASKED})`);
  if (input.newerThan !== undefined) parts.push(sql`${PAID_AT} > ${input.newerThan}`);
  if (keyWord !== undefined) {
    const byNumber = sql`(p.inter_sn = ${keyWord} or p.channel_trade_no = ${keyWord})`;
    parts.push(ownerFilter(call, keyWord, { owner: sql`p.user_id`, byNumber }));
  }
  return sql.join(parts, sql` and `);
}

/** Why a top-up cannot be refunded; empty when it can. */
function refundBlockedReason(row: Row, refundable: number): string {
  if (row.amount_fen <= row.gone) return '已全部退回';
  if (!row.in_time) return '超过渠道退款期限';
  return refundable > 0 ? '' : '用户余额不足';
}

function itemOf(call: StaffRead, row: Row): List['list'][number] {
  const refundable = row.in_time ? Math.max(0, Math.min(row.amount_fen - row.gone, row.balance)) : 0;
  return {
    paymentId: row.id,
    interSn: row.inter_sn,
    channelName: payChannelName(row.channel) || row.channel,
    userId: String(row.user_id),
    nickName: row.nick_name,
    amount: row.amount_fen,
    refunded: row.gone,
    underWay: row.under_way,
    refundable,
    closed: refundBlockedReason(row, refundable),
    askedBy: row.asked_name,
    askedAmount: row.asked_fen,
    askedReason: row.asked_reason,
    isMine: row.asked_by === call.staff.id,
    payTime: row.paid_at,
  };
}

/** Received top-ups with the refundable amount of each. Throws FORBIDDEN. */
export async function listTopups(
  call: StaffRead,
  input: Parsed<typeof c.staffTopupList>,
  batch?: Batch,
): Promise<List> {
  requirePlatform(call.staff, 'ledger.read');
  const { db, dir } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`p.id`, batch);
  const { days } = dir.setting('refund');
  const { rows } = await sql<Row>`
    select p.id, ${page.key} as sort_key, p.inter_sn, p.channel, p.user_id, u.nick_name, p.amount_fen, ${PAID_AT} as paid_at, r.gone, r.under_way,
      coalesce((select balance from ledger_account where key = 'user:' || p.user_id || ':available'), 0) as balance,
      coalesce(p.paid_at > now() - make_interval(days => ${days}), false) as in_time,
      a.asked_by, s.name as asked_name, a.amount_fen as asked_fen, a.reason as asked_reason
    from ${FROM} cross join lateral (
        select coalesce(sum(amount_fen) filter (where status <> ${sql.lit(RefundStatus.Failed)}), 0)::bigint as gone,
          coalesce(sum(amount_fen) filter (where status = ${sql.lit(RefundStatus.Pending)}), 0)::bigint as under_way from refund where payment_id = p.id) r
      left join approval a on ${IS_ASKED}
      left join staff s on s.id = a.asked_by
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  const sns = result.rows.map((row) => row.inter_sn);
  await auditUserSearch(call, 'topup', input.keyWord, sns, { byName: true });
  return {
    list: result.rows.map((row) => itemOf(call, row)),
    secondPerson: secondPersonFen(call),
    ...(await loadTotals(db, sql`${FROM} where ${filter}`, { fen: sql`p.amount_fen`, batch })),
    next: result.next,
    now: new Date(),
  };
}

/** Refunds by staff to the payment's owner within a day, in fen, so that a large sum cannot be split. */
async function sentToday(trx: Trx, paymentId: number): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(r.amount_fen), 0)::bigint as fen from refund r join payment p on p.user_id = r.user_id
    where p.id = ${paymentId} and r.cause = 'staff' and r.status <> ${sql.lit(RefundStatus.Failed)} and r.created_at > now() - interval '1 day'`.execute(
    trx,
  );
  return rows[0]?.fen ?? 0;
}

type Refunded = HandlerResult<typeof c.refundTopup>;

/**
 * Refunds a top-up to its source. Above the limit the first call stores a request and another person's call with the same amount refunds.
 * Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, SECOND_PERSON, TOPUP_REFUND, PAY_AMOUNT, BALANCE_LOW.
 */
export async function refundOne(call: StaffCall, input: Parsed<typeof c.refundTopup>): Promise<Refunded> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'topup.refund');
  requireFactor(call);
  const earlier = await earlierResult<Refunded>(ctx.db, call.idem);
  if (earlier) return earlier;
  const { paymentId, amount: amountFen, reason } = input;
  const target = `payment:${paymentId}` as const;
  const request = { act: ACTION, target, amountFen, reason, distId: null, payload: { amountFen } } as const;
  const limit = secondPersonFen(call);
  const draft = await openDraft<{ amountFen: number }>(ctx.db, ACTION, target);
  const needsSecond = draft !== undefined || amountFen + (await sentToday(ctx.db, paymentId)) > limit;
  if (draft && draft.payload.amountFen !== amountFen)
    throw new AppError('PAY_AMOUNT', {
      text: `已有同事申请退回 ${yuanLabel(draft.payload.amountFen)} 元，请按该金额复核`,
    });
  if (needsSecond) {
    await requireArrived(ctx.db, paymentId);
    // A person who saw a colleague's request decides on it, and creates no request of their own when that one was
    // already decided.
    const requireFirst = (): void => {
      if (draft) throw new AppError('TOPUP_REFUND', { text: '同事刚处理了这笔退回，请刷新' });
    };
    if (!(await requestOrConfirm(call, request, requireFirst))) return { refundNo: null, needsSecond };
  }
  return await inTransaction(ctx.db, (trx) =>
    idempotent<Refunded>(trx, call.idem, async () => {
      // Locks the payment's owner, which keeps the sum of the day valid.
      await sql`select from app_user where id = (select user_id from payment where id = ${paymentId}) for no key update`.execute(
        trx,
      );
      if (needsSecond) await approveRequest(trx, call, request);
      else if (amountFen + (await sentToday(trx, paymentId)) > limit) throw new AppError('SECOND_PERSON');
      const { refundNo, userId } = await refundTopup(ctx, trx, { paymentId, amountFen, reason });
      await audit(trx, staff, ACTION, target, { userId, amountFen, reason, refundNo }, ip);
      return { refundNo, needsSecond };
    }),
  );
}

/** Checks that the payment arrived, before a second person is asked. Throws NOT_FOUND. */
async function requireArrived(db: Trx, paymentId: number): Promise<void> {
  const { rows } = await sql`select 1 from payment p where p.id = ${paymentId} and ${ARRIVED}`.execute(db);
  if (rows.length === 0) throw errorOf('NOT_FOUND', 'topup');
}
