import { RecyclerStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { recycleBid, recycleBoard, recycleTaken } from '#subjects/recycling/contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { feeOf } from '#contract/rules/fee.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { loadBalances, releaseHold } from '#subjects/ledger/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { spentToday } from '../sell.ts';
import { escrowBid } from './money.ts';
import { lockedRequest, requestRows, type RequestRow } from './rows.ts';
import { briefOf, detailsOf } from './view.ts';

/** The total amount bound by a recycler's open bids, in fen. */
async function openBids(db: Trx, recyclerId: number): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as fen from recycle_quote where recycler_id = ${recyclerId} and status = 'open'`.execute(
    db,
  );
  return rows[0]?.fen ?? 0;
}

/** The recycler's row, locked, with its limit. Throws PROVIDER_REQUIRED, BAD_INPUT. */
async function lockedLimit(trx: Trx, userId: number, gameId: number): Promise<number> {
  const { rows } = await sql<{ games: number[]; limit: number }>`
    select games, day_limit_fen as limit from recycler where user_id = ${userId} and status = ${sql.lit(RecyclerStatus.Active)} and not is_platform for update`.execute(
    trx,
  );
  const me = rows[0];
  if (!me) throw new AppError('PROVIDER_REQUIRED', { text: '仅认证回收商可以出价' });
  if (me.games.length > 0 && !me.games.includes(gameId))
    throw new AppError('BAD_INPUT', { text: '该游戏不在您的回收范围内，请先在资料里加上' });
  return me.limit;
}

function requireOpen(request: RequestRow | undefined, userId: number): RequestRow {
  if (!request) throw errorOf('NOT_FOUND', 'recycling');
  if (request.userId === userId) throw new AppError('GOODS_OWN', { text: '不能给自己的账号出价' });
  if (request.status !== 'bidding' || request.dueAt === null || request.dueAt.getTime() <= Date.now())
    throw errorOf('ORDER_STATE', 'bidsOver');
  return request;
}

async function storeBid(trx: Trx, call: UserCall, request: RequestRow, amountFen: number): Promise<number> {
  const feeFen = feeOf(amountFen, call.ctx.dir.setting('fees').buyerBp);
  const { rows: own } = await sql<{ amountFen: number; feeFen: number }>`
    select amount_fen as "amountFen", fee_fen as "feeFen" from recycle_quote where request_id = ${request.id} and recycler_id = ${call.user.id}`.execute(
    trx,
  );
  const before = own[0];
  if (before && amountFen <= before.amountFen)
    throw new AppError('BAD_INPUT', { text: '新出价须高于您自己之前的出价', field: 'price' });
  const fees = Math.max(feeFen, before?.feeFen ?? 0);
  const { rows } = await sql<{ id: number }>`
    insert into recycle_quote as q (request_id, recycler_id, amount_fen, fee_fen) values (${request.id}, ${call.user.id}, ${amountFen}, ${fees})
    on conflict (request_id, recycler_id) do update set amount_fen = excluded.amount_fen, fee_fen = excluded.fee_fen, updated_at = now() returning id`.execute(
    trx,
  );
  const bid = { id: rows[0]?.id ?? 0, recyclerId: call.user.id, amountFen, feeFen: fees };
  await escrowBid(trx, bid, amountFen + fees - (before ? before.amountFen + before.feeFen : 0), request.distId);
  return amountFen + fees;
}

/**
 * Places a bid on an account, or raises the caller's bid. Bids on one request are serialised by its lock, so none is accepted after bidding
 * ends. Throws NOT_FOUND, GOODS_OWN, ORDER_STATE, PROVIDER_REQUIRED, BAD_INPUT, BALANCE_LOW, GOODS_STOCK for the day's limit.
 */
export async function bidOnAccount(
  call: UserCall,
  input: Parsed<typeof recycleBid>,
): Promise<HandlerResult<typeof recycleBid>> {
  const { ctx, user, idem } = call;
  await requireAdult(ctx.db, user.id);
  const done = await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const request = requireOpen(await lockedRequest(trx, sql`r.sn = ${input.requestSn}`), user.id);
      const limit = await lockedLimit(trx, user.id, request.gameId);
      const escrow = await storeBid(trx, call, request, input.price);
      if ((await spentToday(trx, user.id)) + (await openBids(trx, user.id)) > limit)
        throw new AppError('GOODS_STOCK', { text: '超过您今天的收购额度，请降低出价或申请调高额度', field: 'price' });
      return { escrow, dueTime: request.dueAt?.toISOString() ?? '' };
    }),
  );
  return { escrow: done.escrow, dueTime: new Date(done.dueTime) };
}

/** The requests that a recycler may bid on or has bid on, with only the caller's own bid. */
export async function loadBoard(
  call: UserCall,
  input: Parsed<typeof recycleBoard>,
): Promise<HandlerResult<typeof recycleBoard>> {
  const { ctx, user } = call;
  const all = await catalogue(ctx);
  const { rows } = await sql<{ games: number[]; limit: number }>`
    select games, day_limit_fen as limit from recycler where user_id = ${user.id} and status = ${sql.lit(RecyclerStatus.Active)} and not is_platform`.execute(
    ctx.db,
  );
  const me = rows[0];
  const feeBp = ctx.dir.setting('fees').buyerBp;
  if (!me) return { isRecycler: false, feeBp, balance: 0, dayLeft: 0, list: [], total: 0, next: null };
  const limit = input.pageSize ?? 20;
  const offset = ((input.pages ?? 1) - 1) * limit;
  const where =
    input.own === 1
      ? sql`exists (select from recycle_quote q where q.request_id = r.id and q.recycler_id = ${user.id})`
      : sql`r.status = 'bidding' and r.due_at > now() and (${me.games.length === 0} or r.game_id = any(${me.games}::int[]))`;
  const list = await requestRows(ctx.db, where, limit + 1, offset);
  const ids = list.map((r) => r.id);
  const [{ rows: mine }, balances, spent, open] = await Promise.all([
    sql<{ requestId: number; amountFen: number; status: string }>`
      select request_id as "requestId", amount_fen as "amountFen", status from recycle_quote where recycler_id = ${user.id} and request_id = any(${ids}::bigint[])`.execute(
      ctx.db,
    ),
    loadBalances(ctx.db, user.id),
    spentToday(ctx.db, user.id),
    openBids(ctx.db, user.id),
  ]);
  return {
    isRecycler: true,
    feeBp,
    balance: balances.availableFen,
    dayLeft: Math.max(0, me.limit - spent - open),
    list: list.slice(0, limit).map((r) => {
      const own = mine.find((q) => q.requestId === r.id);
      // Must not include anything that depends on other bids, such as the best one, or anything about the account's owner.
      return {
        ...briefOf(r, all, 'other'),
        price: own && own.status === 'paid' ? own.amountFen : null,
        orderSn: own?.status === 'paid' ? r.orderSn : null,
        heldUntil: own?.status === 'paid' ? r.heldUntil : null,
        facts: detailsOf(r, all),
        myBid: own?.amountFen ?? null,
        bidStatus: own?.status ?? '',
        isMine: r.userId === user.id,
      };
    }),
    total: offset + Math.min(list.length, limit),
    totalCapped: list.length > limit,
    next: null,
  };
}

/**
 * The recycler has taken the account over, so its seller's money is released immediately; repeated it has no effect. Throws NOT_FOUND, ORDER_STATE,
 * ORDER_DISPUTED.
 */
export async function takenOver(
  { ctx, user }: UserCall,
  input: Parsed<typeof recycleTaken>,
): Promise<HandlerResult<typeof recycleTaken>> {
  const own = sql`r.sn = ${input.requestSn} and exists (select from recycle_quote q where q.id = r.best_quote_id and q.recycler_id = ${user.id})`;
  const [r] = await requestRows(ctx.db, own, 1);
  if (!r) throw errorOf('NOT_FOUND', 'recycling');
  if (r.status !== 'paid' || r.orderId === null) throw errorOf('ORDER_STATE', 'recyclingNotInspected');
  if (!r.isHeld) return {};
  if (await releaseHold(ctx.db, { orderId: r.orderId }, '回收商确认已接管账号')) return {};
  // A case may have been opened since the request was read: the money is released only if its hold has ended.
  const [after] = await requestRows(ctx.db, own, 1);
  if (after?.isHeld === true) throw new AppError('ORDER_DISPUTED');
  return {};
}
