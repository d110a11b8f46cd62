import type { z } from 'zod';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { When } from './effect-writer.ts';
import { JOBS, type JobSpec } from './kinds.ts';
import type { Lane } from './lanes.ts';
import type { RetentionRule } from './retention.ts';
import { TOPICS, type TopicSpec } from './topics.ts';

/** The registry of events and jobs. */
export interface Registry {
  readonly topics: Readonly<Record<string, TopicSpec>>;
  readonly jobs: Readonly<Record<string, JobSpec>>;
}

/** The market's own: topics.ts and kinds.ts. */
export const REGISTRY = { topics: TOPICS, jobs: JOBS } as const;

type PayloadOf<R extends Registry, T extends keyof R['topics'] & string> = z.output<R['topics'][T]['payload']>;
type KeyOf<R extends Registry, J extends keyof R['jobs'] & string> = R['jobs'][J]['key'] extends 'number'
  ? number
  : string;

type BatchListener = (ctx: Context, payloads: readonly unknown[]) => Promise<void>;
/** A run that returns a time is repeated at that time, unless the job was rescheduled meanwhile. */
type Run = (ctx: Context, ref: string) => Promise<When | void>;

/** Runs when a job becomes a dead letter, in the same transaction. */
type GivenUp = (trx: Trx, ref: string) => Promise<void>;

/** The effects as the workers need them, collected from the registry. */
export interface EffectHandlers {
  readonly registry: Registry;
  readonly listeners: ReadonlyMap<string, readonly BatchListener[]>;
  readonly runs: ReadonlyMap<string, Run>;
  readonly givenUp: ReadonlyMap<string, GivenUp>;
  readonly together: ReadonlySet<string>;
  readonly periodic: ReadonlyMap<string, string>;
  topicsOf(lane?: Lane): string[];
  kindsOf(lane?: Lane): string[];
}

/** The listeners of topics and the functions of jobs. Subjects register theirs in jobs.ts. */
export class Effects<R extends Registry = typeof REGISTRY> implements EffectHandlers {
  readonly registry: R;
  readonly listeners = new Map<string, BatchListener[]>();
  readonly runs = new Map<string, Run>();
  readonly givenUp = new Map<string, GivenUp>();
  /** Topics whose listeners handle many events together. */
  readonly together = new Set<string>();
  /** Periodic jobs by kind: each has one row, which is created at start and never deleted. */
  readonly periodic = new Map<string, string>();

  /** Retention rules, in the order of the subjects. */
  readonly retention: RetentionRule[] = [];

  constructor(registry: R) {
    this.registry = registry;
  }

  /**
   * Adds a listener after the existing ones. It receives each event at least once, so it must be idempotent.
   * If it throws, the event becomes a job with retries.
   */
  on<T extends keyof R['topics'] & string>(
    topic: T,
    listener: (ctx: Context, payload: PayloadOf<R, T>) => Promise<void>,
  ): void {
    const { payload } = this.#topic(topic);
    this.#listen(topic, async (ctx, payloads) => {
      for (const one of payloads) await listener(ctx, payload.parse(one) as PayloadOf<R, T>);
    });
  }

  /**
   * Like `on`, for listeners that are cheaper for many events in one call: receives pending events of its topic in the order written. After a
   * failure each event is delivered again alone, so the listener must be idempotent.
   */
  onMany<T extends keyof R['topics'] & string>(
    topic: T,
    listener: (ctx: Context, payloads: PayloadOf<R, T>[]) => Promise<void>,
  ): void {
    const { payload } = this.#topic(topic);
    this.together.add(topic);
    this.#listen(topic, async (ctx, payloads) => {
      await listener(
        ctx,
        payloads.map((one) => payload.parse(one) as PayloadOf<R, T>),
      );
    });
  }

  /**
   * Sets the function that runs a kind of job. It runs at least once. An AppError other than BUSY means that its subject has moved on and ends
   * the job; any other error is retried. A run that returns a time is repeated at that time. `givenUp` ends anything users would otherwise
   * see as pending forever, when the job has failed for good.
   */
  timer<J extends keyof R['jobs'] & string>(
    kind: J,
    work: (ctx: Context, key: KeyOf<R, J>) => Promise<When | void>,
    givenUp?: (trx: Trx, key: KeyOf<R, J>) => Promise<void>,
  ): void {
    const { key } = this.#job(kind);
    const keyOf = (ref: string) => (key === 'number' ? Number(ref) : ref) as KeyOf<R, J>;
    this.runs.set(kind, (ctx, ref) => work(ctx, keyOf(ref)));
    if (givenUp) this.givenUp.set(kind, (trx, ref) => givenUp(trx, keyOf(ref)));
  }

  /** A periodic job. Each run schedules the next one or returns its time; otherwise the next begins when the lease ends. */
  every<J extends keyof R['jobs'] & string>(
    kind: J,
    work: (ctx: Context, key: KeyOf<R, J>) => Promise<When | void>,
  ): void {
    const { every } = this.#job(kind);
    if (every === undefined) throw new RangeError(`${kind} is not periodic`);
    this.timer(kind, work);
    this.periodic.set(kind, every);
  }

  /** Adds a retention rule for a table of the subject. */
  retain(rule: RetentionRule): void {
    this.retention.push(rule);
  }

  /** The topics of a lane that this build listens to, or that need no listener; of all lanes without one. */
  topicsOf(lane?: Lane): string[] {
    return Object.entries(this.registry.topics).flatMap(([topic, spec]) =>
      (lane === undefined || spec.lane === lane) && (this.listeners.has(topic) || spec.quiet !== undefined)
        ? [topic]
        : [],
    );
  }

  /** The kinds of a lane that this build can run; all of them without a lane. */
  kindsOf(lane?: Lane): string[] {
    return [...this.runs.keys()].filter((kind) => lane === undefined || this.#job(kind).lane === lane);
  }

  #listen(topic: string, listener: BatchListener): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  #topic(topic: string): TopicSpec {
    const spec = this.registry.topics[topic];
    if (spec === undefined) throw new RangeError(`no topic ${topic}`);
    return spec;
  }

  #job(kind: string): JobSpec {
    const spec = this.registry.jobs[kind];
    if (spec === undefined) throw new RangeError(`no kind of job ${kind}`);
    return spec;
  }
}
