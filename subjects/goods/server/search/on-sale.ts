import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { lockProgress, moveProgress } from '#server/jobs/progress.ts';

/** The lock of folding changes and of recounting a game. */
const MARK = 'goods.onSale';
const FOLD_BATCH = 20_000;
const FOLD_SECONDS = 15;
const RECOUNT_GAMES = 5;

/** Folds the changes of the search table into the numbers on sale, at most one batch; returns how many. */
export async function foldOnSale(db: Db): Promise<number> {
  return await inTransaction(db, async (trx) => {
    await lockProgress(trx, MARK);
    const { rows } = await sql<{ n: number }>`
      with taken as (delete from on_sale_delta where id in (select id from on_sale_delta order by id limit ${FOLD_BATCH}) returning *),
        sums as (insert into on_sale as k (game_id, type_id, n) select game_id, type_id, sum(n) from taken group by game_id, type_id order by 1, 2
          on conflict (game_id, type_id) do update set n = k.n + excluded.n)
      select count(*)::int as n from taken`.execute(trx);
    return rows[0]?.n ?? 0;
  });
}

/**
 * Counts the listings of the next games again, each in one snapshot, and corrects what differs. Returns how many differed, and
 * whether the round over all games has ended; then the next begins.
 */
export async function recountOnSale(db: Db): Promise<{ differences: number; isLast: boolean }> {
  return await inTransaction(db, async (trx) => {
    const { id } = await lockProgress(trx, MARK);
    const games = await sql<{
      id: number;
    }>`select id from game where id > ${id} order by id limit ${RECOUNT_GAMES}`.execute(trx);
    const ids = games.rows.map((game) => game.id);
    const { rows } = await sql<{ n: number }>`
      with anew as (select game_id, type_id, sum(n) as n from (
          select game_id, type_id, 1 as n from goods_search where game_id = any(${ids}::int[])
          union all select game_id, type_id, -n from on_sale_delta where game_id = any(${ids}::int[])) x group by game_id, type_id),
        wrong as (select game_id, type_id, coalesce(a.n, 0) as n
          from anew a full join (select * from on_sale where game_id = any(${ids}::int[])) k using (game_id, type_id) where coalesce(a.n, 0) <> coalesce(k.n, 0)),
        put as (insert into on_sale (game_id, type_id, n) select game_id, type_id, n from wrong
          on conflict (game_id, type_id) do update set n = excluded.n)
      select count(*)::int as n from wrong`.execute(trx);
    const isLast = ids.length < RECOUNT_GAMES;
    await moveProgress(trx, MARK, { id: isLast ? 0 : (ids.at(-1) ?? 0) });
    return { differences: rows[0]?.n ?? 0, isLast };
  });
}

/** Folds changes and returns when the next fold is due: immediately when a full batch was waiting. */
export async function keepOnSale(ctx: Context): Promise<{ seconds: number }> {
  return { seconds: (await foldOnSale(ctx.db)) === FOLD_BATCH ? 0 : FOLD_SECONDS };
}

/** One part of the round over all games; returns when the next is due, after the last a day later. */
export async function checkOnSale(ctx: Context): Promise<{ seconds: number }> {
  const { differences, isLast } = await recountOnSale(ctx.db);
  if (differences > 0) ctx.log.warn({ differences }, 'kept numbers of listings on sale differed');
  return { seconds: isLast ? 86_400 : 1 };
}
