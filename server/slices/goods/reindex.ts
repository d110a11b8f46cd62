import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { type Catalogue, catalogue } from '#server/slices/games/service.ts';
import { searchRowOf } from './index-row.ts';

interface Row {
  id: number;
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

const ON_SALE = 2;

/** Reads one goods and holds its row, so that no order takes it between reading and indexing. */
async function heldRow(trx: Trx, goodsId: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select g.id, g.seller_id as "sellerId", g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.server_id as "serverId", g.title,
      g.attrs, g.price_fen as "priceFen", g.official, g.bargain_ok as "bargainOk", g.guarantee_ok as "guaranteeOk", g.inspected_at as "inspectedAt",
      jsonb_array_length(g.pictures) as "pictureCount", u.seller_level as "sellerLevel", g.refreshed_at as "refreshedAt", g.status
    from goods g join app_user u on u.id = g.seller_id where g.id = ${goodsId} for update of g`.execute(trx);
  return rows[0];
}

async function store(trx: Trx, all: Catalogue, row: Row, buyerBp: number): Promise<void> {
  const game = all.game(row.gameId);
  if (!game) return await remove(trx, row.id);
  const place = {
    area: row.areaId === null ? '' : (all.area(row.areaId)?.name ?? ''),
    server: row.serverId === null ? '' : (all.server(row.serverId)?.name ?? ''),
  };
  const s = searchRowOf({ ...row, goodsId: row.id, inspected: row.inspectedAt !== null }, game, place, buyerBp);
  const [n1, n2, n3, n4] = s.n;
  // The time goes from table to table: a Date would cut its microseconds, which cursors compare by.
  await sql`
    insert into goods_search (goods_id, game_id, type_id, area_id, server_id, seller_id, price_fen, refreshed_at, score, n1, n2, n3, n4, tsv)
    values (${s.goodsId}, ${s.gameId}, ${s.typeId}, ${s.areaId}, ${s.serverId}, ${s.sellerId}, ${s.priceFen},
      (select refreshed_at from goods where id = ${s.goodsId}), ${s.score},
      ${n1}, ${n2}, ${n3}, ${n4}, ${s.tsv}::tsvector)
    on conflict (goods_id) do update set game_id = excluded.game_id, type_id = excluded.type_id, area_id = excluded.area_id,
      server_id = excluded.server_id, seller_id = excluded.seller_id, price_fen = excluded.price_fen, refreshed_at = excluded.refreshed_at,
      score = excluded.score, n1 = excluded.n1, n2 = excluded.n2, n3 = excluded.n3, n4 = excluded.n4, tsv = excluded.tsv`.execute(
    trx,
  );
  await sql`insert into goods_stat (goods_id, game_id) values (${s.goodsId}, ${s.gameId})
    on conflict (goods_id) do update set game_id = excluded.game_id`.execute(trx);
}

async function remove(trx: Trx, goodsId: number): Promise<void> {
  await sql`delete from goods_search where goods_id = ${goodsId}`.execute(trx);
  await sql`update goods_stat set game_id = null where goods_id = ${goodsId} and game_id is not null`.execute(trx);
}

/**
 * Brings the search row of a goods in line with the goods: there while it is on sale, with the words, facets and all-in price of now,
 * else gone. Call it in the transaction of the change, so that what is found is what can be bought; doing it again changes nothing.
 * An unknown id is no fault.
 */
export async function reindexGoods(
  ctx: Pick<Context, 'db' | 'bus' | 'log' | 'dir'>,
  trx: Trx,
  goodsId: number,
): Promise<void> {
  const all = await catalogue(ctx);
  const row = await heldRow(trx, goodsId);
  if (row?.status === ON_SALE) await store(trx, all, row, ctx.dir.setting<{ buyerBp: number }>('fees').buyerBp);
  else await remove(trx, goodsId);
}
