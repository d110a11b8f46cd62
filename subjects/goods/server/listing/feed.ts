import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { sql } from 'kysely';
import { usesJDetail } from '#contract/rules/catalogue.ts';
import type { Db } from '#server/db/client.ts';
import type { MapOwner } from './sitemap.ts';

/** A listing on sale as a feed entry. */
export interface FeedListing {
  sn: string;
  path: string;
  title: string;
  description: string;
  gameId: number;
  typeId: number;
  /** The buyer's price, in fen. */
  priceFen: number;
  createdAt: Date;
  changedAt: Date;
}

/** Maximum number of newest rows read, so that the feed of a site with few games does not read the whole market. */
const SCANNED = 50_000;

/** The newest listings on sale whose canonical URL is on the site (docs/decisions/361), newest first. */
export async function feedListings(db: Db, { id, others, games }: MapOwner, limit: number): Promise<FeedListing[]> {
  const { rows } = await sql<Omit<FeedListing, 'path'>>`
    select g.sn, g.title, g.description, g.game_id as "gameId", g.type_id as "typeId", s.price_fen as "priceFen",
      g.created_at as "createdAt", greatest(g.updated_at, g.refreshed_at) as "changedAt"
    from (select goods_id, game_id, price_fen from goods_search order by goods_id desc limit ${SCANNED}) s join goods g on g.id = s.goods_id
    where (g.dist_id = ${id} or (${id === PLATFORM_DIST_ID} and not (g.dist_id = any(${[...others]}::int[]))))
      and (${games === null} or s.game_id = any(${[...(games ?? [])]}::int[]))
    order by s.goods_id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, path: `/${usesJDetail(row.typeId) ? 'JDetail' : 'detail'}/${row.sn}` }));
}
