import { type Options, hash, verify } from '@node-rs/argon2';
import { AppError } from '../errors.ts';
import { semaphore } from '../semaphore.ts';

/** Hash parameters: OWASP's minimum for users, stronger for staff, who log in once a day (reliability.md c.5). */
export type HashCost = 'user' | 'staff';

const COSTS: Readonly<Record<HashCost, Options>> = {
  user: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  staff: { memoryCost: 65_536, timeCost: 3, parallelism: 1 },
};

/** One less than the four threads that file reads share with hashing. */
const MAX_RUNNING = 3;
const MAX_PENDING = 100;

/** Limits memory and threads during a flood of log-ins; requests beyond MAX_PENDING are rejected. */
const withSlot = semaphore(MAX_RUNNING, MAX_PENDING, () => {
  throw new AppError('BUSY', { retryAfterSeconds: 2 });
});

/** Hashes a secret with argon2id; the result contains salt and parameters. */
export async function hashSecret(secret: string, cost: HashCost = 'user'): Promise<string> {
  return await withSlot(() => hash(secret, COSTS[cost]));
}

// oxlint-disable-next-line caches/of-context -- one value for each cost
const dummies = new Map<HashCost, Promise<string>>();

/**
 * Whether a secret matches its hash. Without a hash it verifies against one that never matches, so that an unknown account takes as
 * long as a known one (reliability.md b.3).
 */
export async function checkSecret(
  stored: string | null | undefined,
  secret: string,
  cost: HashCost = 'user',
): Promise<boolean> {
  let against = stored ?? undefined;
  if (against === undefined) {
    const dummy = dummies.get(cost) ?? hash(crypto.randomUUID(), COSTS[cost]);
    dummies.set(cost, dummy);
    against = await dummy;
  }
  const text = against;
  const matches = await withSlot(() => verify(text, secret));
  return matches && stored !== null && stored !== undefined;
}
