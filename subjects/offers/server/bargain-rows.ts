import { type RawBuilder, sql } from 'kysely';
import { BargainStatus } from '../rules/bargain.ts';
import type { Trx } from '#server/db/client.ts';
import { BARGAINS_OPEN } from '#server/states/state-lists.ts';
import { FIRST_PICTURE, type PictureItem } from '#subjects/media/server/service.ts';
import type { EndedWhy } from './rules.ts';

/** An offer with the data of its listing and parties. Amounts in fen. */
export interface BargainRow {
  id: number;
  goodsId: number;
  goodsSn: string;
  goodsStatus: number;
  typeId: number;
  gameId: number;
  title: string;
  picture: PictureItem;
  /** The listing's price now, and when the offer was made. */
  priceFen: number;
  thenFen: number;
  offerFen: number;
  counterFen: number | null;
  /** The current state: an offer past its time is expired even before its timer has run. */
  status: number;
  why: EndedWhy | null;
  buyerId: number;
  sellerId: number;
  buyerName: string;
  sellerName: string;
  distId: number;
  message: string;
  expiresAt: Date;
  createdAt: Date;
  orderSn: string | null;
}

/** The current state of bargain `b`. */
export const STATE = sql`case when b.status in ${BARGAINS_OPEN} and b.expires_at <= now()
  then ${sql.lit(BargainStatus.Expired)} else b.status end`;

const COLUMNS = sql`b.id, b.goods_id as "goodsId", g.sn as "goodsSn", g.status as "goodsStatus", g.type_id as "typeId", g.game_id as "gameId", g.title,
  ${FIRST_PICTURE} as picture, g.price_fen as "priceFen", b.price_fen as "thenFen", b.offer_fen as "offerFen", b.counter_fen as "counterFen",
  ${STATE} as status, b.ended_why as why, b.buyer_id as "buyerId", b.seller_id as "sellerId", u.nick_name as "buyerName", s.nick_name as "sellerName",
  b.dist_id as "distId", b.message, b.expires_at as "expiresAt", b.created_at as "createdAt", o.sn as "orderSn"`;

const JOINS =
  sql.raw(`from bargain b join goods g on g.id = b.goods_id join app_user u on u.id = b.buyer_id join app_user s on s.id = b.seller_id
  left join orders o on o.id = b.order_id`);

/** Offers that satisfy `where` (on bargain `b` and goods `g`), newest first. */
export async function bargainRows(
  db: Trx,
  where: RawBuilder<unknown>,
  page: { limit: number; offset?: number },
): Promise<BargainRow[]> {
  const { rows } = await sql<BargainRow>`select ${COLUMNS} ${JOINS} where ${where}
    order by b.id desc limit ${page.limit} offset ${page.offset ?? 0}`.execute(db);
  return rows;
}

/** An offer of a party; undefined for other users and for a missing offer. */
export async function loadBargain(db: Trx, id: number, party: RawBuilder<unknown>): Promise<BargainRow | undefined> {
  return (await bargainRows(db, sql`b.id = ${id} and ${party}`, { limit: 1 }))[0];
}

/** The number of offers that satisfy `where`, by current state. */
export async function bargainCounts(db: Trx, where: RawBuilder<unknown>): Promise<Map<number, number>> {
  const { rows } = await sql<{ status: number; n: number }>`
    select status, count(*)::int as n from (select ${STATE} as status ${JOINS} where ${where} limit 10000) x group by status`.execute(
    db,
  );
  return new Map(rows.map((r) => [r.status, r.n]));
}
