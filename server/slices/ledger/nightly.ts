import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { brokenInvariants } from './invariants.ts';

/** The timer under which the nightly check of the books goes. */
export const NIGHTLY = 'ledger.nightly';

/** A run that takes longer is given up by the database; ten million postings take minutes. */
const RUN_LIMIT = '40min';
/** What one sort or one count of the run may hold in memory before it goes to disk. */
const RUN_MEMORY = '64MB';
/** While a run is under way the timer waits so long: a killed run begins anew then. */
const RUN_SECONDS = 45 * 60;

/** 03:30 by China's clock, the next one. */
const NEXT = sql`((date_trunc('day', (now() - interval '3 hours 30 minutes') at time zone 'Asia/Shanghai') + interval '1 day 3 hours 30 minutes')
  at time zone 'Asia/Shanghai')`;

/** Sets the first check, where there is none yet. */
export async function planNightly(ctx: Context): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${NIGHTLY}, '', ${NEXT}) on conflict do nothing`.execute(
    ctx.db,
  );
}

/**
 * The timer's act: claims the day and lets the check run beside everything else, so that the other timers do not wait for it. A day
 * that was checked is not checked again. Resolves when the run has begun; `done` when it has ended.
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

/** Sets the timer: behind the run that begins, else to the next night. */
async function again(ctx: Context, isRunning: boolean): Promise<void> {
  const due = isRunning ? sql`now() + make_interval(secs => ${RUN_SECONDS})` : NEXT;
  await sql`insert into timer (kind, ref, due_at) values (${NIGHTLY}, '', ${due})
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(ctx.db);
}

/** Checks on one snapshot that takes no lock of anybody, and writes down what it found. */
async function run(ctx: Context, id: number): Promise<string[]> {
  const found = await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${RUN_LIMIT}, true), set_config('work_mem', ${RUN_MEMORY}, true)`.execute(
        trx,
      );
      const { rows } = await sql<{ n: number }>`select count(*) as n from ledger_transfer`.execute(trx);
      return { breaches: await brokenInvariants(trx), transfers: rows[0]?.n ?? 0 };
    });
  const { breaches, transfers } = found;
  await sql`update books_check set ended_at = now(), transfers = ${transfers}, breaches = ${breaches}::text[] where id = ${id}`.execute(
    ctx.db,
  );
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
