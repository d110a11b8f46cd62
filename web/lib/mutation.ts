import { codes } from '#contract/codes.ts';
import type { ApiFailure } from './api-failure.ts';
import { asFailure } from './call-errors.ts';
import { isOutcomeOpen } from './intent-key.ts';

/** The idempotency keys of what a form or button sends. */
export interface KeyHolder {
  /** The key for a body: the same as long as the same body is sent again and nobody knows what became of it. */
  keyFor(body: string): string;
  /** The outcome is known: the same body sent again is meant anew. */
  settle(): void;
}

/** How a mutation's calls are to be sent: the form shows the failure, and a repetition answers the same. */
export interface SendOptions {
  quiet: true;
  keys: Pick<KeyHolder, 'keyFor'>;
}

/** A key holder that lives as long as the form; each body has a key of its own. */
export function keyHolder(newKey: () => string): KeyHolder {
  const held = new Map<string, string>();
  return {
    keyFor(body) {
      const key = held.get(body) ?? newKey();
      held.set(body, key);
      return key;
    },
    settle: () => held.clear(),
  };
}

export type Outcome<T> = { ok: true; data: T } | { ok: false; failure: ApiFailure };

interface Sending<T> {
  send: (options: SendOptions) => Promise<T>;
  keys: KeyHolder;
  /** Brings a lost session back; false when the user does not log in again. */
  regainSession: () => Promise<boolean>;
}

/** Whether the server says that there is no session. */
export const isSessionGone = (failure: ApiFailure): boolean => failure.code === codes.LOGIN_REQUIRED[0];

/**
 * Sends a write and says what came of it; throws nothing. The key stays while the outcome is open, so that a retry is no second write. When
 * the session has ended meanwhile, the user logs in and the same is sent once more.
 */
export async function sendMutation<T>({ send, keys, regainSession }: Sending<T>): Promise<Outcome<T>> {
  const attempt = async (): Promise<Outcome<T>> => {
    try {
      const data = await send({ quiet: true, keys });
      keys.settle();
      return { ok: true, data };
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!isOutcomeOpen(failure)) keys.settle();
      return { ok: false, failure };
    }
  };
  const first = await attempt();
  if (first.ok || !isSessionGone(first.failure) || !(await regainSession())) return first;
  return await attempt();
}
