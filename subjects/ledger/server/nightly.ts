import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { brokenOneByOne } from './invariants.ts';
import { forgetBreaches, proveAll } from './proof.ts';

/** Kind of the timer of the nightly check. */
export const NIGHTLY = 'ledger.nightly';

/** The database cancels a longer run; ten million postings take minutes. */
const RUN_LIMIT = '40min';
/** Memory of one sort or hash of the run before it spills to disk. */
const RUN_MEMORY = '64MB';
/** Up to this number of transfers every posting is checked each night; above it, the incremental proof is used. */
const WHOLE = 1_000_000;
const MAX_BREACHES = 100;
/** Delay of the timer while a run is in progress, after which a run that was killed is repeated. */
const RUN_SECONDS = 45 * 60;

/** The next 03:30 in China. */
const NEXT = sql<Date>`((date_trunc('day', (now() - interval '3 hours 30 minutes') at time zone 'Asia/Shanghai') + interval '1 day 3 hours 30 minutes')
  at time zone 'Asia/Shanghai')`;

/** Schedules the first check, if none is scheduled yet. */
export async function planNightly(ctx: Context): Promise<void> {
  await schedule(ctx.db, NIGHTLY, '', NEXT, 'keep');
}

/**
 * Runs from the timer: claims the day and starts the check in the background, so that other timers are not delayed. A day is checked
 * once. Resolves when the run has begun; `done` resolves when it has ended.
 */
export async function startNightly(ctx: Context): Promise<{ done: Promise<string[] | undefined> }> {
  const { rows } = await sql<{ id: number }>`
    insert into books_check as b (day) values ((now() at time zone 'Asia/Shanghai')::date)
    on conflict (day) do update set started_at = now()
      where b.ended_at is null and b.started_at < now() - make_interval(secs => ${RUN_SECONDS - 60}) returning id`.execute(
    ctx.db,
  );
  const id = rows[0]?.id;
  if (id === undefined) {
    await again(ctx, false);
    return { done: Promise.resolve(undefined) };
  }
  await again(ctx, true);
  const done = run(ctx, id).catch((error: unknown) => {
    ctx.log.error({ error: String(error) }, 'the books could not be checked');
    return undefined;
  });
  return { done };
}

/** Schedules the timer: after the run that begins now, else for the next night. */
async function again(ctx: Context, isRunning: boolean): Promise<void> {
  const due = isRunning ? { seconds: RUN_SECONDS } : NEXT;
  await schedule(ctx.db, NIGHTLY, '', due);
}

/** The number of transfers; for a large ledger that of the proved ones, which is already stored. */
async function countTransfers(ctx: Context, isProved: boolean): Promise<number> {
  const counted = isProved
    ? sql<{ n: number }>`select coalesce(sum(transfers), 0)::bigint as n from books_block`
    : sql<{ n: number }>`select count(*) as n from ledger_transfer`;
  return (await counted.execute(ctx.db)).rows[0]?.n ?? 0;
}

/** Checks without taking locks, each rule in its own snapshot, and stores the result. */
async function run(ctx: Context, id: number): Promise<string[]> {
  const { rows } = await sql<{ n: number }>`
    select greatest(reltuples, 0)::bigint as n from pg_class where oid = 'ledger_transfer'::regclass`.execute(ctx.db);
  const isProved = (rows[0]?.n ?? 0) > WHOLE;
  const found = isProved ? await proveAll(ctx) : [];
  const inParts = await brokenOneByOne(
    async (rule) =>
      await ctx.db
        .transaction()
        .setAccessMode('read only')
        .execute(async (trx) => {
          await sql`select set_config('statement_timeout', ${RUN_LIMIT}, true), set_config('work_mem', ${RUN_MEMORY}, true)`.execute(
            trx,
          );
          return await rule(trx);
        }),
    isProved,
  );
  const breaches = [...found, ...inParts].slice(0, MAX_BREACHES);
  const transfers = await countTransfers(ctx, isProved);
  await inTransaction(ctx.db, async (trx) => {
    await sql`update books_check set ended_at = now(), transfers = ${transfers}, breaches = ${breaches}::text[] where id = ${id}`.execute(
      trx,
    );
    await forgetBreaches(trx, breaches);
  });
  await again(ctx, false);
  if (breaches.length > 0)
    ctx.log.error({ breaches: breaches.slice(0, 10), count: breaches.length }, 'the books are broken');
  return breaches;
}

export interface BooksCheck {
  startedAt: Date;
  endedAt: Date | null;
  transfers: number | null;
  breaches: string[] | null;
}

/** The last checks, newest first. */
export async function lastChecks(ctx: Context, count: number): Promise<BooksCheck[]> {
  const { rows } = await sql<BooksCheck>`
    select started_at as "startedAt", ended_at as "endedAt", transfers, breaches from books_check order by day desc limit ${count}`.execute(
    ctx.db,
  );
  return rows;
}
