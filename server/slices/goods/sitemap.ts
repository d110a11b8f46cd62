import { sql } from 'kysely';
import { usesJDetail } from '#contract/rules/catalogue.ts';
import type { Db } from '#server/db/client.ts';

/** Ids that one part of the sitemap covers; far below the 50,000 addresses that a file may name. */
const PART_IDS = 20_000;

/** One page of a goods on sale, and the day on which it was last changed or refreshed. */
export interface GoodsAddress {
  readonly path: string;
  readonly day: string;
}

/** How many parts the sitemap of goods has: by ids and not by what is on sale, so that a part stays the same file. */
export async function sitemapParts(db: Db): Promise<number> {
  const { rows } = await sql<{ max: number | null }>`select max(goods_id) as max from goods_search`.execute(db);
  return Math.ceil((rows[0]?.max ?? 0) / PART_IDS);
}

/** Goods on sale of one part (from 1), of the games that a distributor shows; `games` null means every game. */
export async function sitemapPart(db: Db, games: readonly number[] | null, part: number): Promise<GoodsAddress[]> {
  const { rows } = await sql<{ sn: string; typeId: number; day: string }>`
    select g.sn, g.type_id as "typeId", to_char(greatest(g.updated_at, g.refreshed_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
    from goods_search s join goods g on g.id = s.goods_id
    where s.goods_id > ${(part - 1) * PART_IDS}::bigint and s.goods_id <= ${part * PART_IDS}::bigint
      and (${games === null} or s.game_id = any(${[...(games ?? [])]}::int[]))
    order by s.goods_id`.execute(db);
  return rows.map((row) => ({ path: `/${usesJDetail(row.typeId) ? 'JDetail' : 'detail'}/${row.sn}`, day: row.day }));
}
