import { createChallenge, verifySolution } from 'altcha-lib/v1';
import { sql } from 'kysely';
import type { challenge } from '#subjects/accounts/contract/challenge.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';
import { blindIndex, type Keys, sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isLocalAddress, networkOf } from '#server/kernel/network.ts';
import { sharedHit } from './limits.ts';

/** About a second of work on a phone, for each attempt. */
const MAX_NUMBER = 50_000;
const VALID_SECONDS = 600;
const HEADER = 'x-altcha';
const HEADER_MAX = 2000;

const keyOf = (keys: Keys): string => blindIndex(keys, 'altcha', 'challenge').toString('base64url');

/** Creates a signed challenge, valid for ten minutes. */
export async function makeChallenge({ ctx }: Pick<Call, 'ctx'>): Promise<HandlerResult<typeof challenge>> {
  const expires = new Date(Date.now() + VALID_SECONDS * 1000);
  const created = await createChallenge({ hmacKey: keyOf(ctx.keys), maxnumber: MAX_NUMBER, expires });
  return { ...created, maxnumber: MAX_NUMBER };
}

async function isSolved({ ctx, http }: Pick<Call, 'ctx' | 'http'>): Promise<boolean> {
  const solution = http?.request.headers[HEADER];
  if (typeof solution !== 'string' || solution.length > HEADER_MAX) return false;
  if (!(await verifySolution(solution, keyOf(ctx.keys)).catch(() => false))) return false;
  // The signed part identifies a solution, so that a re-encoded one does not count as new.
  const { signature } = JSON.parse(Buffer.from(solution, 'base64').toString()) as { signature: string };
  return await sharedHit(ctx.db, `altcha:${sha256(signature.toLowerCase()).toString('base64url')}`, 1, VALID_SECONDS);
}

/** Requires a solved challenge; each solution is accepted once. Throws CHALLENGE_REQUIRED. */
export async function requireChallenge(call: Pick<Call, 'ctx' | 'http'>): Promise<void> {
  if (!(await isSolved(call))) throw new AppError('CHALLENGE_REQUIRED');
}

const MAX_ATTEMPTS = 10;
const WINDOW_SECONDS = 600;
/** Attempts of one network over all accounts before a challenge is required. */
const NETWORK_ATTEMPTS = 40;
/** Attempts of one network at one account, with or without a challenge. The only hard limit: it affects only the attacker's network. */
const NETWORK_ACCOUNT_ATTEMPTS = 30;

/** An attempt to log in, with the browser it comes from. */
export interface LoginAttempt {
  /** 'login' or 'staff-login'. */
  kind: string;
  /** Hash of the account name, either keyed or plain. */
  account: string;
  /** Hash of the browser's cookie if this account logged in from that browser before. */
  knownBrowser: Buffer | undefined;
}

const attemptKey = ({ kind, account, knownBrowser }: LoginAttempt): string =>
  `${kind}:${account}:${knownBrowser ? knownBrowser.toString('base64url') : 'new'}`;

const networkKey = ({ ctx, ip }: Pick<Call, 'ctx' | 'ip'>): string =>
  blindIndex(ctx.keys, 'network', networkOf(ip)).toString('base64url');

const networkAccountKey = (call: Pick<Call, 'ctx' | 'ip'>, { kind, account }: LoginAttempt): string =>
  `${kind}:${account}:n:${networkKey(call)}`;

/**
 * Counts a log-in attempt. A browser that the account used before has a separate ten attempts in ten minutes, so that failures of
 * others do not lock it out; all other browsers share ten per account. Further attempts need a solved challenge each. Only a network
 * with thirty failed attempts at one account in a row is rejected. Existing and unknown accounts are treated alike (domain.md 8).
 * Throws CHALLENGE_REQUIRED, LOGIN_THROTTLED.
 */
export async function countLoginAttempt(call: Pick<Call, 'ctx' | 'http' | 'ip'>, attempt: LoginAttempt): Promise<void> {
  const { db } = call.ctx;
  const isNetworkBounded = attempt.knownBrowser === undefined;
  if (
    isNetworkBounded &&
    !(await sharedHit(db, networkAccountKey(call, attempt), NETWORK_ACCOUNT_ATTEMPTS, WINDOW_SECONDS))
  )
    throw new AppError('LOGIN_THROTTLED', { retryAfterSeconds: WINDOW_SECONDS });
  const isWithin = await sharedHit(db, attemptKey(attempt), MAX_ATTEMPTS, WINDOW_SECONDS);
  const isNetworkWithin =
    attempt.knownBrowser !== undefined ||
    isLocalAddress(call.ip) ||
    (await sharedHit(db, `${attempt.kind}:net:${networkKey(call)}`, NETWORK_ATTEMPTS, WINDOW_SECONDS));
  if (!isWithin || !isNetworkWithin) await requireChallenge(call);
}

/** Resets the counts of the browser and of the network after a successful log-in: both limit consecutive wrong passwords. */
export async function resetLoginAttempts(call: Pick<Call, 'ctx' | 'ip'>, attempt: LoginAttempt): Promise<void> {
  const keys = [attemptKey(attempt), networkAccountKey(call, attempt)];
  await sql`delete from limit_counter where key = any(${keys})`.execute(call.ctx.db);
}
