import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Cut, Floor } from '#subjects/valuation/server/service.ts';
import type { RecycleState } from './states.ts';

/** The promised floor price and its basis, stored with the request. */
export interface FloorBasis extends Partial<Floor> {
  samples?: number;
  madeAt?: string;
  /** Net proceeds of a listing at the typical price, in fen. */
  sellNetFen?: number;
}

/** A request to sell an account. Amounts in fen. */
export interface RequestRow {
  id: number;
  sn: string;
  distId: number;
  userId: number;
  gameId: number;
  areaId: number | null;
  serverId: number | null;
  details: Record<string, unknown>;
  floorFen: number | null;
  floorBasis: FloorBasis;
  cuts: Cut[];
  cutFen: number;
  status: RecycleState;
  bestQuoteId: number | null;
  bestFen: number | null;
  dueAt: Date | null;
  orderId: number | null;
  orderSn: string | null;
  /** The seller's money waits for the recycler; until when, null while a dispute has stopped it. */
  isHeld: boolean;
  heldUntil: Date | null;
  closedReason: string | null;
  /** The first inspector, while a colleague must read the account again. */
  readBy: number | null;
  createdAt: Date;
}

const COLUMNS = sql`r.id, r.sn, r.dist_id as "distId", r.user_id as "userId", r.game_id as "gameId", r.area_id as "areaId", r.server_id as "serverId",
  r.details, r.floor_fen as "floorFen", r.floor_basis as "floorBasis", r.cuts, r.cut_fen as "cutFen", r.status, r.best_quote_id as "bestQuoteId",
  coalesce(b.amount_fen, (select max(q.amount_fen) from recycle_quote q where q.request_id = r.id)) as "bestFen", r.due_at as "dueAt", r.order_id as "orderId", o.sn as "orderSn", h.id is not null as "isHeld", h.release_at as "heldUntil",
  r.closed_reason as "closedReason", r.read_by as "readBy", r.created_at as "createdAt"`;
const FROM = sql`recycle_request r left join recycle_quote b on b.id = r.best_quote_id left join orders o on o.id = r.order_id
  left join hold h on h.code = 'sale_protection' and h.ref = r.order_id::text and h.released_at is null`;

/** Requests by a condition over `r`, newest first. */
export async function requestRows(
  db: Trx,
  where: RawBuilder<unknown>,
  limit: number,
  offset = 0,
): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${COLUMNS} from ${FROM} where ${where} order by r.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** One request with its row locked, which serialises bids, the clock, the owner and staff. */
export async function lockedRequest(trx: Trx, where: RawBuilder<unknown>): Promise<RequestRow | undefined> {
  const { rows } = await sql<{ id: number }>`select r.id from recycle_request r where ${where} for update`.execute(trx);
  const id = rows[0]?.id;
  return id === undefined ? undefined : (await requestRows(trx, sql`r.id = ${id}`, 1))[0];
}

/** Changes the state of a locked request; its clock is set to `dueAt` (an SQL expression) or ends. */
export async function moveTo(
  trx: Trx,
  id: number,
  status: RecycleState,
  change: { bestQuoteId?: number; dueSeconds?: number; orderId?: number; cutFen?: number; reason?: string } = {},
): Promise<void> {
  await sql`update recycle_request set status = ${status}, updated_at = now(), best_quote_id = coalesce(${change.bestQuoteId ?? null}, best_quote_id),
      due_at = now() + make_interval(secs => ${change.dueSeconds ?? null}), quote_until = case when ${status} = 'quoted' then now() + make_interval(secs => ${change.dueSeconds ?? 0}) else quote_until end,
      order_id = coalesce(${change.orderId ?? null}, order_id), cut_fen = coalesce(${change.cutFen ?? null}, cut_fen), closed_reason = ${change.reason ?? null}
    where id = ${id}`.execute(trx);
}

export interface BidRow {
  id: number;
  recyclerId: number;
  amountFen: number;
  feeFen: number;
  status: string;
  isPlatform: boolean;
  won: number;
  lowered: number;
  /** Hours from acceptance to the account taken over, on average. */
  hours: number | null;
  at: Date;
}

/** Bids of a request, the best first; of equal ones the earlier. */
export async function bidRows(db: Trx, requestId: number): Promise<BidRow[]> {
  const { rows } = await sql<BidRow>`
    select q.id, q.recycler_id as "recyclerId", q.amount_fen as "amountFen", q.fee_fen as "feeFen", q.status, r.is_platform as "isPlatform",
      r.won_count as won, r.lowered_count as lowered, q.updated_at as at,
      (select round(avg(extract(epoch from h.released_at - o.paid_at) / 3600), 1)::float8 from recycle_quote w
        join recycle_request t on t.best_quote_id = w.id and t.status = 'paid' join orders o on o.id = t.order_id
        join hold h on h.code = 'sale_protection' and h.ref = t.order_id::text and h.released_at is not null
        where w.recycler_id = q.recycler_id and o.paid_at > now() - interval '90 days') as hours
    from recycle_quote q join recycler r on r.user_id = q.recycler_id where q.request_id = ${requestId}
    order by q.amount_fen desc, q.updated_at, q.id`.execute(db);
  return rows;
}

/** The platform's own recycler; undefined before its first bid. */
export async function platformId(db: Trx): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select user_id as id from recycler where is_platform`.execute(db);
  return rows[0]?.id;
}

/** Sums the platform's purchases within 30 days and its open bids, in fen. */
export async function platformSpent(db: Trx): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(q.amount_fen + q.fee_fen), 0)::bigint as fen from recycle_quote q join recycler r on r.user_id = q.recycler_id
      join recycle_request t on t.id = q.request_id
    where r.is_platform and (q.status = 'open' or q.status = 'paid' and t.status in ('accepted', 'reconfirm', 'paid')) and q.created_at > now() - interval '30 days'`.execute(
    db,
  );
  return rows[0]?.fen ?? 0;
}

/** Whether a bid is the platform's own. */
export async function isPlatforms(db: Trx, quoteId: number | null): Promise<boolean> {
  const { rows } = await sql`select from recycle_quote q join recycler r on r.user_id = q.recycler_id
    where q.id = ${quoteId} and r.is_platform`.execute(db);
  return rows.length > 0;
}

/** Whether an order's buyer is the platform, which only its staff represent. */
export async function boughtByPlatform(db: Trx, orderId: number): Promise<boolean> {
  const { rows } = await sql`select from orders o join recycler r on r.user_id = o.buyer_id
    where o.id = ${orderId} and r.is_platform`.execute(db);
  return rows.length > 0;
}

/** Whether a member of staff has read the recycled account of an order. */
export async function hasReadAccountOf(db: Trx, orderId: number, staffId: number): Promise<boolean> {
  const { rows } = await sql`
    select from recycle_request r join orders o on o.id = r.order_id where o.id = ${orderId} and ${hasReadRequest(staffId)}`.execute(
    db,
  );
  return rows.length > 0;
}

/** The request of an account that the platform bought, whose seller's money waits for the take-over; undefined for other orders. */
export async function awaitingTakeOver(db: Trx, orderId: number): Promise<RequestRow | undefined> {
  const [r] = await requestRows(
    db,
    sql`r.order_id = ${orderId} and r.status = 'paid' and h.id is not null
      and exists (select from recycler c where c.user_id = o.buyer_id and c.is_platform)
      and not exists (select from dispute d where d.order_id = o.id and d.outcome = 'ruled')`,
    1,
  );
  return r;
}

/**
 * Whether a member of staff has read the account of the request `r`, whose order is `o`, as an SQL expression. A second reading with the same
 * values overwrites the rows of the first; the record names both inspectors.
 */
export const hasReadRequest = (staffId: number): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from recycle_reading d where d.request_id = r.id and d.staff_id = ${staffId})
    or exists (select from audit_log a where a.act = 'recycle.inspect' and a.target = 'order:' || o.sn and a.staff_id = ${staffId}))`;

/** Whether a member of staff has read the account of a request. */
export async function hasRead(db: Trx, { id }: Pick<RequestRow, 'id'>, staffId: number): Promise<boolean> {
  const { rows } = await sql`
    select from recycle_request r left join orders o on o.id = r.order_id where r.id = ${id} and ${hasReadRequest(staffId)}`.execute(
    db,
  );
  return rows.length > 0;
}
