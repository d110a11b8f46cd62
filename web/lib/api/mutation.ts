import { codes } from '#contract/codes.ts';
import { ApiFailure } from './api-failure.ts';
import { asFailure, isError } from './call-errors.ts';
import { isOutcomeOpen } from './intent-key.ts';

/** The idempotency keys of a form or button. */
export interface KeyHolder {
  /** The key for a body: stays the same while the same body is sent again and the result of the call is unknown. */
  keyFor(body: string): string;
  /** The result is known: sending the same body again is a new operation. */
  settle(): void;
}

/** Options for a mutation's calls: the form shows the failure itself, and a repeated call returns the same result. */
export interface SendOptions {
  quiet: true;
  keys: Pick<KeyHolder, 'keyFor'>;
}

/** A key holder that lives as long as the form; each body has its own key. */
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
  /** Restores an ended session; resolves to false when the user does not log in again. */
  logInAgain: () => Promise<boolean>;
  /** Requests the second factor from staff; resolves to false if it is not given. */
  askSecondFactor: () => Promise<boolean>;
  /** Requests the real name that trades need; resolves to false if it was not given. */
  proveIdentity: () => Promise<boolean>;
}

/** Message when the second factor was not given: nothing was sent. */
const CANCELLED = '没有完成身份验证，操作未提交';

/** Whether the server reports that there is no session. */
export const isLoginRequired = (failure: ApiFailure): boolean => failure.code === codes.LOGIN_REQUIRED[0];

/**
 * Sends a write and returns its outcome; never throws. The key is kept while the result is unknown, so that a retry is
 * not a second write. When the session has ended, the user logs in and the same write is sent once more; likewise after the
 * second factor that an action of staff requires, and after the real name that a trade requires.
 */
export async function sendMutation<T>(sending: Sending<T>): Promise<Outcome<T>> {
  const { send, keys, logInAgain, askSecondFactor, proveIdentity } = sending;
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
  let outcome = await attempt();
  if (!outcome.ok && isLoginRequired(outcome.failure)) {
    if (!(await logInAgain())) return outcome;
    outcome = await attempt();
  }
  if (outcome.ok) return outcome;
  if (isError(outcome.failure, codes.REAL_NAME_REQUIRED)) return (await proveIdentity()) ? await attempt() : outcome;
  if (!isError(outcome.failure, codes.FACTOR_REQUIRED)) return outcome;
  if (await askSecondFactor()) return await attempt();
  return { ok: false, failure: new ApiFailure(codes.FACTOR_REQUIRED[0], CANCELLED, outcome.failure.status) };
}
