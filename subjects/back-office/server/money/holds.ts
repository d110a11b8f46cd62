import { type RawBuilder, sql } from 'kysely';
import type { releaseHoldEarly, releaseHolds, staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import type { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { HOLD_KINDS } from '#subjects/ledger/contract/list-holds.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { endFreeze, freezeUserMoney, releaseHold } from '#subjects/ledger/server/service.ts';
import { approveRequest, requestOrConfirm, secondPersonFen } from '#server/staff/approvals.ts';
import { audit } from '#server/audit/audit.ts';
import { auditUserSearch, ownerFilter } from '#subjects/accounts/server/service.ts';
import { amounting, type Batch, during, NEVER, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { inBulk } from '#server/staff/bulk.ts';

type List = HandlerResult<typeof staffHoldList>;

const ACTION = 'hold.release';

const holdNames: Readonly<Record<string, string>> = Object.fromEntries(HOLD_KINDS);

/** Holds that staff may end; the others end with the response of the payment channel. */
const ENDED_BY_STAFF: readonly string[] = ['sale_protection', 'staff_freeze'];

interface Row {
  id: number;
  sort_key: string;
  user_id: number;
  nick_name: string;
  amount_fen: number;
  code: string;
  reason: string;
  order_sn: string | null;
  disputed: boolean;
  recycled: boolean;
  unconfirmed: boolean;
  asked_by: number | null;
  asked_name: string | null;
  asked_reason: string | null;
  release_at: Date | null;
  created_at: Date;
}

/** `ref` of a protection hold is the id of its order. */
const FROM = sql`hold h join app_user u on u.id = h.user_id
  left join orders o on h.code = 'sale_protection' and o.id = case when h.ref ~ '^[0-9]{1,15}$' then h.ref::bigint end`;

/**
 * The order is of a recycled account. Its money is held until the recycler has taken the account over, which no receipt comes before: with an
 * early end the seller would have the money and the account (decision 755).
 */
const IS_RECYCLED = sql`exists (select from recycle_request r where r.order_id = o.id)`;

/**
 * The sale was completed by its clock or by staff. Its buyer may not have what he paid for and has only the protection left to notice it, so that
 * two people end it, whatever the amount (decision 766). The first entry of the completed state is that of the completion.
 */
const IS_UNCONFIRMED = sql`coalesce(o.status = ${sql.lit(OrderStatus.Completed)} and 'user:' || o.buyer_id is distinct from (select p.actor
  from order_process p where p.order_id = o.id and p.order_status = ${sql.lit(OrderStatus.Completed)} order by p.id limit 1), false)`;

/** SQL: the pending request for an early end of hold `h`. */
const IS_ASKED = sql`a.act = 'hold.release' and a.target = 'hold:' || h.id and a.status = 'waiting' and a.expires_at > now()`;

const SORTS = {
  createTime: { by: sql`h.created_at`, kind: 'time' },
  amount: { by: sql`h.amount_fen`, kind: 'number' },
  releaseTime: { by: sql`coalesce(h.release_at, ${NEVER})`, kind: 'time' },
} as const;

function filterOf(call: StaffRead, input: Parsed<typeof staffHoldList>): RawBuilder<unknown> {
  const parts = [sql`h.released_at is null`];
  if (input.code !== undefined) parts.push(sql`h.code = any(${input.code}::text[])`);
  if (input.amount !== undefined) parts.push(amounting(sql`h.amount_fen`, input.amount));
  if (input.createTime !== undefined) parts.push(during(sql`h.created_at`, input.createTime));
  if (input.releaseTime !== undefined) parts.push(during(sql`h.release_at`, input.releaseTime));
  if (input.due === true) parts.push(sql`h.release_at <= now() + interval '24 hours'`);
  if (input.disputed === true) parts.push(sql`o.disputed`);
  if (input.second === true) parts.push(sql`exists (select from approval a where ${IS_ASKED})`);
  if (input.newerThan !== undefined) parts.push(sql`h.created_at > ${input.newerThan}`);
  const keyword = input.keyWord;
  if (keyword !== undefined) {
    const byNumber = sql`(o.sn = ${keyword} or h.ref = ${keyword})`;
    const owned = ownerFilter(call, keyword, { owner: sql`h.user_id`, byNumber });
    // A short number may be a user id or the id of the hold's target.
    parts.push(/^\d{1,10}$/.test(keyword) ? sql`(${owned} or h.ref = ${keyword})` : owned);
  }
  return sql.join(parts, sql` and `);
}

/** A case or a claim has stopped the protection. */
const isStopped = ({ code, release_at }: Pick<Row, 'code' | 'release_at'>): boolean =>
  code === 'sale_protection' && release_at === null;

const needsTwo = (call: StaffRead, hold: Pick<Row, 'amount_fen' | 'unconfirmed'>): boolean =>
  hold.unconfirmed || hold.amount_fen > secondPersonFen(call);

function itemOf(call: StaffRead, row: Row): List['list'][number] {
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
    canRelease: ENDED_BY_STAFF.includes(row.code) && !row.disputed && !row.recycled && !isStopped(row),
    needsSecond: needsTwo(call, row),
    releaseTime: row.release_at,
    createTime: row.created_at,
  };
}

/**
 * Open holds with the requester of an early end; their sum is the amount shown to users as frozen. Throws FORBIDDEN.
 */
export async function listHolds(call: StaffRead, input: Parsed<typeof staffHoldList>, batch?: Batch): Promise<List> {
  requirePlatform(call.staff, 'ledger.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`h.id`, batch);
  const { rows } = await sql<Row>`
    select h.id, ${page.key} as sort_key, h.user_id, u.nick_name, h.amount_fen, h.code, h.reason, o.sn as order_sn, coalesce(o.disputed, false) as disputed,
      ${IS_RECYCLED} as recycled, ${IS_UNCONFIRMED} as unconfirmed,
      a.asked_by, s.name as asked_name, a.reason as asked_reason, h.release_at, h.created_at
    from ${FROM} left join approval a on ${IS_ASKED} left join staff s on s.id = a.asked_by
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  const ids = result.rows.map((row) => String(row.id));
  await auditUserSearch(call, 'hold', input.keyWord, ids, { byName: true });
  return {
    list: result.rows.map((row) => itemOf(call, row)),
    ...(await loadTotals(db, sql`${FROM} where ${filter}`, { fen: sql`h.amount_fen`, batch })),
    next: result.next,
    now: new Date(),
  };
}

/**
 * Ends a protection period or a freeze early. Above the limit, or without the buyer's own confirmation, the first call stores a request and
 * another person's call releases the money. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, SECOND_PERSON for the requester, ORDER_STATE when
 * the hold has ended or the order is in dispute.
 */
export async function releaseEarly(
  call: StaffCall,
  { holdId, reason }: Parsed<typeof releaseHoldEarly>,
): Promise<HandlerResult<typeof releaseHoldEarly>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'hold.release');
  requireFactor(call);
  const { rows } = await sql<Pick<Row, 'amount_fen' | 'code' | 'recycled' | 'unconfirmed'> & { open: boolean }>`
    select ${IS_RECYCLED} as recycled, ${IS_UNCONFIRMED} as unconfirmed, h.amount_fen, h.code, h.released_at is null and not coalesce(o.disputed, false) as open from ${FROM}
    where h.id = ${holdId} and h.code = any(${ENDED_BY_STAFF})`.execute(ctx.db);
  const hold = rows[0];
  if (!hold) throw new AppError('NOT_FOUND');
  const closed = () => errorOf('ORDER_STATE', 'holdEnded');
  if (!hold.open) throw closed();
  if (hold.recycled) throw errorOf('ORDER_STATE', 'holdOfRecycled');
  const target = `hold:${holdId}` as const;
  const request = { act: ACTION, target, amountFen: hold.amount_fen, reason, distId: null } as const;
  const needsSecond = needsTwo(call, hold);
  const requireOpen = async (trx: Trx): Promise<void> => {
    const still = await sql`select from hold where id = ${holdId} and released_at is null`.execute(trx);
    if (still.rows.length === 0) throw closed();
  };
  if (needsSecond && !(await requestOrConfirm(call, request, requireOpen))) return { released: false, needsSecond };
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

/** Freezes a user's money with a reason shown to the user. Throws FORBIDDEN, NOT_FOUND, BALANCE_LOW. */
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
      if (rows.length === 0) throw errorOf('NOT_FOUND', 'holder');
      const holdId = await freezeUserMoney(trx, { userId, amountFen, reason, days });
      await audit(trx, staff, 'hold.freeze', `hold:${holdId}`, { userId, amountFen, reason }, ip);
      return { holdId };
    }),
  );
}

/** Whether a colleague's request to end a hold early is pending. */
async function isRequested({ ctx, staff }: StaffCall, target: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from approval where act = ${ACTION} and target = ${target} and status = 'waiting' and expires_at > now() and asked_by <> ${staff.id} limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/**
 * Ends several holds early; one that now needs a second person is reported as not done. This cannot confirm a
 * colleague's request: the second person must examine each request individually. Throws FORBIDDEN, FACTOR_REQUIRED.
 */
export async function releaseMany(
  call: StaffCall,
  { holdIds, reason }: Parsed<typeof releaseHolds>,
): Promise<HandlerResult<typeof releaseHolds>> {
  requirePlatform(call.staff, 'hold.release');
  requireFactor(call);
  return await inBulk(holdIds.map(String), async (holdId) => {
    if (await isRequested(call, `hold:${holdId}`))
      throw new AppError('SECOND_PERSON', { text: '已有同事申请解冻，请打开这一笔逐笔复核' });
    const { released } = await releaseEarly(call, { holdId: Number(holdId), reason });
    if (!released) throw new AppError('SECOND_PERSON', { text: '需要两人，已申请，等另一位同事复核' });
  });
}
