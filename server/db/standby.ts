import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from './client.ts';

const EVERY_MS = 250;
/** Samples not yet replayed by the standby; enough to cover every accepted lag. */
const MAX_SAMPLES = 400;

/** A standby used for reads, and the age of its data. */
export interface Standby {
  readonly db: Db;
  /**
   * The moment (performance.now(), ms) up to which the standby has every commit; undefined while it lags too far behind or is unavailable.
   */
  asOf(): number | undefined;
  /** A read failed: the standby is not used until it has responded again. */
  failed(error: unknown): void;
  /** Age of its data in ms, for metrics; undefined while it is unavailable. */
  lagMs(): number | undefined;
  close(): Promise<void>;
}

/**
 * Monitors a standby: reads the end of the primary's WAL, including commits that did not wait for the disk
 * (docs/decisions/450), and compares it with what the standby has replayed. It does not depend on another machine's clock and writes nothing.
 * `maxLagMs`: a standby with a greater lag is not used.
 */
export function watchStandby(options: { primary: Db; db: Db; maxLagMs: number; log: Logger }): Standby {
  const { primary, db, maxLagMs, log } = options;
  let samples: { at: number; position: number }[] = [];
  let covered: number | undefined;
  let isAway = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const measure = async (): Promise<void> => {
    const at = performance.now();
    const now = await sql<{ position: number }>`select pg_current_wal_insert_lsn() - '0/0' as position`.execute(
      primary,
    );
    samples.push({ at, position: now.rows[0]?.position ?? 0 });
    if (samples.length > MAX_SAMPLES) samples.shift();
    const there = await sql<{ position: number | null }>`
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0' end as position`.execute(db);
    const position = there.rows[0]?.position;
    // A promoted standby no longer belongs to this primary.
    if (position === null || position === undefined) throw new Error('the server is not a standby');
    const replayed = samples.filter((sample) => sample.position <= position);
    const newest = replayed.at(-1);
    if (newest === undefined) return;
    covered = newest.at;
    samples = samples.filter(({ at: time }) => time > newest.at);
  };

  const failed = (error: unknown): void => {
    if (!isAway) log.warn({ error: String(error) }, 'standby is away, the primary is read');
    isAway = true;
    covered = undefined;
    samples = [];
  };
  const tick = async (): Promise<void> => {
    try {
      await measure();
      if (isAway && covered !== undefined) {
        isAway = false;
        log.info('standby is read');
      }
    } catch (error) {
      failed(error);
    }
    if (!isClosed) timer = setTimeout(() => void tick(), EVERY_MS).unref();
  };
  const ticking = tick();

  const lagMs = (): number | undefined => (covered === undefined ? undefined : performance.now() - covered);
  return {
    db,
    failed,
    lagMs,
    asOf: () => ((lagMs() ?? Number.POSITIVE_INFINITY) <= maxLagMs ? covered : undefined),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await ticking;
      await db.destroy();
    },
  };
}
