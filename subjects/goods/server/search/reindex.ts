import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { afterCommit, type Trx } from '#server/db/client.ts';
import { NO_STANDING, type PriceStanding, standingOf } from '#subjects/valuation/rules/price-reference.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import type { Reference } from '#subjects/valuation/server/service.ts';
import { storeReferences } from '../prices/references.ts';
import { type SearchRow, scoreOf, searchRowOf } from './index-row.ts';
import { publishChangedGoods } from './changes.ts';

interface Row {
  id: number;
  sn: string;
  sellerId: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  attrs: Record<string, unknown>;
  priceFen: number;
  official: boolean;
  bargainOk: boolean;
  guaranteeOk: boolean;
  inspectedAt: Date | null;
  pictureCount: number;
  sellerLevel: number;
  refreshedAt: Date;
  status: number;
}

/** Reads and locks listings in the order of their ids, so that no order changes one between reading and indexing. */
export async function lockedRows(trx: Trx, ids: readonly number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select g.id, g.sn, g.seller_id as "sellerId", g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.server_id as "serverId", g.title,
      g.attrs, g.price_fen as "priceFen", g.official, g.bargain_ok as "bargainOk", g.guarantee_ok as "guaranteeOk", g.inspected_at as "inspectedAt",
      jsonb_array_length(g.pictures) as "pictureCount", u.seller_level as "sellerLevel", g.refreshed_at as "refreshedAt", g.status
    from goods g join app_user u on u.id = g.seller_id where g.id = any(${[...ids]}::bigint[]) order by g.id for update of g`.execute(
    trx,
  );
  return rows;
}

/** The inputs of the score from a row and its reference. */
function judged(row: Row, reference: Reference | undefined): { inspected: boolean; standing: PriceStanding } {
  return {
    inspected: row.inspectedAt !== null,
    standing: reference
      ? standingOf(row.priceFen, { typical: reference.typicalFen, wide: reference.wide })
      : NO_STANDING,
  };
}

/** The score of a listing with its reference. */
export const scoreBy = (row: Row, reference: Reference | undefined): number =>
  scoreOf({ ...row, ...judged(row, reference) });

/** The row of the search table; undefined for a listing that is not on sale or whose game is disabled. */
function searchRow(
  all: Catalogue,
  row: Row,
  { buyerBp, reference }: { buyerBp: number; reference: Reference | undefined },
): SearchRow | undefined {
  const game = all.game(row.gameId);
  if (row.status !== GoodsStatus.OnSale || !game) return undefined;
  const region = {
    area: row.areaId === null ? '' : (all.area(row.areaId)?.name ?? ''),
    server: row.serverId === null ? '' : (all.server(row.serverId)?.name ?? ''),
  };
  return searchRowOf({ ...row, ...judged(row, reference), goodsId: row.id }, game, region, buyerBp);
}

async function store(trx: Trx, rows: readonly SearchRow[]): Promise<void> {
  if (rows.length === 0) return;
  const col = <T>(pick: (row: SearchRow) => T): T[] => rows.map(pick);
  const ids = col((r) => r.goodsId);
  const games = col((r) => r.gameId);
  // refreshed_at is copied in SQL: a Date would truncate it to milliseconds, and 'newest' sorts by it.
  await sql`
    insert into goods_search (goods_id, game_id, type_id, area_id, server_id, seller_id, price_fen, refreshed_at, score, n1, n2, n3, n4, tsv)
    select v.id, game, type, area, server, seller, price, g.refreshed_at, score, n1, n2, n3, n4, tsv::tsvector
    from unnest(${ids}::bigint[], ${games}::int[], ${col((r) => r.typeId)}::smallint[], ${col((r) => r.areaId)}::int[],
      ${col((r) => r.serverId)}::int[], ${col((r) => r.sellerId)}::bigint[], ${col((r) => r.priceFen)}::bigint[],
      ${col((r) => r.score)}::int[], ${col((r) => r.n[0])}::int[], ${col((r) => r.n[1])}::int[],
      ${col((r) => r.n[2])}::int[], ${col((r) => r.n[3])}::int[], ${col((r) => r.tsv)}::text[])
      as v(id, game, type, area, server, seller, price, score, n1, n2, n3, n4, tsv) join goods g on g.id = v.id
    on conflict (goods_id) do update set game_id = excluded.game_id, type_id = excluded.type_id, area_id = excluded.area_id,
      server_id = excluded.server_id, seller_id = excluded.seller_id, price_fen = excluded.price_fen, refreshed_at = excluded.refreshed_at,
      score = excluded.score, n1 = excluded.n1, n2 = excluded.n2, n3 = excluded.n3, n4 = excluded.n4, tsv = excluded.tsv`.execute(
    trx,
  );
  await sql`insert into goods_stat (goods_id, game_id) select * from unnest(${ids}::bigint[], ${games}::int[]) v(id, game) order by id
    on conflict (goods_id) do update set game_id = excluded.game_id`.execute(trx);
}

async function remove(trx: Trx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from goods_search where goods_id = any(${[...ids]}::bigint[])`.execute(trx);
  await sql`update goods_stat set game_id = null where goods_id = any(${[...ids]}::bigint[]) and game_id is not null`.execute(
    trx,
  );
}

/**
 * Updates the search rows of listings: inserted with current words, facets and all-in price while on sale, else
 * deleted; and their reference prices. Call it in the transaction of the change, so that search results can always be
 * bought. Idempotent; unknown ids are ignored.
 */
export async function reindexMany(
  ctx: Pick<Context, 'db' | 'bus' | 'caches' | 'log' | 'dir'>,
  trx: Trx,
  ids: readonly number[],
): Promise<void> {
  const all = await catalogue(ctx);
  const { buyerBp } = ctx.dir.setting('fees');
  const rows = await lockedRows(trx, ids);
  const references = await storeReferences(ctx, trx, rows);
  const searchRows = rows.flatMap((row) => searchRow(all, row, { buyerBp, reference: references.get(row.id) }) ?? []);
  const indexed = new Set(searchRows.map((r) => r.goodsId));
  await store(trx, searchRows);
  await remove(
    trx,
    ids.filter((id) => !indexed.has(id)),
  );
  afterCommit(trx, () => publishChangedGoods(ctx, rows));
}

/** `reindexMany` for one listing. */
export async function reindexGoods(
  ctx: Pick<Context, 'db' | 'bus' | 'caches' | 'log' | 'dir'>,
  trx: Trx,
  goodsId: number,
): Promise<void> {
  await reindexMany(ctx, trx, [goodsId]);
}
