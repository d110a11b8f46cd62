import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { whenOf, type When } from './effect-writer.ts';
import type { EffectHandlers } from './events.ts';
import { backOffSeconds, classOf, textOf } from './failures.ts';
import type { Lane } from './lanes.ts';
import { quarantined } from './quarantine.ts';
import { deliver } from './relay.ts';

/** Maximum number of jobs of one lane that a process runs concurrently. */
const SLOTS: Readonly<Record<Lane, number>> = {
  market: 4,
  vendors: 4,
  notices: 2,
  webhooks: 4,
  pictures: 4,
  upkeep: 2,
};
/** Jobs that one call of `timersOnce` claims. */
const ONCE = 50;
/** A failed event has as many attempts as a job, and its own lease. */
const EVENT_ATTEMPTS = 8;
const EVENT_LEASE_SECONDS = 120;
const MAX_LEASE_SECONDS = 600;
/** A job that has had no definite result for this long becomes a dead letter. */
const PATIENCE = sql.raw(`interval '7 days'`);

interface Claim {
  kind: string;
  ref: string;
  attempts: number;
  faults: number;
  payload: { topic?: string; payload?: Record<string, unknown> };
  /** When the claim ends; moved while it is renewed. */
  due_at: Date;
  lastError: string | null;
  /** Whether the claim was flushed to disk before the job ran: `on`, or null. */
  durable: string | null;
}

interface Terms {
  attempts: number;
  leaseSeconds: number;
}

const termsOf = (effects: EffectHandlers, kind: string): Terms =>
  effects.registry.jobs[kind] ?? { attempts: EVENT_ATTEMPTS, leaseSeconds: EVENT_LEASE_SECONDS };

/**
 * Claims up to `limit` jobs that are due. A claim moves the job to the end of its own lease, so that a killed process loses nothing, two
 * processes do not run it at the same time, and it runs again exactly when the lease ends. It is in whole milliseconds, the precision of a Date:
 * otherwise no finished job would be recognised. A kind unknown to this build is not touched, and in quarantine no kind
 * is. The claim waits for the disk only if a job has run before, or was due before PostgreSQL last crashed (a crash resets its statistics):
 * a job that crashes the database would otherwise lose its count of attempts each time (docs/decisions/454). Returns them.
 */
async function claim(ctx: Context, effects: EffectHandlers, limit: number, lane?: Lane): Promise<Claim[]> {
  const kinds = effects.kindsOf(lane);
  const leases = kinds.map((kind) => Math.min(MAX_LEASE_SECONDS, termsOf(effects, kind).leaseSeconds));
  const { rows } = await sql<Claim>`
    update timer t set due_at = date_trunc('milliseconds', now()) + make_interval(secs => d.lease), attempts = t.attempts + 1,
      faults = case when t.attempts = 0 and t.kind <> 'event' then 0 else t.faults end,
      last_error = case when t.attempts = 0 and t.kind <> 'event' then null else t.last_error end
    from (select w.kind, w.ref, coalesce(k.lease, ${EVENT_LEASE_SECONDS}) as lease,
        w.attempts > 0 or w.due_at < (select stats_reset from pg_stat_bgwriter) as durable
      from timer w left join unnest(${kinds}::text[], ${leases}::int[]) as k(kind, lease) on k.kind = w.kind
      where w.due_at <= now() and (k.kind is not null or w.kind = 'event' and w.payload->>'topic' = any(${effects.topicsOf(lane)}::text[]))
        and not ${quarantined}
      order by w.due_at limit ${limit} for update of w skip locked) d
    where t.kind = d.kind and t.ref = d.ref
    returning t.kind, t.ref, t.attempts, t.faults, t.payload, t.due_at, t.last_error as "lastError",
      case when d.durable then set_config('synchronous_commit', 'on', true) end as durable`.execute(ctx.relaxed);
  return rows;
}

/** Renews a claim while its job runs; returns the function that stops it. Rescheduling the job meanwhile also ends the claim. */
function renew(ctx: Context, job: Claim, { leaseSeconds }: Terms): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  const again = async (): Promise<void> => {
    const { rows } = await sql<{ due: Date }>`
      update timer set due_at = date_trunc('milliseconds', now()) + make_interval(secs => ${leaseSeconds})
      where kind = ${job.kind} and ref = ${job.ref} and due_at = ${job.due_at} returning due_at as due`.execute(
      ctx.relaxed,
    );
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

/** Runs a claimed job and records its outcome. Throws only database errors. */
async function run(ctx: Context, effects: EffectHandlers, job: Claim): Promise<void> {
  const terms = termsOf(effects, job.kind);
  // Every attempt ended with its process and left no error: another attempt would end the next process too.
  if (job.lastError === null && job.attempts > terms.attempts && !isPeriodic(effects, job))
    return await makeDeadLetter(ctx, effects, job, '进程在运行中结束');
  const release = renew(ctx, job, terms);
  let outcome: { next: When | void } | { error: unknown };
  try {
    outcome = { next: await work(ctx, effects, job) };
  } catch (error) {
    outcome = { error };
  }
  await release();
  if ('error' in outcome) return await failed(ctx, effects, job, outcome.error);
  if (job.lastError !== null && isPeriodic(effects, job)) await recovered(ctx, job);
  if (outcome.next !== undefined) await move(ctx, job, outcome.next);
  else if (!isPeriodic(effects, job)) await finish(ctx, job);
}

const isPeriodic = (effects: EffectHandlers, { kind, ref }: Claim): boolean => effects.periodic.get(kind) === ref;

async function work(ctx: Context, effects: EffectHandlers, job: Claim): Promise<When | void> {
  if (job.kind === 'event') return await deliver(ctx, effects, job.payload.topic ?? '', [job.payload.payload ?? {}]);
  return await effects.runs.get(job.kind)?.(ctx, job.ref);
}

async function failed(ctx: Context, effects: EffectHandlers, job: Claim, error: unknown): Promise<void> {
  const kindOf = classOf(error);
  const { kind, ref, attempts } = job;
  ctx.log[kindOf === 'moved-on' ? 'info' : 'warn']({ kind, ref, attempts, error: String(error) }, 'job failed');
  const stays = isPeriodic(effects, job);
  if (kindOf === 'moved-on' && !stays) return await finish(ctx, job);
  const faults = job.faults + (kindOf === 'fault' ? 1 : 0);
  const isLimit = kindOf === 'fault' && faults >= termsOf(effects, kind).attempts;
  if (isLimit && !stays) return await makeDeadLetter(ctx, effects, job, textOf(error));
  // A periodic job continues, but staff see that it fails.
  if (isLimit) await inTransaction(ctx.db, async (trx) => await addLetter(trx, job, textOf(error), null));
  const { rows } = await sql<{ impatient: boolean }>`
    update timer set due_at = now() + make_interval(secs => ${backOffSeconds(attempts)}), faults = ${faults}, last_error = ${textOf(error)},
      first_failed_at = case when ${attempts} = 1 and kind <> 'event' then now() else coalesce(first_failed_at, now()) end
    where kind = ${kind} and ref = ${ref} and due_at = ${job.due_at} returning first_failed_at < now() - ${PATIENCE} as impatient`.execute(
    ctx.db,
  );
  if (rows[0]?.impatient === true && !stays) await makeDeadLetter(ctx, effects, job, textOf(error), true);
}

/** Removes a job, unless it was rescheduled since it was claimed. */
async function finish(ctx: Context, { kind, ref, due_at }: Claim): Promise<void> {
  await sql`delete from timer where kind = ${kind} and ref = ${ref} and due_at = ${due_at}`.execute(ctx.relaxed);
}

/** Reschedules a periodic or repeating job with a fresh count of attempts, at least 1 s ahead; not if it was rescheduled since the claim. */
async function move(ctx: Context, { kind, ref, due_at }: Claim, at: When): Promise<void> {
  await sql`update timer set due_at = greatest(${whenOf(at)}, now() + interval '1 second'), attempts = 0 where kind = ${kind} and ref = ${ref} and due_at = ${due_at}`.execute(
    ctx.relaxed,
  );
}

/** Moves a job to the dead letters; with `anyDueTime` also one whose due time has moved. A job rescheduled since the claim stays. */
async function makeDeadLetter(
  ctx: Context,
  effects: EffectHandlers,
  job: Claim,
  error: string,
  anyDueTime = false,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ first: Date | null }>`
      delete from timer where kind = ${job.kind} and ref = ${job.ref} and (${anyDueTime} or due_at = ${job.due_at})
      returning first_failed_at as first`.execute(trx);
    if (!rows[0]) return;
    await addLetter(trx, job, error, rows[0].first);
    await effects.givenUp.get(job.kind)?.(trx, job.ref);
  });
  ctx.log.error(
    { kind: job.kind, ref: job.ref, attempts: job.attempts, error },
    'job given up; staff finds it among the dead letters',
  );
}

async function addLetter(trx: Trx, job: Claim, error: string, firstFailedAt: Date | null): Promise<void> {
  const isEvent = job.kind === 'event';
  const name = isEvent ? (job.payload.topic ?? '') : job.kind;
  const payload = isEvent ? (job.payload.payload ?? {}) : {};
  await sql`insert into dead_letter (what, name, ref, payload, error, attempts, first_failed_at)
    values (${isEvent ? 'event' : 'job'}, ${name}, ${job.ref}, ${JSON.stringify(payload)}::jsonb, ${error}, ${job.attempts},
      coalesce(${firstFailedAt}::timestamptz, now()))
    on conflict (what, name, ref) where status = 'open'
      do update set error = excluded.error, attempts = dead_letter.attempts + excluded.attempts, last_failed_at = now()`.execute(
    trx,
  );
}

/** Closes the letter of a periodic job that runs again, and resets its failures. */
async function recovered(ctx: Context, { kind, ref }: Claim): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await sql`update timer set last_error = null, faults = 0, first_failed_at = null where kind = ${kind} and ref = ${ref}`.execute(
      trx,
    );
    await sql`update dead_letter set status = 'again', note = '之后的运行已成功', decided_at = now()
      where what = 'job' and name = ${kind} and ref = ${ref} and status = 'open'`.execute(trx);
  });
}

/** Runs the due jobs of a lane, or of all lanes, one by one; returns their number. For tests and tools. */
export async function timersOnce(ctx: Context, effects: EffectHandlers, lane?: Lane): Promise<number> {
  const jobs = await claim(ctx, effects, ONCE, lane);
  for (const job of jobs) await run(ctx, effects, job);
  return jobs.length;
}

/**
 * Claims as many due jobs of a lane as there are free slots and starts them in parallel. Returns the number claimed; each job removes itself
 * from `busy` when it ends.
 */
export async function fillSlots(
  ctx: Context,
  effects: EffectHandlers,
  lane: Lane,
  busy: Set<Promise<void>>,
): Promise<number> {
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

/** Schedules each missing periodic job: lost, or new in this build. */
export async function plantPeriodic(ctx: Context, effects: EffectHandlers): Promise<void> {
  const [kinds, refs] = [[...effects.periodic.keys()], [...effects.periodic.values()]];
  await sql`insert into timer (kind, ref, due_at) select kind, ref, now() from unnest(${kinds}::text[], ${refs}::text[]) as p(kind, ref)
    on conflict do nothing`.execute(ctx.db);
}
