import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { backTest } from './model/backtest.ts';
import type { Column, Sale } from './model/features.ts';
import { accountFields } from './fields.ts';
import { fitModel, MIN_SALES, type ModelBody, type PastModel, type PriceModel, priceAt } from './model/model.ts';
import { gamesWithSales, loadSales } from './sales.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { dropModels } from './models.ts';

const DAY_MS = 86_400_000;
/** 02:00 in China is 18:00 of the day before in UTC. */
const HOUR_MS = 18 * 3_600_000;

/** The next 02:00 in China. */
export function nextNight(now: Date): Date {
  return new Date((Math.floor((now.getTime() - HOUR_MS) / DAY_MS) + 1) * DAY_MS + HOUR_MS);
}

/** Months that are backtested in the first run; later runs only process missing months and the current one. */
const MONTHS = 5;
/** A valuation that was not used for a listing is deleted after this many days. */
const KEPT_DAYS = 180;
const BP = 10_000;

/** Half of the sales lie within this distance of the typical price, in basis points. */
function errorOf(body: ModelBody): number {
  const misses = body.kept
    .map(({ value, priceFen }) => Math.abs(priceFen / priceAt(body, value, 0.5) - 1))
    .toSorted((a, b) => a - b);
  return Math.round((misses[Math.floor(misses.length / 2)] ?? 0) * BP);
}

/** The distance between the earlier models that are kept, and the least age of the one that limits floors, after the first two months. */
const PAST_DAYS = 30;

/**
 * The earlier models to keep with a new one, the oldest first: `old` joins them when the newest of them is a month older, and the oldest goes
 * when the next one is a month old. So floors are compared with a model of one to two months ago, and in a young market with its first.
 */
export function pastOf(old: { body: ModelBody; madeAt: Date }, now: Date): PastModel[] {
  const { past = [], columns, linear, spreads } = old.body;
  const ageOf = (model: PastModel | undefined, at: Date): number =>
    model ? (at.getTime() - Date.parse(model.madeAt)) / DAY_MS : Infinity;
  const isDue = ageOf(past.at(-1), old.madeAt) >= PAST_DAYS;
  const all = isDue ? [...past, { columns, linear, spreads, madeAt: old.madeAt.toISOString() }] : past;
  const from = all.findLastIndex((model) => ageOf(model, now) >= PAST_DAYS);
  return all.slice(Math.max(0, from));
}

const columnKey = (column: Column): string =>
  column.kind === 'is' ? `${column.field} ${column.value}` : `${column.field} ${column.kind}`;

/**
 * An earlier model for use with a newer one: what lowers its prices and raises those of the newer one counts for nothing, so that more of it never
 * lowers a floor that both decide (decision 571).
 */
export function inDirectionOf(newer: PriceModel, past: PastModel): PastModel {
  const weightOf = new Map(newer.columns.map((column, j) => [columnKey(column), newer.linear.weights[j] ?? 0]));
  const weights = past.columns.map((column, j) => {
    const weight = past.linear.weights[j] ?? 0;
    return weight < 0 && (weightOf.get(columnKey(column)) ?? 0) > 0 ? 0 : weight;
  });
  return { ...past, linear: { ...past.linear, weights } };
}

/** Stores the model and publishes that listings of the game must be revalued with it. */
async function storeModel(db: Db, gameId: number, body: ModelBody, samples: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ body: ModelBody; madeAt: Date }>`
      select body, made_at as "madeAt" from valuation_model where game_id = ${gameId} for update`.execute(trx);
    const past = rows[0] ? pastOf(rows[0], new Date()).map((model) => inDirectionOf(body, model)) : [];
    const stored: ModelBody = { ...body, past };
    await sql`insert into valuation_model as m (game_id, version, body, samples, error_bp)
    values (${gameId}, 1, ${JSON.stringify(stored)}::jsonb, ${samples}, ${errorOf(body)})
    on conflict (game_id) do update set version = m.version + 1, body = excluded.body, samples = excluded.samples,
      error_bp = excluded.error_bp, made_at = now()`.execute(trx);
    await emit(trx, 'valuation.fitted', { gameId });
  });
}

/** Removes the models of games that now have too few sales. */
async function removeModels(db: Db, kept: readonly number[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ gameId: number }>`
      delete from valuation_model where game_id <> all(${[...kept]}::int[]) returning game_id as "gameId"`.execute(trx);
    for (const { gameId } of rows) await emit(trx, 'valuation.fitted', { gameId });
  });
}

interface Month {
  month: string;
  fromDaysAgo: number;
  toDaysAgo: number;
}

/** The months to backtest for a game: the current one, and earlier ones without a result. */
async function monthsToTry(db: Db, gameId: number): Promise<Month[]> {
  const { rows } = await sql<Month>`
    select to_char(m.first, 'YYYY-MM-DD') as month,
      extract(epoch from now() - m.first at time zone 'Asia/Shanghai')::float8 / 86400 as "fromDaysAgo",
      greatest(0, extract(epoch from now() - (m.first + interval '1 month') at time zone 'Asia/Shanghai')::float8 / 86400) as "toDaysAgo"
    from (select date_trunc('month', now() at time zone 'Asia/Shanghai') - make_interval(months => i) as first, i from generate_series(0, ${MONTHS}::int) i) m
    where not exists (select from valuation_month v where v.game_id = ${gameId} and v.month = m.first::date
      and v.made_at > (m.first + interval '1 month 2 days') at time zone 'Asia/Shanghai')`.execute(db);
  return rows;
}

async function tryMonths(ctx: Context, gameId: number, sales: readonly Sale[]): Promise<void> {
  const fields = accountFields(await catalogue(ctx), gameId);
  for (const { month, ...time } of await monthsToTry(ctx.db, gameId)) {
    const score = backTest(fields, sales, time);
    await nextTurn();
    if (score.sales === 0) continue;
    await sql`insert into valuation_month (game_id, month, sales, hits, loss_fen, plain_loss_fen)
      values (${gameId}, ${month}::date, ${score.sales}, ${score.hits}, ${Math.round(score.loss)}, ${Math.round(score.plainLoss)})
      on conflict (game_id, month) do update set sales = excluded.sales, hits = excluded.hits, loss_fen = excluded.loss_fen,
        plain_loss_fen = excluded.plain_loss_fen, made_at = now()`.execute(ctx.db);
  }
}

/**
 * Refits the model of every game and records the accuracy of the models. Runs from the timer, game by game, and yields to requests between
 * games; a killed run starts again. A game below MIN_SALES loses its model.
 */
export async function refitModels(ctx: Context): Promise<void> {
  const all = await catalogue(ctx);
  const fitted: number[] = [];
  for (const { gameId, sales: count } of await gamesWithSales(ctx.db)) {
    if (count < MIN_SALES || !all.game(gameId)) continue;
    const sales = await loadSales(ctx.db, gameId);
    const body = fitModel(accountFields(all, gameId), sales);
    if (!body) continue;
    await storeModel(ctx.db, gameId, body, sales.length);
    dropModels(ctx);
    fitted.push(gameId);
    await nextTurn();
    await tryMonths(ctx, gameId, sales);
  }
  await removeModels(ctx.db, fitted);
  await sql`delete from valuation where created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(ctx.db);
  dropModels(ctx);
}
