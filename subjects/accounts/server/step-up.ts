import { sql } from 'kysely';
import type { stepUp, stepUpPurposes, stepUpState } from '#subjects/accounts/contract/step-up.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Db, Trx } from '#server/db/client.ts';
import type { SessionUser } from '#server/access/session.ts';
import { markSessionProved } from '#server/access/session-store.ts';
import { checkSecret } from '#server/kernel/secrets/argon.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadPhone, spendOwnSmsCode } from './phone/own-phone.ts';

/** The purpose of a step-up; subjects/accounts/contract/step-up.ts. */
export type StepUpPurpose = (typeof stepUpPurposes)[number];

/** The proof that a call may include in the same request. */
export interface StepUpProof {
  payPassword?: string | undefined;
  smsCode?: string | undefined;
  /** The message for a wrong code, where a form asks for two. */
  errorText?: string;
}

/** A step-up stays valid for this long, in its session and for its purpose. */
const STEP_UP_MS = 5 * 60_000;
const MAX_FAILS = 5;

/** Whether this session proved its owner for this purpose within the last five minutes. */
async function isProofValid(db: Trx, user: SessionUser, purpose: StepUpPurpose): Promise<boolean> {
  if (purpose === 'pay') return user.payVerifiedAt !== null && Date.now() - user.payVerifiedAt.getTime() < STEP_UP_MS;
  const { rows } = await sql`select from step_up where session_hash = ${user.sessionHash} and purpose = ${purpose}
    and verified_at > now() - make_interval(secs => ${STEP_UP_MS / 1000})`.execute(db);
  return rows.length > 0;
}

async function recordProof(db: Trx, sessionHash: Buffer, purpose: StepUpPurpose): Promise<void> {
  if (purpose === 'pay') await recordPayVerified(db, sessionHash);
  else
    await sql`insert into step_up (session_hash, purpose) values (${sessionHash}, ${purpose})
      on conflict (session_hash, purpose) do update set verified_at = now()`.execute(db);
}

const isFilled = (text: string | undefined): text is string => text !== undefined && text !== '';

/**
 * Requires a step-up (domain.md 3): proof of the account's owner beyond the log-in. `pay` accepts only the pay password, which must be set
 * first. Every other purpose accepts the pay password or a code that was sent for that purpose. A pay password that is sent is always
 * compared and counted; a proof given for the same purpose within five minutes in this session replaces only a missing one
 * (domain.md 10). Call it before the transaction, so that a wrong try stays counted.
 * Throws PAY_PASSWORD_UNSET, PAY_PASSWORD_REQUIRED, PAY_PASSWORD_WRONG, PAY_PASSWORD_LOCKED, STEP_UP_REQUIRED, SMS_CODE_WRONG.
 */
export async function requireStepUp(call: UserCall, purpose: StepUpPurpose, proof: StepUpProof = {}): Promise<void> {
  const { ctx, user } = call;
  if (isFilled(proof.payPassword)) {
    if (!user.hasPayPassword) throw new AppError('PAY_PASSWORD_UNSET');
    await matchPayPassword(ctx.db, user.id, proof.payPassword);
    await recordProof(ctx.db, user.sessionHash, purpose);
    return;
  }
  if (await isProofValid(ctx.db, user, purpose)) return;
  if (purpose === 'pay') throw new AppError(user.hasPayPassword ? 'PAY_PASSWORD_REQUIRED' : 'PAY_PASSWORD_UNSET');
  if (!isFilled(proof.smsCode)) throw new AppError('STEP_UP_REQUIRED');
  await spendOwnSmsCode(ctx, user.id, {
    purpose,
    code: proof.smsCode,
    distId: call.dist.id,
    ...(proof.errorText !== undefined && { errorText: proof.errorText }),
  });
  await recordProof(ctx.db, user.sessionHash, purpose);
}

/**
 * Compares a pay password. The try is counted before the comparison, so that concurrent guesses count too; five wrong tries lock it for
 * 24 h (reliability.md b.8). Throws PAY_PASSWORD_WRONG, PAY_PASSWORD_LOCKED.
 */
export async function matchPayPassword(
  db: Db,
  userId: number,
  payPassword: string,
  field = 'payPassword',
): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    update app_user set
      pay_password_fails = case when pay_password_locked_until is null then pay_password_fails + 1 else 1 end,
      pay_password_locked_until = case when pay_password_locked_until is null and pay_password_fails + 1 >= ${MAX_FAILS} then now() + interval '24 hours' end
    where id = ${userId} and pay_password_hash is not null and (pay_password_locked_until is null or pay_password_locked_until <= now())
    returning pay_password_hash as hash`.execute(db);
  const hash = rows[0]?.hash;
  if (hash === undefined) throw new AppError('PAY_PASSWORD_LOCKED');
  if (!(await checkSecret(hash, payPassword))) throw new AppError('PAY_PASSWORD_WRONG', { field });
  await sql`update app_user set pay_password_fails = 0, pay_password_locked_until = null where id = ${userId} and pay_password_hash = ${hash}`.execute(
    db,
  );
}

/** Records that a session has just proved or set the pay password. */
export async function recordPayVerified(db: Trx, sessionHash: Buffer): Promise<void> {
  await markSessionProved(db, sessionHash, 'pay');
}

/** Returns the proofs that the step-up dialog can request, and whether an earlier one still counts. */
export async function describeStepUp(
  call: UserCall,
  { purpose }: { purpose: StepUpPurpose },
): Promise<HandlerResult<typeof stepUpState>> {
  const { ctx, user } = call;
  const { rows } = await sql<{ until: Date | null }>`
    select pay_password_locked_until as until from app_user where id = ${user.id} and pay_password_locked_until > now()`.execute(
    ctx.db,
  );
  const methods = [
    ...(user.hasPayPassword ? ['payPassword' as const] : []),
    ...(purpose === 'pay' ? [] : ['sms' as const]),
  ];
  return {
    isFresh: await isProofValid(ctx.db, user, purpose),
    hasPayPassword: user.hasPayPassword,
    methods,
    phoneMask: maskPhone(await loadPhone(ctx, user.id)),
    lockedUntil: rows[0]?.until ?? null,
  };
}

/** Performs a step-up ahead of the call that needs it. Throws what `requireStepUp` throws. */
export async function proveOwner(call: UserCall, input: Parsed<typeof stepUp>): Promise<HandlerResult<typeof stepUp>> {
  await requireStepUp(call, input.purpose, input);
  return { validUntil: new Date(Date.now() + STEP_UP_MS) };
}

const PAYOUT_WAIT_HOURS = 24;

/**
 * Blocks withdrawals for 24 h, so that the owner of a stolen phone can react first (domain.md 3). Never shortens a block that is already
 * in force.
 */
export async function startPayoutWait(trx: Trx, userId: number, reason: 'phone' | 'payPassword'): Promise<void> {
  await sql`update app_user set payout_wait_until = now() + make_interval(hours => ${PAYOUT_WAIT_HOURS}), payout_wait_reason = ${reason}
    where id = ${userId}`.execute(trx);
}

/** Until when withdrawals are blocked, and why; undefined when they are not. */
export async function loadPayoutWait(
  db: Trx,
  userId: number,
): Promise<{ until: Date; reason: 'phone' | 'payPassword' } | undefined> {
  const { rows } = await sql<{ until: Date; reason: 'phone' | 'payPassword' }>`
    select payout_wait_until as until, coalesce(payout_wait_reason, 'phone') as reason from app_user where id = ${userId} and payout_wait_until > now()`.execute(
    db,
  );
  return rows[0];
}
