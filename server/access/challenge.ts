import { createChallenge, verifySolution } from 'altcha-lib/v1';
import { sql } from 'kysely';
import type { challenge } from '#contract/challenge.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';
import { blindIndex, type Keys, sha256 } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isLocalAddress, networkOf } from '#server/kernel/network.ts';
import { sharedHit } from './limits.ts';

/** About a second of a phone's work; a guesser pays it for each try. */
const MAX_NUMBER = 50_000;
const VALID_SECONDS = 600;
const HEADER = 'x-altcha';
const HEADER_MAX = 2000;

const keyOf = (keys: Keys): string => blindIndex(keys, 'altcha', 'challenge').toString('base64url');

/** A fresh challenge, signed, good for ten minutes. */
export async function makeChallenge({ ctx }: Pick<Call, 'ctx'>): Promise<HandlerResult<typeof challenge>> {
  const expires = new Date(Date.now() + VALID_SECONDS * 1000);
  const created = await createChallenge({ hmacKey: keyOf(ctx.keys), maxnumber: MAX_NUMBER, expires });
  return { ...created, maxnumber: MAX_NUMBER };
}

async function isSolved({ ctx, http }: Pick<Call, 'ctx' | 'http'>): Promise<boolean> {
  const solution = http?.request.headers[HEADER];
  if (typeof solution !== 'string' || solution.length > HEADER_MAX) return false;
  if (!(await verifySolution(solution, keyOf(ctx.keys)).catch(() => false))) return false;
  // One solution in two spellings is one: what is signed decides, not how it is written.
  const { signature } = JSON.parse(Buffer.from(solution, 'base64').toString()) as { signature: string };
  return await sharedHit(ctx.db, `altcha:${sha256(signature.toLowerCase()).toString('base64url')}`, 1, VALID_SECONDS);
}

/** Lets a request pass that solved a challenge; each solution passes once. Throws CHALLENGE_REQUIRED. */
export async function requireChallenge(call: Pick<Call, 'ctx' | 'http'>): Promise<void> {
  if (!(await isSolved(call))) throw new AppError('CHALLENGE_REQUIRED');
}

const MAX_ATTEMPTS = 10;
const WINDOW_SECONDS = 600;
/** Of one network, over all accounts, without a challenge. */
const NETWORK_ATTEMPTS = 40;
/** Of one network at one account, challenge or not: the one refusal, which meets who makes the tries and nobody else. */
const NETWORK_ACCOUNT_ATTEMPTS = 30;

/** A try to log in at an account, by the browser it comes from. */
export interface LoginAttempt {
  /** 'login' or 'staff-login'. */
  kind: string;
  /** The account's name as a keyed or plain hash. */
  account: string;
  /** The hash of the browser's cookie, when this account logged in from that browser before. */
  knownBrowser: Buffer | undefined;
}

const attemptKey = ({ kind, account, knownBrowser }: LoginAttempt): string =>
  `${kind}:${account}:${knownBrowser ? knownBrowser.toString('base64url') : 'new'}`;

/**
 * Takes a try. A browser that the account logged in from before has ten tries in ten minutes of its own, so that strangers' failures close
 * nothing; all other browsers have ten together at the account. What comes after needs a solved challenge each; only the network that made
 * thirty tries at one account is refused. Accounts that exist and that do not are treated alike (domain.md 8).
 * Throws CHALLENGE_REQUIRED, LOGIN_THROTTLED.
 */
export async function countLoginAttempt(call: Pick<Call, 'ctx' | 'http' | 'ip'>, attempt: LoginAttempt): Promise<void> {
  const { db, keys } = call.ctx;
  const network = blindIndex(keys, 'network', networkOf(call.ip)).toString('base64url');
  if (!attempt.knownBrowser) {
    const own = `${attempt.kind}:${attempt.account}:n:${network}`;
    if (!(await sharedHit(db, own, NETWORK_ACCOUNT_ATTEMPTS, WINDOW_SECONDS)))
      throw new AppError('LOGIN_THROTTLED', { retryAfterSeconds: WINDOW_SECONDS });
  }
  const isWithin = await sharedHit(db, attemptKey(attempt), MAX_ATTEMPTS, WINDOW_SECONDS);
  const isNetworkWithin =
    attempt.knownBrowser !== undefined ||
    isLocalAddress(call.ip) ||
    (await sharedHit(db, `${attempt.kind}:net:${network}`, NETWORK_ATTEMPTS, WINDOW_SECONDS));
  if (!isWithin || !isNetworkWithin) await requireChallenge(call);
}

/** Forgets the tries of who has shown up. */
export async function resetLoginAttempts(call: Pick<Call, 'ctx'>, attempt: LoginAttempt): Promise<void> {
  await sql`delete from limit_counter where key = ${attemptKey(attempt)}`.execute(call.ctx.db);
}
