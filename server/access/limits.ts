import { sql } from 'kysely';
import type { LimitName } from '#contract/endpoint.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { networkOf } from '#server/kernel/network.ts';

/** Requests per window, per account and per address (reliability.md c.9). An IPv6 network counts as one address. */
interface Budget {
  windowSeconds: number;
  account: number;
  address: number;
}

/** Also limits of requests that are not calls: pages, drawn cards, uploads by ticket. */
export type BudgetName = LimitName | 'page' | 'manifest' | 'draw' | 'direct';

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
  im: { windowSeconds: 60, account: 300, address: 600 },
  verify: { windowSeconds: 60, account: 10, address: 30 },
  page: { windowSeconds: 60, account: 600, address: 300 },
  // Route manifests: prefetched for links and the same for every caller.
  manifest: { windowSeconds: 60, account: 1_200, address: 1_200 },
  draw: { windowSeconds: 60, account: 30, address: 30 },
  direct: { windowSeconds: 60, account: 30, address: 60 },
};

const MAX_KEYS = 50_000;

/**
 * Rate limits of one process in fixed windows on the monotonic clock, so that a jump of the host's clock locks no user out. Limits
 * that must hold across processes and restarts use `sharedHit`.
 */
export function createLimiter(options: { addressFactor: number; factor?: number; now?: () => number }) {
  const now = options.now ?? (() => performance.now());
  const factor = options.factor ?? 1;
  let windows = new Map<string, { hits: number; until: number }>();

  const hit = (key: string, max: number, windowSeconds: number): void => {
    const time = now();
    const current = windows.get(key);
    if (current && current.until > time) {
      current.hits++;
      if (current.hits > max)
        throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil((current.until - time) / 1000) });
      return;
    }
    if (windows.size >= MAX_KEYS)
      windows = new Map([...windows].filter(([, w]) => w.until > time).slice(-MAX_KEYS / 2));
    windows.set(key, { hits: 1, until: time + windowSeconds * 1000 });
  };

  return {
    /** Counts one request against the limit of an account, or of the address for a visitor. Throws RATE_LIMITED. */
    take(name: BudgetName, who: { account: string | undefined; address: string }): void {
      const b = budgets[name];
      if (who.account !== undefined) hit(`${name}:a:${who.account}`, b.account * factor, b.windowSeconds);
      else
        hit(
          `${name}:i:${networkOf(who.address)}`,
          Math.ceil(b.address * options.addressFactor * factor),
          b.windowSeconds,
        );
    },
  };
}

export type Limiter = ReturnType<typeof createLimiter>;

/** Gives back what was counted against a key. */
export async function forgetHits(db: Trx, key: string): Promise<void> {
  await sql`delete from limit_counter where key = ${key}`.execute(db);
}

/** Gives back one hit: what it was counted for was not done. */
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
