import { sql } from 'kysely';
import type { LimitName } from '#contract/endpoint.ts';
import type { Trx } from '#server/db/client.ts';
import { randomToken } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { networkOf, wideNetworkOf } from '#server/kernel/network.ts';
import type { Bus } from '#server/ports/bus.ts';

/**
 * Requests per window, per account and per address (reliability.md c.9). An IPv6 /64 counts as one address; the /48 around it has
 * `WIDE_FACTOR` times its budget, because one customer can own all of it.
 */
interface Budget {
  windowSeconds: number;
  account: number;
  address: number;
}

/** Includes the limits of requests that are not API calls: pages, generated cards, uploads by ticket. */
export type BudgetName = LimitName | 'page' | 'manifest' | 'draw' | 'direct' | 'signed' | 'picture';

const budgets: Record<BudgetName, Budget> = {
  read: { windowSeconds: 60, account: 600, address: 600 },
  search: { windowSeconds: 60, account: 240, address: 120 },
  write: { windowSeconds: 60, account: 120, address: 240 },
  sms: { windowSeconds: 3600, account: 10, address: 20 },
  login: { windowSeconds: 600, account: 60, address: 60 },
  register: { windowSeconds: 3600, account: 10, address: 10 },
  order: { windowSeconds: 60, account: 120, address: 240 },
  pay: { windowSeconds: 60, account: 120, address: 240 },
  topup: { windowSeconds: 60, account: 30, address: 60 },
  withdraw: { windowSeconds: 60, account: 10, address: 30 },
  publish: { windowSeconds: 60, account: 60, address: 120 },
  upload: { windowSeconds: 60, account: 30, address: 60 },
  // Pictures uploaded for an imported table, one call each; the number per day is limited too (subjects/media/server).
  uploadMany: { windowSeconds: 60, account: 120, address: 240 },
  im: { windowSeconds: 60, account: 300, address: 600 },
  verify: { windowSeconds: 60, account: 10, address: 30 },
  // Limit per key.
  keyRead: { windowSeconds: 60, account: 300, address: 300 },
  keyWrite: { windowSeconds: 60, account: 120, address: 120 },
  // Signed requests, counted before the signature is verified.
  signed: { windowSeconds: 60, account: 600, address: 600 },
  page: { windowSeconds: 60, account: 600, address: 300 },
  // Route manifests: prefetched for links and the same for every caller.
  manifest: { windowSeconds: 60, account: 1_200, address: 1_200 },
  draw: { windowSeconds: 60, account: 30, address: 30 },
  direct: { windowSeconds: 60, account: 30, address: 60 },
  // Private pictures; each request reads its session. Browsers cache the response.
  picture: { windowSeconds: 60, account: 3_000, address: 3_000 },
};

const WIDE_FACTOR = 16;
const MAX_KEYS = 50_000;
/** With a shared bus, a process reports its hits to the others in this many steps per limit. */
const SHARED_PARTS = 8;
const SHARED_CHANNEL = 'limits';

interface Window {
  hits: number;
  /** The hits that the window allows. */
  max: number;
  until: number;
  /** Hits of this process that have not been sent to the others yet. */
  untold: number;
}

/** Drops ended windows and then the least used ones, so that a flood of new keys does not reset the limits of busy callers. */
function keepBusiest(windows: ReadonlyMap<string, Window>, time: number): Map<string, Window> {
  const live = [...windows].filter(([, { until }]) => until > time);
  const surplus = live.length - MAX_KEYS / 2;
  if (surplus <= 0) return new Map(live);
  const share = ({ hits, max }: Window): number => hits / max;
  const least = Float64Array.from(live, ([, window]) => share(window)).sort()[surplus] ?? 0;
  const kept = new Map(live.filter(([, window]) => share(window) > least));
  // The newest windows at the boundary fill the rest.
  for (const [key, window] of live.toReversed()) {
    if (kept.size >= MAX_KEYS / 2) break;
    if (share(window) === least) kept.set(key, window);
  }
  return kept;
}

/**
 * Rate limits in fixed windows on the monotonic clock, so that a jump of the host's clock does not lock users out. Without `bus` they apply to
 * one process; with it, processes report hits to each other, and each further process allows at most an eighth more in total.
 * Limits that must hold exactly across processes and restarts use `sharedHit`.
 */
export function createLimiter(options: {
  addressFactor: number;
  factor?: number;
  now?: () => number;
  bus?: Pick<Bus, 'publish' | 'subscribe'> | undefined;
}) {
  const now = options.now ?? (() => performance.now());
  const factor = options.factor ?? 1;
  const { bus } = options;
  let windows = new Map<string, Window>();

  /** Returns the key's window; creates one of `lengthMs` if there is none or it has ended. */
  const windowOf = (key: string, time: number, { max, lengthMs }: { max: number; lengthMs: number }): Window => {
    const current = windows.get(key);
    if (current && current.until > time) return current;
    if (windows.size >= MAX_KEYS) windows = keepBusiest(windows, time);
    const window = { hits: 0, max, until: time + lengthMs, untold: 0 };
    windows.set(key, window);
    return window;
  };

  const hit = (key: string, max: number, windowSeconds: number): void => {
    const time = now();
    const current = windowOf(key, time, { max, lengthMs: windowSeconds * 1000 });
    current.hits++;
    current.untold++;
    if (bus && current.untold * SHARED_PARTS >= max && current.hits <= max * 2) {
      bus.publish(SHARED_CHANNEL, { key, hits: current.untold, max, leftMs: current.until - time, from: own });
      current.untold = 0;
    }
    if (current.hits > max)
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil((current.until - time) / 1000) });
  };

  // The bus also delivers within the process, whose own hits are counted already.
  const own = randomToken(8);
  bus?.subscribe(SHARED_CHANNEL, ({ key, hits, max, leftMs, from }) => {
    if (from === own || typeof key !== 'string' || typeof hits !== 'number' || typeof leftMs !== 'number') return;
    if (typeof max !== 'number') return;
    windowOf(key, now(), { max, lengthMs: leftMs }).hits += hits;
  });

  return {
    /** Counts one request against the limit of an account, or of the address for a visitor. Throws RATE_LIMITED. */
    take(name: BudgetName, who: { account: string | undefined; address: string }): void {
      const b = budgets[name];
      if (who.account !== undefined) hit(`${name}:a:${who.account}`, b.account * factor, b.windowSeconds);
      else {
        const max = Math.ceil(b.address * options.addressFactor * factor);
        hit(`${name}:i:${networkOf(who.address)}`, max, b.windowSeconds);
        const wide = wideNetworkOf(who.address);
        if (wide !== undefined) hit(`${name}:i:${wide}`, max * WIDE_FACTOR, b.windowSeconds);
      }
    },
  };
}

export type Limiter = ReturnType<typeof createLimiter>;

/** Subtracts what was counted against a key. */
export async function forgetHits(db: Trx, key: string): Promise<void> {
  await sql`delete from limit_counter where key = ${key}`.execute(db);
}

/** Subtracts one hit because the counted action was not carried out. */
export async function releaseHit(db: Trx, key: string): Promise<void> {
  await sql`update limit_counter set hits = hits - 1 where key = ${key} and hits > 0`.execute(db);
}

/** Removes the counters whose window is over. */
export async function sweepHits(db: Trx): Promise<void> {
  await sql`delete from limit_counter where reset_at < now()`.execute(db);
}

/** Counts one hit against a limit shared by all processes. True while within `max` per window. */
export async function sharedHit(db: Trx, key: string, max: number, windowSeconds: number): Promise<boolean> {
  const { rows } = await sql<{ ok: boolean }>`select limit_hit(${key}, ${max}, ${windowSeconds}) as ok`.execute(db);
  return rows[0]?.ok === true;
}
