import { codes } from '#contract/codes.ts';
import type { ApiFailure } from './api-failure.ts';
import { asFailure } from './call-errors.ts';
import { isOutcomeOpen } from './intent-key.ts';

/** How a mutation's call is to be sent: the failure is shown by the form, and a repetition answers the same. */
export interface SendOptions {
  quiet: true;
  idempotencyKey: string;
}

/** The idempotency key of what is being sent. */
export interface KeyHolder {
  /** The key for a body: the same as long as the same body is sent again and nobody knows what became of it. */
  keyFor(body: string): string;
  /** The outcome is known: the same body sent again is meant anew. */
  settle(): void;
}

/** A key holder that lives as long as the form. */
export function keyHolder(newKey: () => string): KeyHolder {
  let held: { body: string; key: string } | null = null;
  return {
    keyFor(body) {
      if (held?.body !== body) held = { body, key: newKey() };
      return held.key;
    },
    settle() {
      held = null;
    },
  };
}

export type Outcome<T> = { ok: true; data: T } | { ok: false; failure: ApiFailure };

interface Sending<T> {
  send: (options: SendOptions) => Promise<T>;
  /** What is sent, as text; another body is another intent. */
  body: string;
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
export async function sendMutation<T>({ send, body, keys, regainSession }: Sending<T>): Promise<Outcome<T>> {
  const attempt = async (): Promise<Outcome<T>> => {
    try {
      const data = await send({ quiet: true, idempotencyKey: keys.keyFor(body) });
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

/** What a mutation sends, as text that tells one intent from another. */
export function bodyText(input: unknown): string {
  const isForm = typeof HTMLFormElement === 'function' && input instanceof HTMLFormElement;
  return JSON.stringify(isForm ? [...new FormData(input)] : (input ?? null)) ?? '';
}
