import { GOODS_DRAFT_OR_REMOVED, BARGAINS_AGREED } from '#server/states/state-lists.ts';
import { BargainStatus } from '#subjects/offers/rules/bargain.ts';
import { RECYCLED_ACCOUNT } from '../rules/order-types.ts';
import { sql } from 'kysely';
import type { Idem } from '#server/access/call.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { FIRST_PICTURE, type PictureItem } from '#subjects/media/server/service.ts';
import { birthDateOf } from '#subjects/verification/server/service.ts';
import type { StoredRun } from '#server/db/idempotent.ts';
import type { ExchangeState } from '../rules/exchange.ts';
import { exchangeColumn } from './handover/exchange-column.ts';
import type { OrderTerms } from './rules.ts';

/** The goods data for an order: price, state and the snapshot stored with the order. */
export interface OrderGoods {
  id: number;
  sn: string;
  sellerId: number;
  gameId: number;
  gameCode: string;
  gameName: string;
  typeId: number;
  title: string;
  priceFen: number;
  stock: number;
  status: number;
  version: number;
  guaranteeOk: boolean;
  attrs: Record<string, unknown>;
  picture: PictureItem | null;
  areaName: string | null;
  serverName: string | null;
  fieldsVersion: number;
}

const GOODS = sql`g.id, g.sn, g.seller_id as "sellerId", g.game_id as "gameId", m.code as "gameCode", m.name as "gameName", g.type_id as "typeId", g.title,
  g.price_fen as "priceFen", g.stock, g.status, g.version, g.guarantee_ok as "guaranteeOk", g.attrs, ${FIRST_PICTURE} as picture,
  a.name as "areaName", s.name as "serverName", g.fields_version as "fieldsVersion"`;
const GOODS_FROM = sql`goods g join game m on m.id = g.game_id left join game_area a on a.id = g.area_id left join game_server s on s.id = g.server_id`;
const goodsWith = (sn: string) => sql`g.sn = ${sn} and g.status not in ${GOODS_DRAFT_OR_REMOVED}`;

/** A listing by its number; undefined when it does not exist or was removed. */
export async function goodsForOrder(db: Trx, sn: string): Promise<OrderGoods | undefined> {
  const { rows } = await sql<OrderGoods>`select ${GOODS} from ${GOODS_FROM} where ${goodsWith(sn)}`.execute(db);
  return rows[0];
}

/** Loads everything needed to place an order in one query: the stored response of the idempotency key, the buyer's birth date, the listing. */
export async function loadForPlacement<T>(
  db: Trx,
  request: { idem: Idem | undefined; userId: number; goodsSn: string },
): Promise<{ earlier: StoredRun<T> | undefined; birth: string | null; goods: OrderGoods | undefined }> {
  const { idem, userId, goodsSn } = request;
  const key = sql`i.scope = ${idem?.scope ?? ''} and i.endpoint = ${idem?.endpoint ?? ''} and i.key = ${idem?.key ?? ''}`;
  type Row = { requestHash: string | null; result: T | null; birth: string | null } & (OrderGoods | { id: null });
  const { rows } = await sql<Row>`
    select i.request_hash as "requestHash", i.facts as result, ${birthDateOf(userId)} as birth, g.*
    from (select 1) one left join idempotency i on ${key} left join (select ${GOODS} from ${GOODS_FROM} where ${goodsWith(goodsSn)}) g on true`.execute(
    db,
  );
  const row = rows[0];
  if (!row) throw new Error('the query returned no row');
  return {
    earlier: row.requestHash === null ? undefined : { requestHash: row.requestHash, result: row.result },
    birth: row.birth,
    goods: row.id === null ? undefined : row,
  };
}

const goodsCache = cacheKind('orders.goods', () => new TtlCache<OrderGoods | undefined>({ ttlMs: () => 0, max: 1000 }));

type Reader = Pick<Context, 'db' | 'caches'>;

/** Like `goodsForOrder`, for display only: concurrent reads share one query. Never use it to place an order. */
export async function goodsForDisplay(ctx: Reader, sn: string): Promise<OrderGoods | undefined> {
  return await cacheOf(ctx, goodsCache).get(sn, async () => await goodsForOrder(ctx.db, sn));
}

/** An agreed bargain, currently reserved for the buyer; its price in fen. */
export async function agreedBargain(
  db: Trx,
  userId: number,
  goodsId: number,
  bargainId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ fen: number | null }>`
    select case when status = ${sql.lit(BargainStatus.BuyerAgreed)} then counter_fen else offer_fen end as fen from bargain
    where id = ${bargainId} and buyer_id = ${userId} and goods_id = ${goodsId} and status in ${BARGAINS_AGREED} and expires_at > now()`.execute(
    db,
  );
  return rows[0]?.fen ?? undefined;
}

const TERMS = sql`o.id, o.sn, o.dist_id as "distId", o.type_id as "typeId", o.goods_id as "goodsId", o.buyer_id as "buyerId", o.seller_id as "sellerId",
  o.staff_id as "staffId", o.status, o.goods_fen as "goodsFen", o.service_fee_fen as "serviceFeeFen", o.ensure_fen as "ensureFen",
  o.fix_ensure_fen as "fixEnsureFen", o.discount_fen as "discountFen", o.total_fen as "totalFen", o.commission_fen as "commissionFen",
  o.dist_share_fen as "distShareFen", o.invite_reward_fen as "inviteRewardFen", o.inviter_id as "inviterId", o.touched_at is not null as touched,
  coalesce(o.ship_by < now(), false) as overdue, o.buyer_opened_at is not null as "buyerOpened", o.delivered_at is not null as delivered, o.disputed, o.cancel_asked_at is not null as "cancelAsked",
  coalesce((o.snapshot->>'binding')::boolean, false) as binding, (o.snapshot->>'shipSeconds')::int as "shipSeconds", o.advance_fen as "advanceFen", o.advance_goods_fen as "advanceGoodsFen", o.cut_fen as "cutFen",
  coalesce((o.snapshot->>'service')::boolean, false) as "isService",
  coalesce((o.snapshot->>'handoverType')::int = ${sql.lit(RECYCLED_ACCOUNT)}, false) as "isRecycledAccount", o.shut_at is not null as shut`;

/** The terms of an order for one of its parties; undefined for other users and for a missing order. */
export async function termsForParty(
  db: Trx,
  by: { id: number } | { sn: string },
  userId: number,
): Promise<OrderTerms | undefined> {
  const which = 'id' in by ? sql`o.id = ${by.id}` : sql`o.sn = ${by.sn}`;
  const { rows } =
    await sql<OrderTerms>`select ${TERMS} from orders o where ${which} and ${userId} in (o.buyer_id, o.seller_id)`.execute(
      db,
    );
  return rows[0];
}

/** The terms of an order for staff (`distId` limits an operator) and for timers. */
export async function termsForSystem(
  db: Trx,
  by: { id: number } | { sn: string },
  distId: number | null = null,
): Promise<OrderTerms | undefined> {
  const which = 'id' in by ? sql`o.id = ${by.id}` : sql`o.sn = ${by.sn}`;
  const { rows } =
    await sql<OrderTerms>`select ${TERMS} from orders o where ${which} ${distId === null ? sql`` : sql`and o.dist_id = ${distId}`}`.execute(
      db,
    );
  return rows[0];
}

/** A required hand-over step that is not done. */
export interface OpenStep {
  step: number;
  title: string;
  actor: 'seller' | 'buyer' | 'staff';
  beforeShip: boolean;
  evidence: boolean;
  /** It is done by storing sealed data, not by a mark. */
  secret: boolean;
  /** The seller's money stays in escrow until it is done. */
  blocks: boolean;
  /** The state of its exchange, on which the current actor depends; null for other steps. */
  exchange: ExchangeState | null;
}

/** The required hand-over steps that are still open, in their order; `beforeShip` leaves out those that follow shipping. */
export async function openHandover(db: Trx, orderId: number, beforeShip: boolean): Promise<OpenStep[]> {
  const { rows } = await sql<OpenStep>`
    select h.step, h.title, h.actor, h.before_ship as "beforeShip", h.evidence, h.secret,
      order_step_blocks(h.order_id, h.step, h.actor, h.exchange) as blocks, ${exchangeColumn} as exchange from order_handover h
    where h.order_id = ${orderId} and h.required and h.done_at is null and (h.before_ship or ${!beforeShip}) order by h.step`.execute(
    db,
  );
  return rows;
}
