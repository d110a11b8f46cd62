import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { whenOf, type When } from './door.ts';
import type { Carried } from './events.ts';
import { backOffSeconds, classOf, textOf } from './failures.ts';
import type { Lane } from './lanes.ts';
import { deliver } from './relay.ts';

/** Jobs of one lane that a process carries out at once. */
const SLOTS: Readonly<Record<Lane, number>> = { market: 4, vendors: 4, notices: 2, upkeep: 2 };
/** What one call of `timersOnce` takes. */
const ONCE = 50;
/** A failed event: as many tries as a job, and a lease of its own. */
const EVENT_ATTEMPTS = 8;
const EVENT_LEASE_SECONDS = 120;
const MAX_LEASE_SECONDS = 600;
/** What somebody else does not know for so long is no longer waited for: staff looks at it. */
const PATIENCE = sql.raw(`interval '7 days'`);

interface Claim {
  kind: string;
  ref: string;
  attempts: number;
  faults: number;
  payload: { topic?: string; payload?: Record<string, unknown> };
  /** Where the claim ends; moved while it is renewed. */
  due_at: Date;
  lastError: string | null;
}

interface Terms {
  attempts: number;
  leaseSeconds: number;
}

const termsOf = (effects: Carried, kind: string): Terms =>
  effects.registry.jobs[kind] ?? { attempts: EVENT_ATTEMPTS, leaseSeconds: EVENT_LEASE_SECONDS };

/**
 * Claims up to `limit` jobs that are due. A claim moves the job to the end of its own lease, so that a killed process loses nothing, two
 * processes do not run it at once, and it runs again exactly when the lease ends. It is in whole milliseconds, which is what a Date holds:
 * otherwise no finished job would be recognised. A kind that this build does not know is left alone. Returns them.
 */
async function claim(ctx: Context, effects: Carried, limit: number, lane?: Lane): Promise<Claim[]> {
  const kinds = effects.kindsOf(lane);
  const leases = kinds.map((kind) => Math.min(MAX_LEASE_SECONDS, termsOf(effects, kind).leaseSeconds));
  const { rows } = await sql<Claim>`
    update timer t set due_at = date_trunc('milliseconds', now()) + make_interval(secs => d.lease), attempts = t.attempts + 1,
      faults = case when t.attempts = 0 and t.kind <> 'event' then 0 else t.faults end,
      last_error = case when t.attempts = 0 and t.kind <> 'event' then null else t.last_error end
    from (select w.kind, w.ref, coalesce(k.lease, ${EVENT_LEASE_SECONDS}) as lease
      from timer w left join unnest(${kinds}::text[], ${leases}::int[]) as k(kind, lease) on k.kind = w.kind
      where w.due_at <= now() and (k.kind is not null or w.kind = 'event' and w.payload->>'topic' = any(${effects.topicsOf(lane)}::text[]))
      order by w.due_at limit ${limit} for update of w skip locked) d
    where t.kind = d.kind and t.ref = d.ref
    returning t.kind, t.ref, t.attempts, t.faults, t.payload, t.due_at, t.last_error as "lastError"`.execute(ctx.db);
  return rows;
}

/** Keeps a claim while its job runs; answers how to end that. Whoever sets the job anew meanwhile ends it too. */
function renew(ctx: Context, job: Claim, { leaseSeconds }: Terms): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  const again = async (): Promise<void> => {
    const { rows } = await sql<{ due: Date }>`
      update timer set due_at = date_trunc('milliseconds', now()) + make_interval(secs => ${leaseSeconds})
      where kind = ${job.kind} and ref = ${job.ref} and due_at = ${job.due_at} returning due_at as due`.execute(ctx.db);
    if (rows[0]) job.due_at = rows[0].due;
  };
  const every = setInterval(
    () => {
      last = last.then(again).catch((error: unknown) => {
        ctx.log.warn({ kind: job.kind, ref: job.ref, error: String(error) }, 'a lease could not be renewed');
      });
    },
    (leaseSeconds * 1000) / 3,
  );
  return async () => {
    clearInterval(every);
    await last;
  };
}

/** Runs a claimed job and writes down how it ended. Never throws but for the database. */
async function run(ctx: Context, effects: Carried, job: Claim): Promise<void> {
  const terms = termsOf(effects, job.kind);
  // Whose process died each time before it could say why: the next run would take another one with it.
  if (job.lastError === null && job.attempts > terms.attempts && !isPeriodic(effects, job))
    return await bury(ctx, job, '进程在运行中结束');
  const release = renew(ctx, job, terms);
  let outcome: { next: When | void } | { error: unknown };
  try {
    outcome = { next: await work(ctx, effects, job) };
  } catch (error) {
    outcome = { error };
  }
  await release();
  if ('error' in outcome) await failed(ctx, effects, job, outcome.error);
  else if (outcome.next !== undefined) await move(ctx, job, outcome.next);
  else if (!isPeriodic(effects, job)) await finish(ctx, job);
}

const isPeriodic = (effects: Carried, { kind, ref }: Claim): boolean => effects.periodic.get(kind) === ref;

async function work(ctx: Context, effects: Carried, job: Claim): Promise<When | void> {
  if (job.kind === 'event') return await deliver(ctx, effects, job.payload.topic ?? '', [job.payload.payload ?? {}]);
  return await effects.runs.get(job.kind)?.(ctx, job.ref);
}

async function failed(ctx: Context, effects: Carried, job: Claim, error: unknown): Promise<void> {
  const kindOf = classOf(error);
  const { kind, ref, attempts } = job;
  ctx.log[kindOf === 'moved-on' ? 'info' : 'warn']({ kind, ref, attempts, error: String(error) }, 'job failed');
  const stays = isPeriodic(effects, job);
  if (kindOf === 'moved-on' && !stays) return await finish(ctx, job);
  const faults = job.faults + (kindOf === 'fault' ? 1 : 0);
  if (kindOf === 'fault' && faults >= termsOf(effects, kind).attempts && !stays)
    return await bury(ctx, job, textOf(error));
  const { rows } = await sql<{ impatient: boolean }>`
    update timer set due_at = now() + make_interval(secs => ${backOffSeconds(attempts)}), faults = ${faults}, last_error = ${textOf(error)},
      first_failed_at = case when ${attempts} = 1 and kind <> 'event' then now() else coalesce(first_failed_at, now()) end
    where kind = ${kind} and ref = ${ref} and due_at = ${job.due_at} returning first_failed_at < now() - ${PATIENCE} as impatient`.execute(
    ctx.db,
  );
  if (rows[0]?.impatient === true && !stays) await bury(ctx, job, textOf(error), true);
}

/** Removes a job, unless it was set again since it was claimed. */
async function finish(ctx: Context, { kind, ref, due_at }: Claim): Promise<void> {
  await sql`delete from timer where kind = ${kind} and ref = ${ref} and due_at = ${due_at}`.execute(ctx.db);
}

/** Runs it again then, as a new one, yet not at once whatever this process takes the time for; not if it was set again since it was claimed. */
async function move(ctx: Context, { kind, ref, due_at }: Claim, at: When): Promise<void> {
  await sql`update timer set due_at = greatest(${whenOf(at)}, now() + interval '1 second'), attempts = 0 where kind = ${kind} and ref = ${ref} and due_at = ${due_at}`.execute(
    ctx.db,
  );
}

/** Makes a dead letter of a job, for staff to look at; `late`: whenever it is due by now. One that was set again lives. */
async function bury(ctx: Context, job: Claim, error: string, late = false): Promise<void> {
  const isEvent = job.kind === 'event';
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ first: Date | null }>`
      delete from timer where kind = ${job.kind} and ref = ${job.ref} and (${late} or due_at = ${job.due_at})
      returning first_failed_at as first`.execute(trx);
    if (!rows[0]) return;
    const payload = isEvent ? (job.payload.payload ?? {}) : {};
    await sql`insert into dead_letter (what, name, ref, payload, error, attempts, first_failed_at)
      values (${isEvent ? 'event' : 'job'}, ${isEvent ? (job.payload.topic ?? '') : job.kind}, ${job.ref}, ${JSON.stringify(payload)}::jsonb, ${error},
        ${job.attempts}, coalesce(${rows[0].first}::timestamptz, now()))
      on conflict (what, name, ref) where status = 'open'
        do update set error = excluded.error, attempts = dead_letter.attempts + excluded.attempts, last_failed_at = now()`.execute(
      trx,
    );
  });
  ctx.log.error(
    { kind: job.kind, ref: job.ref, attempts: job.attempts, error },
    'job given up; staff finds it among the dead letters',
  );
}

/** Carries out what is due of a lane, or of all of them, one after the other; returns how many jobs that were. For tests and tools. */
export async function timersOnce(ctx: Context, effects: Carried, lane?: Lane): Promise<number> {
  const jobs = await claim(ctx, effects, ONCE, lane);
  for (const job of jobs) await run(ctx, effects, job);
  return jobs.length;
}

/**
 * Goes on with a lane: claims as many due jobs as there are free slots, and lets each run without waiting for the others. Returns how many
 * were claimed; `busy` is emptied by the jobs themselves.
 */
export async function fillSlots(ctx: Context, effects: Carried, lane: Lane, busy: Set<Promise<void>>): Promise<number> {
  const free = SLOTS[lane] - busy.size;
  if (free <= 0) return 0;
  const jobs = await claim(ctx, effects, free, lane);
  for (const job of jobs) {
    const running: Promise<void> = run(ctx, effects, job)
      .catch((error: unknown) => {
        ctx.log.warn(
          { kind: job.kind, ref: job.ref, error: String(error) },
          'how a job ended could not be written down',
        );
      })
      .finally(() => busy.delete(running));
    busy.add(running);
  }
  return jobs.length;
}

/** Sets each periodic job that is not set: one that was lost, or one that is new in this build. */
export async function plantPeriodic(ctx: Context, effects: Carried): Promise<void> {
  const [kinds, refs] = [[...effects.periodic.keys()], [...effects.periodic.values()]];
  await sql`insert into timer (kind, ref, due_at) select kind, ref, now() from unnest(${kinds}::text[], ${refs}::text[]) as p(kind, ref)
    on conflict do nothing`.execute(ctx.db);
}
