import { GoodsStatus, UserStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { DB } from '#server/db/types.gen.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decodeMoment, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type UserBrief, userBriefs } from '#subjects/accounts/server/service.ts';
import { catalogue, type ReadableAttr, readableAttrs } from '#subjects/games/server/service.ts';
import { type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { type Finding, loadFindings, forgetFindings } from './findings.ts';
import { reindexGoods } from '../search/reindex.ts';

/** A listing for review. Amounts in fen. */
export interface ReviewItem {
  goodsId: number;
  goodsSn: string;
  /** The version that the reviewer saw; `approveGoods` and `rejectGoods` require it, so that a decision never applies to other contents. */
  version: number;
  distId: number;
  gameId: number;
  gameName: string;
  goodsTypeId: number;
  goodsTypeName: string;
  areaName: string;
  serverName: string;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: ReadableAttr[];
  pictures: { url: string; thumb: string; width: number; height: number }[];
  bargainOk: boolean;
  guaranteeOk: boolean;
  seller: UserBrief;
  /** It was approved before and then edited; otherwise it is new. */
  again: boolean;
  /** The reason of the last rejection; null when there was none. */
  lastReason: string | null;
  /** Other listings of the same game account, by any seller (account passport). */
  sameAccount: number;
  /** Other listings of an account with the same name at another mail domain: possibly the same account. */
  nearAccount: number;
  submittedAt: Date;
  /** Parts that the contact filter removed from its texts. */
  findings: Finding[];
}

export interface ReviewQuery {
  /** Operators see their own distributor's listings; null means all. */
  distId: number | null;
  gameId?: number | undefined;
  goodsTypeId?: number | undefined;
  /** Part of the title, or the listing's number. */
  keyWord?: string | undefined;
  cursor?: string | undefined;
  /** 1 to 50. */
  limit: number;
}

interface Row {
  id: number;
  sn: string;
  version: number;
  distId: number;
  sellerId: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: Record<string, unknown>;
  pictures: PictureItem[];
  bargainOk: boolean;
  guaranteeOk: boolean;
  reviewNote: string | null;
  updatedAt: Date;
  /** The exact time as text: a Date would lose the microseconds that the cursor is compared by. */
  sortKey: string;
  again: boolean;
  sameAccount: number;
  nearAccount: number;
}

const MAX_COUNT = 1000;
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function conditions(q: ReviewQuery): RawBuilder<unknown> {
  const parts = [sql`g.status = ${GoodsStatus.Reviewing}`];
  if (q.distId !== null) parts.push(sql`g.dist_id = ${q.distId}`);
  if (q.gameId !== undefined) parts.push(sql`g.game_id = ${q.gameId}`);
  if (q.goodsTypeId !== undefined) parts.push(sql`g.type_id = ${q.goodsTypeId}`);
  if (q.keyWord !== undefined)
    parts.push(sql`(g.title ilike ${likePattern(q.keyWord)} or g.sn = ${q.keyWord.toUpperCase()})`);
  return sql.join(parts, sql` and `);
}

async function rowsWhere(db: Trx, where: RawBuilder<unknown>, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select g.id, g.sn, g.version, g.dist_id as "distId", g.seller_id as "sellerId", g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId",
      g.server_id as "serverId", g.title, g.description, g.price_fen as "priceFen", g.stock, g.attrs, g.pictures, g.bargain_ok as "bargainOk",
      g.guarantee_ok as "guaranteeOk", g.review_note as "reviewNote", g.updated_at as "updatedAt", g.updated_at::text as "sortKey",
      exists (select from goods_event e where e.goods_id = g.id and e.kind = 'approved') as again,
      (select count(*)::int from goods o where o.fingerprint = g.fingerprint and o.id <> g.id and o.status <> ${sql.lit(GoodsStatus.Draft)}) as "sameAccount",
      (select count(*)::int from (
        select fingerprint from goods where account_near = g.account_near and status <> ${sql.lit(GoodsStatus.Draft)}
        union all select fingerprint from middleman_deal where account_near = g.account_near
        union all select fingerprint from recycle_request where account_near = g.account_near) n where n.fingerprint <> g.fingerprint) as "nearAccount"
    from goods g where ${where} order by g.updated_at, g.id limit ${limit}`.execute(db);
  return rows;
}

async function queueRows(db: Trx, q: ReviewQuery): Promise<Row[]> {
  const after = decodeMoment(q.cursor);
  const behind = after ? sql`and (g.updated_at, g.id) > (${after[0]}::timestamptz, ${after[1]}::bigint)` : sql``;
  return await rowsWhere(db, sql`${conditions(q)} ${behind}`, q.limit + 1);
}

async function loadItems(ctx: Context, rows: readonly Row[]): Promise<ReviewItem[]> {
  const [all, sellers, findings] = await Promise.all([
    catalogue(ctx),
    userBriefs(
      ctx.db,
      rows.map((r) => r.sellerId),
    ),
    loadFindings(
      ctx,
      rows.map((r) => r.id),
    ),
  ]);
  return rows.flatMap((r) => {
    const game = all.known(r.gameId);
    const seller = sellers.get(r.sellerId);
    if (!seller) return [];
    return {
      ...r,
      goodsId: r.id,
      goodsSn: r.sn,
      gameName: game?.name ?? '',
      goodsTypeId: r.typeId,
      goodsTypeName: game?.goodsTypes.find((t) => t.id === r.typeId)?.name ?? '',
      areaName: r.areaId === null ? '' : (all.area(r.areaId)?.name ?? ''),
      serverName: r.serverId === null ? '' : (all.server(r.serverId)?.name ?? ''),
      attrs: readableAttrs(all, r.gameId, r.attrs, r.typeId),
      pictures: r.pictures.map((p, i) => pictureUrls(p, game?.code ?? '', i)),
      seller,
      lastReason: r.reviewNote,
      submittedAt: r.updatedAt,
      findings: findings.get(r.id) ?? [],
    };
  });
}

/**
 * Listings in review, oldest first. `total` is exact to 1,000; above, `more` is true. `next` is the cursor of the next page or null.
 * Throws BAD_INPUT for an invalid cursor.
 */
export async function reviewQueue(
  ctx: Context,
  q: ReviewQuery,
): Promise<{ list: ReviewItem[]; total: number; totalCapped: boolean; next: string | null }> {
  const [rows, counted] = await Promise.all([
    queueRows(ctx.db, q),
    sql<{ n: number }>`
      select count(*)::int as n from (select from goods g where ${conditions(q)} limit ${MAX_COUNT + 1}) c`.execute(
      ctx.db,
    ),
  ]);
  const page = rows.slice(0, q.limit);
  const last = rows.length > q.limit ? page.at(-1) : undefined;
  const n = counted.rows[0]?.n ?? 0;
  return {
    list: await loadItems(ctx, page),
    total: Math.min(n, MAX_COUNT),
    totalCapped: n > MAX_COUNT,
    next: last ? encodeCursor([last.sortKey, last.id]) : null,
  };
}

/** A listing of the queue by its number. Throws GOODS_NOT_FOUND when it is not in review (any more). */
export async function reviewItem(ctx: Context, sn: string, distId: number | null): Promise<ReviewItem> {
  const [item] = await loadItems(
    ctx,
    await rowsWhere(ctx.db, sql`${conditions({ distId, limit: 1 })} and g.sn = ${sn}`, 1),
  );
  if (!item) throw new AppError('GOODS_NOT_FOUND', { text: '商品不在待审核队列中，可能已被处理' });
  return item;
}

/** A listing in any state, for staff. Throws GOODS_NOT_FOUND. */
export async function listingForStaff(ctx: Context, sn: string, distId: number | null): Promise<ReviewItem> {
  const own = distId === null ? sql`true` : sql`g.dist_id = ${distId}`;
  const [item] = await loadItems(ctx, await rowsWhere(ctx.db, sql`${own} and g.sn = ${sn.toUpperCase()}`, 1));
  if (!item) throw new AppError('GOODS_NOT_FOUND');
  return item;
}

export interface Decision {
  goodsSn: string;
  /** The version that the reviewer saw (ReviewItem.version). */
  version: number;
  /** Operators decide on their own distributor's listings; null means all. */
  distId: number | null;
  /** The reviewer, recorded in the listing's history as staff:<id>. */
  staffId: number;
  /** Runs at the end of the decision's transaction and writes the audit entry of the back office. An error rolls the decision back. */
  also?: (trx: Transaction<DB>, goods: { id: number; sellerId: number }) => Promise<void>;
}

interface LockedGoods {
  id: number;
  sellerId: number;
  sellerActive: boolean;
}

/** Locks the listing for a decision; of two concurrent decisions the second fails with GOODS_STATE. */
async function lockForDecision(trx: Trx, d: Decision): Promise<LockedGoods> {
  const { rows } = await sql<LockedGoods & { status: number; version: number }>`
    select g.id, g.seller_id as "sellerId", g.status, g.version, u.status = ${sql.lit(UserStatus.Active)} as "sellerActive"
    from goods g join app_user u on u.id = g.seller_id
    where g.sn = ${d.goodsSn} and g.status <> ${sql.lit(GoodsStatus.Draft)} and (${d.distId}::int is null or g.dist_id = ${d.distId}) for update of g`.execute(
    trx,
  );
  const row = rows[0];
  if (!row) throw new AppError('GOODS_NOT_FOUND');
  if (row.status !== GoodsStatus.Reviewing) throw errorOf('GOODS_STATE', 'alreadyReviewed');
  if (row.version !== d.version)
    throw new AppError('GOODS_CHANGED', { text: '卖家刚修改了商品，请刷新后按新内容审核' });
  return row;
}

/** Writes the history entry and the event (for notices, wants, alerts), and runs the caller's `also`. */
async function finish(
  trx: Transaction<DB>,
  d: Decision,
  goods: LockedGoods,
  kind: 'approved' | 'rejected',
  detail: Record<string, unknown>,
): Promise<void> {
  await sql`insert into goods_event (goods_id, kind, actor, detail)
    values (${goods.id}, ${kind}, ${`staff:${d.staffId}`}, ${JSON.stringify(detail)}::jsonb)`.execute(trx);
  await emit(trx, `goods.${kind}`, { goodsId: goods.id, sellerId: goods.sellerId, ...detail });
  await forgetFindings(trx, goods.id);
  await d.also?.(trx, goods);
}

/**
 * Approves a listing and puts it on sale and into the search. Writes the history entry and the event goods.approved {goodsId, sellerId}.
 * Throws GOODS_NOT_FOUND, GOODS_STATE (already decided, or the seller is restricted), GOODS_CHANGED (edited since `version`).
 */
export async function approveGoods(ctx: Context, d: Decision): Promise<{ goodsId: number; sellerId: number }> {
  return await inTransaction(ctx.db, async (trx) => {
    const goods = await lockForDecision(trx, d);
    if (!goods.sellerActive) throw errorOf('GOODS_STATE', 'sellerRestricted');
    // An edited listing keeps its refresh time: editing must not act as a refresh.
    await sql`update goods set status = ${GoodsStatus.OnSale}, review_note = null, updated_at = now(),
        refreshed_at = case when exists (select from goods_event e where e.goods_id = goods.id and e.kind = 'approved') then refreshed_at else now() end
      where id = ${goods.id}`.execute(trx);
    await finish(trx, d, goods, 'approved', {});
    await reindexGoods(ctx, trx, goods.id);
    return { goodsId: goods.id, sellerId: goods.sellerId };
  });
}

/**
 * Rejects a listing with a reason that the seller reads (1 to 200 characters); the seller can correct and submit it again. Writes the
 * history entry and the event goods.rejected {goodsId, sellerId, reason}. Throws like `approveGoods`.
 */
export async function rejectGoods(
  ctx: Context,
  d: Decision & { reason: string },
): Promise<{ goodsId: number; sellerId: number }> {
  return await inTransaction(ctx.db, async (trx) => {
    const goods = await lockForDecision(trx, d);
    await sql`update goods set status = ${GoodsStatus.Rejected}, review_note = ${d.reason}, updated_at = now() where id = ${goods.id}`.execute(
      trx,
    );
    await finish(trx, d, goods, 'rejected', { reason: d.reason });
    await reindexGoods(ctx, trx, goods.id);
    return { goodsId: goods.id, sellerId: goods.sellerId };
  });
}
