import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { QUIET } from './quiet.ts';

/** The effect of a committed change or of a timer. Runs at least once, so it does nothing when its work is done already. */
export type EventHandler = (ctx: Context, payload: Record<string, unknown>) => Promise<void>;
export type TimerHandler = (ctx: Context, ref: string) => Promise<void>;

/** Timers run in lanes beside each other, so that what is slow delays its own lane alone. */
export const LANES = ['market', 'vendors', 'upkeep'] as const;
/** market: an order's clocks; vendors: what asks a payment channel; upkeep: sweeps, figures and files. */
export type Lane = (typeof LANES)[number];

/** Who listens to what. Slices add themselves in jobs.ts. */
export class Effects {
  readonly events = new Map<string, EventHandler[]>();
  readonly timers = new Map<string, TimerHandler>();
  readonly lanes = new Map<string, Lane>();
  /** Periodic jobs by kind: the one timer of each, which is planted at start and never deleted. */
  readonly periodic = new Map<string, string>();

  on(topic: string, handler: EventHandler): void {
    this.events.set(topic, [...(this.events.get(topic) ?? []), handler]);
  }

  timer(kind: string, handler: TimerHandler, lane: Lane = 'market'): void {
    this.timers.set(kind, handler);
    this.lanes.set(kind, lane);
  }

  /** A job that runs again and again under one `ref`; its handler sets when it runs next. */
  every(kind: string, ref: string, handler: TimerHandler, lane: Lane = 'upkeep'): void {
    this.timer(kind, handler, lane);
    this.periodic.set(kind, ref);
  }

  /** The kinds of a lane; all of them without one. */
  kindsOf(lane?: Lane): string[] {
    return [...this.timers.keys()].filter((kind) => lane === undefined || this.lanes.get(kind) === lane);
  }
}

const BATCH = 200;
/** A batch is closed after so long, whatever is left of it. */
const BATCH_LIMIT_MS = 3_000;
/** The longest that one listener may keep the relay's transaction waiting. */
const LISTENER_LIMIT_MS = 120_000;
const IDLE_MS = 100;
const TIMER_IDLE_MS = 500;
const TIMER_BATCH = 50;
const MAX_BACKOFF_SECONDS = 3600;
/** An event that no running build has listened to for so long is nobody's: a deploy is over by then. */
const UNHEARD_AFTER = sql.raw(`interval '1 day'`);

interface OutboxRow {
  id: number;
  topic: string;
  payload: Record<string, unknown>;
}

/** Runs every listener of one event. Throws the first failure. */
export async function deliver(
  ctx: Context,
  effects: Effects,
  topic: string,
  payload: Record<string, unknown>,
): Promise<void> {
  for (const handler of effects.events.get(topic) ?? []) await handler(ctx, payload);
}

/**
 * Takes one batch from the outbox. An event whose listener fails becomes a job with retries, in the same transaction, so that it
 * neither blocks the others nor is lost. A batch ends early when its listeners are slow, so that what was handed on is soon
 * recorded as such. A topic that this build does not listen to is left to the build that does: while a deploy is under way the old
 * process must not eat the events of the new one. Returns how many it took.
 */
export async function relayOnce(ctx: Context, effects: Effects): Promise<number> {
  return await ctx.db.transaction().execute(async (trx) => {
    // The rows' lock waits for listeners, which work on connections of their own.
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(`${LISTENER_LIMIT_MS}ms`)}`.execute(trx);
    const { rows } = await sql<OutboxRow>`select id, topic, payload from outbox
        where topic = any(${[...effects.events.keys(), ...Object.keys(QUIET)]}::text[]) or created_at < now() - ${UNHEARD_AFTER} order by id limit ${BATCH} for update skip locked`.execute(
      trx,
    );
    const until = Date.now() + BATCH_LIMIT_MS;
    const taken: number[] = [];
    for (const row of rows) {
      await hand(ctx, effects, trx, row);
      taken.push(row.id);
      if (Date.now() > until) break;
    }
    if (taken.length > 0) await sql`delete from outbox where id = any(${taken})`.execute(trx);
    return taken.length;
  });
}

async function hand(ctx: Context, effects: Effects, trx: Trx, row: OutboxRow): Promise<void> {
  try {
    await deliver(ctx, effects, row.topic, row.payload);
  } catch (error) {
    ctx.log.warn({ topic: row.topic, error: String(error) }, 'event failed; it goes on as a job');
    const again = new Date(Date.now() + 2000);
    const job = JSON.stringify({ topic: row.topic, payload: row.payload });
    await sql`insert into timer (kind, ref, due_at, payload) values ('event', ${String(row.id)}, ${again}, ${job}::jsonb)
      on conflict do nothing`.execute(trx);
  }
}

interface TimerRow {
  kind: string;
  ref: string;
  attempts: number;
  payload: { topic?: string; payload?: Record<string, unknown> };
  due_at: Date;
}

/**
 * Runs the timers that are due. A timer is claimed by moving it forward, so a killed process loses nothing and two processes
 * do not run it at once; a failure backs off, and success removes it unless it was set again meanwhile. The claim is in whole
 * milliseconds, which is what a Date holds: otherwise no finished timer would be recognised, and each would run again. A kind that
 * this build does not know is left alone, and the timer of a periodic job stays whatever its run came to.
 */
export async function timersOnce(ctx: Context, effects: Effects, lane?: Lane): Promise<number> {
  // Events that failed are tried again beside the clocks of orders.
  const topics = lane === undefined || lane === 'market' ? [...effects.events.keys()] : [];
  const { rows } = await sql<TimerRow>`
    update timer t set due_at = date_trunc('milliseconds', now()) + make_interval(secs => least(${MAX_BACKOFF_SECONDS}, 30 * (t.attempts + 1))), attempts = t.attempts + 1
    from (select kind, ref from timer where due_at <= now() and (kind = any(${effects.kindsOf(lane)}::text[])
        or kind = 'event' and payload->>'topic' = any(${topics}::text[]))
      order by due_at limit ${TIMER_BATCH} for update skip locked) d
    where t.kind = d.kind and t.ref = d.ref returning t.kind, t.ref, t.attempts, t.payload, t.due_at`.execute(ctx.db);
  for (const row of rows) {
    const isPeriodic = effects.periodic.get(row.kind) === row.ref;
    try {
      if (row.kind === 'event') await deliver(ctx, effects, row.payload.topic ?? '', row.payload.payload ?? {});
      else await effects.timers.get(row.kind)?.(ctx, row.ref);
      if (!isPeriodic) await finish(ctx, row);
    } catch (error) {
      const settled = error instanceof AppError && error.error !== 'BUSY';
      ctx.log[settled ? 'info' : 'warn'](
        { kind: row.kind, ref: row.ref, attempts: row.attempts, error: String(error) },
        'timer failed',
      );
      // An AppError says that the timer's subject has moved on: nothing is left to do.
      if (settled && !isPeriodic) await finish(ctx, row);
    }
  }
  return rows.length;
}

/** Removes a timer, unless it was set again since it was claimed. */
async function finish(ctx: Context, { kind, ref, due_at }: TimerRow): Promise<void> {
  await sql`delete from timer where kind = ${kind} and ref = ${ref} and due_at = ${due_at}`.execute(ctx.db);
}

/** Sets the timer of each periodic job that has none: one that was lost, or one that is new in this build. */
export async function plantPeriodic(ctx: Context, effects: Effects): Promise<void> {
  const [kinds, refs] = [[...effects.periodic.keys()], [...effects.periodic.values()]];
  await sql`insert into timer (kind, ref, due_at) select kind, ref, now() from unnest(${kinds}::text[], ${refs}::text[]) as p(kind, ref)
    on conflict do nothing`.execute(ctx.db);
}

/** Runs relay and timers until `stop`; failures of the database are waited out. */
export function startEffects(ctx: Context, effects: Effects): { stop(): Promise<void> } {
  let running = true;
  const loop = async (once: () => Promise<number>, full: number, idleMs: number): Promise<void> => {
    while (running) {
      let took = 0;
      try {
        took = await once();
      } catch (error) {
        ctx.log.warn({ error: String(error) }, 'effects wait for the database');
        await pause(1000);
      }
      if (took < full) await pause(idleMs);
    }
  };
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const periodic = plantPeriodic(ctx, effects).catch((error: unknown) => {
    ctx.log.warn({ error: String(error) }, 'periodic jobs are planted at the next start');
  });
  const loops = [
    periodic,
    loop(() => relayOnce(ctx, effects), 1, IDLE_MS),
    ...LANES.map((lane) => loop(() => timersOnce(ctx, effects, lane), TIMER_BATCH, TIMER_IDLE_MS)),
  ];
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
    },
  };
}
