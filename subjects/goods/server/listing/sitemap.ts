import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { sql } from 'kysely';
import { usesJDetail } from '#contract/rules/catalogue.ts';
import type { Db } from '#server/db/client.ts';

/** Ids per part of the sitemap; well below the limit of 50,000 URLs per file. */
const PART_IDS = 20_000;

/** The page of a listing on sale, and the day of its last change or refresh. */
export interface GoodsAddress {
  readonly path: string;
  readonly day: string;
}

/**
 * The number of parts of the sitemap. Parts are ranges of ids, not of listings on sale, so that each listing stays in
 * the same file.
 */
export async function sitemapParts(db: Db): Promise<number> {
  const { rows } = await sql<{ max: number | null }>`select max(goods_id) as max from goods_search`.execute(db);
  return Math.ceil((rows[0]?.max ?? 0) / PART_IDS);
}

/**
 * The sites whose listings a sitemap contains: the site itself, and for the platform's sitemap also sites that no
 * longer exist.
 */
export interface MapOwner {
  id: number;
  /** Sites with their own sitemap. */
  others: readonly number[];
  /** The games that the site shows; null means every game. */
  games: readonly number[] | null;
}

/**
 * The listings on sale of one part (from 1) whose canonical URL is on the site: a listing shown on several sites is in
 * only one sitemap.
 */
export async function sitemapPart(db: Db, { id, others, games }: MapOwner, part: number): Promise<GoodsAddress[]> {
  const { rows } = await sql<{ sn: string; typeId: number; day: string }>`
    select g.sn, g.type_id as "typeId", to_char(greatest(g.updated_at, g.refreshed_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
    from goods_search s join goods g on g.id = s.goods_id
    where s.goods_id > ${(part - 1) * PART_IDS}::bigint and s.goods_id <= ${part * PART_IDS}::bigint
      and (g.dist_id = ${id} or (${id === PLATFORM_DIST_ID} and not (g.dist_id = any(${[...others]}::int[]))))
      and (${games === null} or s.game_id = any(${[...(games ?? [])]}::int[]))
    order by s.goods_id`.execute(db);
  return rows.map((row) => ({ path: `/${usesJDetail(row.typeId) ? 'JDetail' : 'detail'}/${row.sn}`, day: row.day }));
}
