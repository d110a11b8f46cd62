import { sql } from 'kysely';
import type { recycleInfo, recycleList, recycleTerms } from '#subjects/recycling/contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { readingsView } from './inspect.ts';
import { type BidRow, bidRows, requestRows, type RequestRow } from './rows.ts';
import { briefOf, cutLines, detailsOf, floorView } from './view.ts';

/** Recyclers are numbered per request by the time of their first bid, so that sellers cannot track a recycler across requests. */
function bidViews(r: RequestRow, bids: readonly BidRow[]): HandlerResult<typeof recycleInfo>['bids'] {
  const order = bids.filter((b) => !b.isPlatform).toSorted((a, b) => a.id - b.id);
  const best = r.bestQuoteId ?? bids[0]?.id;
  return bids.map((b) => ({
    bidId: b.id,
    name: b.isPlatform ? '平台保底' : `回收商 ${order.indexOf(b) + 1} 号`,
    price: b.amountFen,
    isPlatform: b.isPlatform,
    isBest: b.id === best,
    wonNum: b.won,
    loweredNum: b.lowered,
    hours: b.hours,
    bidTime: b.at,
  }));
}

/** The caller's own request with bids, table of differences and readings. Throws NOT_FOUND. */
export async function requestInfo(
  call: UserCall,
  input: Parsed<typeof recycleInfo>,
): Promise<HandlerResult<typeof recycleInfo>> {
  const { ctx, user } = call;
  const r = (await requestRows(ctx.db, sql`r.sn = ${input.requestSn} and r.user_id = ${user.id}`, 1))[0];
  if (!r) throw errorOf('NOT_FOUND', 'recycling');
  const [all, bids, readings, { rows: sealed }] = await Promise.all([
    catalogue(ctx),
    bidRows(ctx.db, r.id),
    readingsView(ctx.db, r.id),
    sql`select from sealed_credential where order_id = ${r.orderId} limit 1`.execute(ctx.db),
  ]);
  const { lines, typicalFen, floorFen, samples, madeAt, sellNetFen } = r.floorBasis;
  const floor =
    lines && typicalFen !== undefined && floorFen !== undefined
      ? floorView({ lines, typicalFen, floorFen }, { samples: samples ?? 0, madeAt: new Date(madeAt ?? r.createdAt) })
      : null;
  return {
    ...briefOf(r, all),
    details: r.details,
    areaId: r.areaId,
    facts: detailsOf(r, all),
    floor,
    bids: bidViews(r, bids),
    cuts: cutLines(r.cuts, r.bestFen ?? r.floorFen ?? 0, all, r.gameId),
    readings,
    isSealed: sealed.length > 0,
    sellNet: sellNetFen ?? null,
    bindHours: Math.round(ctx.dir.setting('recycling').bindSeconds / 3600),
    closedReason: r.closedReason,
  };
}

/** The time limits of the current setting. */
export async function loadTerms({ ctx }: Call): Promise<HandlerResult<typeof recycleTerms>> {
  return await Promise.resolve(ctx.dir.setting('recycling'));
}

/** The caller's own requests, newest first. */
export async function listRequests(
  call: UserCall,
  input: Parsed<typeof recycleList>,
): Promise<HandlerResult<typeof recycleList>> {
  const { ctx, user } = call;
  const limit = input.pageSize ?? 20;
  const from = decodeId(input.cursor);
  const [all, rows, { rows: counted }] = await Promise.all([
    catalogue(ctx),
    requestRows(
      ctx.db,
      sql`r.user_id = ${user.id} and (${from ?? null}::bigint is null or r.id < ${from ?? null})`,
      limit + 1,
      from ? 0 : ((input.pages ?? 1) - 1) * limit,
    ),
    sql<{ n: number }>`select count(*)::int as n from recycle_request where user_id = ${user.id}`.execute(ctx.db),
  ]);
  const last = rows.slice(0, limit).at(-1);
  return {
    list: rows.slice(0, limit).map((r) => briefOf(r, all)),
    total: counted[0]?.n ?? 0,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}
