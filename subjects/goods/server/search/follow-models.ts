import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { VALUED_TYPES } from '#subjects/valuation/server/service.ts';
import { storeReferences } from '../prices/references.ts';
import { lockedRows, reindexMany, scoreBy } from './reindex.ts';

const BATCH = 200;

/**
 * Listings on sale of a game after `last` whose reference is not from the current model, or is from a model that no
 * longer exists.
 */
async function dueListings(db: Trx, gameId: number, last: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.goods_id as id from goods_search s
      left join goods_reference r on r.goods_id = s.goods_id left join valuation_model m on m.game_id = s.game_id
    where s.game_id = ${gameId} and s.type_id = any(${[...VALUED_TYPES]}::smallint[]) and s.goods_id > ${last}
      and r.model_version is distinct from m.version
    order by s.goods_id limit ${BATCH}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The scores of listings in the search. */
async function loadScores(trx: Trx, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; score: number }>`
    select goods_id as id, score from goods_search where goods_id = any(${[...ids]}::bigint[])`.execute(trx);
  return new Map(rows.map(({ id, score }) => [id, score]));
}

/**
 * Writes the references of a game's listings on sale again after its model was fitted or removed, in batches. The
 * search row is updated only when the score changes, so that not every listing is rewritten each night. Returns the
 * number of listings whose reference was written.
 */
export async function followModel(ctx: Context, gameId: number): Promise<number> {
  let written = 0;
  for (let last = 0; ; ) {
    const ids = await dueListings(ctx.db, gameId, last);
    const end = ids.at(-1);
    if (end === undefined) return written;
    last = end;
    await inTransaction(ctx.db, async (trx) => {
      const rows = await lockedRows(trx, ids);
      const after = await storeReferences(ctx, trx, rows);
      const scores = await loadScores(trx, ids);
      const moved = rows.filter((row) => scores.get(row.id) !== scoreBy(row, after.get(row.id)));
      if (moved.length > 0)
        await reindexMany(
          ctx,
          trx,
          moved.map(({ id }) => id),
        );
    });
    written += ids.length;
  }
}
