import { GOODS_ACTIVE } from '#server/states/state-lists.ts';
import { sql } from 'kysely';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { reindexGoods } from '../search/reindex.ts';
import { record } from './release.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';

interface Listing {
  id: number;
  sn: string;
  title: string;
  sellerId: number;
  status: number;
}

interface Barring {
  fingerprint: Buffer;
  /** The number of the claim or case. */
  claimSn: string;
  /** Completes the sentence that the seller reads. */
  why: string;
  /** The public rule that bars the account. */
  rule?: string;
  /** The sellers whose listings go off sale; all when absent. */
  sellers?: readonly number[];
}

/** States from which a listing can still be ordered: in review, on sale, hidden while the seller is absent. */
const OFFERED = [GoodsStatus.Reviewing, GoodsStatus.OnSale, GoodsStatus.Hidden];

const listings = async (trx: Trx, fingerprint: Buffer): Promise<Listing[]> =>
  (
    await sql<Listing>`
      select id, sn, title, seller_id as "sellerId", status from goods
      where fingerprint = ${fingerprint} and status in ${GOODS_ACTIVE} order by id for update`.execute(trx)
  ).rows;

/**
 * Takes the listings of an account off sale, in the transaction of the claim or case that bars it: a listing in review is rejected, one on sale
 * or hidden goes off sale, each with an entry in its history and a notice to its seller. The listings' rows are locked before the account,
 * in the same order as when publishing (migration 0150), and read again afterwards to include new ones.
 */
export async function takeOffAccount(
  ctx: Context,
  trx: Trx,
  { fingerprint, claimSn, why, rule, sellers }: Barring,
): Promise<void> {
  await listings(trx, fingerprint);
  await sql`select account_lock(${fingerprint}, true)`.execute(trx);
  for (const goods of await listings(trx, fingerprint)) {
    if (!OFFERED.some((status) => status === goods.status)) continue;
    if (sellers && !sellers.includes(goods.sellerId)) continue;
    const isReview = goods.status === GoodsStatus.Reviewing;
    const status = isReview ? GoodsStatus.Rejected : GoodsStatus.OffSale;
    await sql`update goods set status = ${status}, updated_at = now(), review_note = case when ${isReview} then ${`该游戏账号${why}`} else review_note end
      where id = ${goods.id}`.execute(trx);
    await record(trx, goods.id, isReview ? 'rejected' : 'off', 'system', { reason: `该游戏账号${why}` });
    await emit(trx, 'notice', {
      kind: 'goods.barred',
      userId: goods.sellerId,
      ref: `${goods.sn}:${claimSn}`,
      values: { goods: goods.title, text: `对应的游戏账号${why}${rule === undefined ? '' : `（规则 ${rule}）`}。` },
    });
    await reindexGoods(ctx, trx, goods.id);
  }
}

/**
 * Takes a listing down after a report, in the transaction of the decision: it becomes rejected with the reason, is
 * removed from the search, and its seller may correct it and submit it again. Throws GOODS_STATE while an order locks
 * it; a listing that is no longer offered is left unchanged.
 */
export async function takeDownListing(
  ctx: Context,
  trx: Trx,
  { goodsId, staffId, reason }: { goodsId: number; staffId: number; reason: string },
): Promise<void> {
  const { rows } = await sql<{ status: number }>`select status from goods where id = ${goodsId} for update`.execute(
    trx,
  );
  const status = rows[0]?.status;
  if (status === GoodsStatus.Locked) throw errorOf('GOODS_STATE', 'inTrade');
  if (![...OFFERED, GoodsStatus.OffSale].some((one) => one === status)) return;
  await sql`update goods set status = ${GoodsStatus.Rejected}, review_note = ${reason}, updated_at = now() where id = ${goodsId}`.execute(
    trx,
  );
  await record(trx, goodsId, 'rejected', `staff:${staffId}`, { reason });
  await reindexGoods(ctx, trx, goodsId);
}

/** An open order on an account. */
export interface AccountOrder {
  id: number;
  sn: string;
  sellerId: number;
  buyerId: number;
  status: number;
}

/** Open orders on an account except the given one; call it after `takeOffAccount`, so that none is missed. */
export async function ordersOfAccount(db: Trx, fingerprint: Buffer, butOrderId: number): Promise<AccountOrder[]> {
  const { rows } = await sql<AccountOrder>`
    select o.id, o.sn, o.seller_id as "sellerId", o.buyer_id as "buyerId", o.status from goods g join orders o on o.goods_id = g.id
    where g.fingerprint = ${fingerprint} and o.status in ${ORDERS_OPEN} and o.id <> ${butOrderId} order by o.id`.execute(
    db,
  );
  return rows;
}
