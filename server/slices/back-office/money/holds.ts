import { type RawBuilder, sql } from 'kysely';
import type { releaseHoldEarly, staffHoldList } from '#contract/backstage-money.ts';
import type { freezeMoney } from '#contract/backstage-reconcile.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import type { StaffCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { endFreeze, freezeUserMoney, releaseHold } from '#server/slices/ledger/service.ts';
import { approveRequest, requestOrConfirm, secondPersonFen } from '../approvals.ts';
import { audit } from '#server/audit.ts';
import { auditUserSearch, userIdsFor } from '../people/user-search.ts';
import { countOf, likePattern, pageOf } from '../paging.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

type List = HandlerResult<typeof staffHoldList>;

const ACTION = 'hold.release';

const holdNames: Readonly<Record<string, string>> = {
  sale_protection: '售出保护期',
  withdrawal: '提现处理中',
  refund: '原路退回中',
  staff_freeze: '平台冻结',
};

/** Holds that staff may end; the others end with the response of their payment channel. */
const ENDED_BY_STAFF: readonly string[] = ['sale_protection', 'staff_freeze'];

interface Row {
  id: number;
  user_id: number;
  nick_name: string;
  amount_fen: number;
  code: string;
  reason: string;
  order_sn: string | null;
  disputed: boolean;
  asked_by: number | null;
  asked_name: string | null;
  asked_reason: string | null;
  release_at: Date | null;
  created_at: Date;
}

/** `ref` of a protection hold is the id of its order. */
const FROM = sql`hold h join app_user u on u.id = h.user_id
  left join orders o on h.code = 'sale_protection' and o.id = case when h.ref ~ '^[0-9]{1,15}$' then h.ref::bigint end`;

function filterOf(call: StaffCall, input: Parsed<typeof staffHoldList>): RawBuilder<unknown> {
  const parts = [sql`h.released_at is null`];
  if (input.code !== undefined) parts.push(sql`h.code = ${input.code}`);
  const keyword = input.keyWord;
  if (keyword !== undefined) {
    const person = userIdsFor(call, keyword);
    parts.push(
      person
        ? sql`(h.user_id in (${person}) or h.ref = ${keyword})`
        : sql`(o.sn = ${keyword} or h.ref = ${keyword} or u.nick_name ilike ${likePattern(keyword)})`,
    );
  }
  return sql.join(parts, sql` and `);
}

function itemOf(call: StaffCall, row: Row): List['list'][number] {
  return {
    holdId: row.id,
    userId: String(row.user_id),
    nickName: row.nick_name,
    amount: row.amount_fen,
    code: row.code,
    codeName: holdNames[row.code] ?? row.code,
    reason: row.reason,
    orderSn: row.order_sn,
    disputed: row.disputed,
    askedBy: row.asked_name,
    askedReason: row.asked_reason,
    isMine: row.asked_by === call.staff.id,
    canRelease: ENDED_BY_STAFF.includes(row.code) && !row.disputed,
    releaseTime: row.release_at,
    createTime: row.created_at,
  };
}

/** Open holds with the requester of an early end; their sum is what users see as frozen. Throws FORBIDDEN. */
export async function listHolds(call: StaffCall, input: Parsed<typeof staffHoldList>): Promise<List> {
  requirePlatform(call.staff, 'ledger.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageOf(input, sql`h.id`);
  const { rows } = await sql<Row>`
    select h.id, h.user_id, u.nick_name, h.amount_fen, h.code, h.reason, o.sn as order_sn, coalesce(o.disputed, false) as disputed,
      a.asked_by, s.name as asked_name, a.reason as asked_reason, h.release_at, h.created_at
    from ${FROM} left join approval a on a.act = ${ACTION} and a.target = 'hold:' || h.id and a.status = 'waiting' and a.expires_at > now()
      left join staff s on s.id = a.asked_by
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const sum = await sql<{ fen: number }>`
    select coalesce(sum(h.amount_fen), 0)::bigint as fen from ${FROM} where ${filter}`.execute(db);
  const result = page.cut(rows);
  const ids = result.rows.map((row) => String(row.id));
  await auditUserSearch(call, 'hold', input.keyWord, ids, { byName: true });
  return {
    list: result.rows.map((row) => itemOf(call, row)),
    sum: sum.rows[0]?.fen ?? 0,
    secondPerson: secondPersonFen(call),
    ...(await countOf(db, sql`${FROM} where ${filter}`)),
    next: result.next,
  };
}

/**
 * Ends a protection period or a freeze early. Above the limit the first call stores a request and another person's call releases. Throws
 * FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, SECOND_PERSON for the requester, ORDER_STATE when the hold has ended or the order is in dispute.
 */
export async function releaseEarly(
  call: StaffCall,
  { holdId, reason }: Parsed<typeof releaseHoldEarly>,
): Promise<HandlerResult<typeof releaseHoldEarly>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'hold.release');
  requireFactor(call);
  const { rows } = await sql<{ amount_fen: number; code: string; open: boolean; platforms: boolean }>`
    select exists (select from recycler r where r.user_id = o.buyer_id and r.is_platform) as platforms, h.amount_fen, h.code, h.released_at is null and not coalesce(o.disputed, false) as open from ${FROM}
    where h.id = ${holdId} and h.code = any(${ENDED_BY_STAFF})`.execute(ctx.db);
  const hold = rows[0];
  if (!hold) throw new AppError('NOT_FOUND');
  const closed = () => new AppError('ORDER_STATE', { text: '这笔冻结已结束，或订单在申诉中，不能解冻' });
  if (!hold.open) throw closed();
  const target = `hold:${holdId}` as const;
  const request = { act: ACTION, target, amountFen: hold.amount_fen, reason, distId: null } as const;
  // The platform is no buyer who would notice.
  const needsSecond = hold.platforms || hold.amount_fen > secondPersonFen(call);
  if (needsSecond && !(await requestOrConfirm(call, request))) return { released: false, needsSecond };
  const also = async (trx: Trx, { userId, amountFen }: { userId: number; amountFen: number }): Promise<void> => {
    if (needsSecond) await approveRequest(trx, call, request);
    await audit(trx, staff, 'hold.release', target, { userId, amountFen, reason }, ip);
  };
  const released =
    hold.code === 'staff_freeze'
      ? await endFreeze(ctx.db, holdId, `解除冻结：${reason}`, also)
      : await releaseHold(ctx.db, { holdId }, `提前解冻：${reason}`, also);
  if (!released) throw closed();
  return { released: true, needsSecond };
}

/** Freezes a user's money with a reason that the user reads. Throws FORBIDDEN, NOT_FOUND, BALANCE_LOW. */
export async function freeze(
  call: StaffCall,
  input: Parsed<typeof freezeMoney>,
): Promise<HandlerResult<typeof freezeMoney>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'money.freeze');
  const { userId, amount: amountFen, reason, days } = input;
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      const { rows } = await sql`select 1 from app_user where id = ${userId}`.execute(trx);
      if (rows.length === 0) throw new AppError('NOT_FOUND', { text: '没有这个用户' });
      const holdId = await freezeUserMoney(trx, { userId, amountFen, reason, days });
      await audit(trx, staff, 'hold.freeze', `hold:${holdId}`, { userId, amountFen, reason }, ip);
      return { holdId };
    }),
  );
}
