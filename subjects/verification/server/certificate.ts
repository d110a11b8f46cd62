import { AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { isAdultOn } from '../rules/adult.ts';
import { parseIdCard } from '../rules/id-card.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { forgetHits, releaseHit, sharedHit } from '#server/access/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError, UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import { loadPhone } from '#subjects/accounts/server/service.ts';
import type { RealName, RealNamePerson } from '#server/ports/real-name.ts';
import type { Person } from './rules.ts';
import { recordRealName } from './service.ts';

const TRIES_A_DAY = 5;
const DAY_SECONDS = 86_400;
/** Longer than any check; if a process dies during a check, the user is blocked for at most this time. */
const UNDERWAY_SECONDS = 30;

interface Row {
  auth_status: number;
  name_mask: string | null;
  id_mask: string | null;
  birth: string | null;
  verified_at: Date | null;
  is_begun: boolean;
}

/** The state of a user's verification; name and number masked. */
export async function describeCertificate(ctx: { db: Trx; realName: RealName | undefined }, userId: number) {
  const { rows } = await sql<Row>`
    select u.auth_status, r.name_mask, r.id_mask, r.birth_date::text as birth, r.verified_at,
      exists (select from real_name f where f.user_id = u.id and f.status <> ${AuthStatus.Verified} and f.face_until > now()) as is_begun
    from app_user u left join real_name r on r.user_id = u.id and r.status = ${AuthStatus.Verified} where u.id = ${userId}`.execute(
    ctx.db,
  );
  const row = rows[0];
  const face = ctx.realName?.face;
  return {
    authStatus: row?.auth_status ?? 0,
    nameMask: row?.name_mask ?? null,
    idMask: row?.id_mask ?? null,
    isAdult: row?.birth !== null && row?.birth !== undefined && isAdultOn(row.birth, new Date()),
    isOpen: ctx.realName !== undefined,
    verifiedTime: row?.verified_at ?? null,
    face: face ? { script: face.browserScript ?? null, isBegun: row?.is_begun ?? false } : null,
  };
}

/** The error of a check without an outcome: the input is malformed, the source was not queried, or the outcome did not arrive. */
function noOutcome(error: unknown): AppError {
  if (error instanceof VendorRejected && error.kind === 'input')
    return new AppError('BAD_INPUT', {
      text: '姓名或身份证号的格式不被认证服务接受，请核对',
      field: 'idCard',
      cause: error,
    });
  if (error instanceof UnknownResult && !(error instanceof VendorUnavailable))
    return new AppError('REAL_NAME_UNCLEAR', { retryAfterSeconds: 60, cause: error });
  return new AppError('BUSY', { text: '实名认证服务暂时不可用，请稍后再试', retryAfterSeconds: 30, cause: error });
}

/**
 * Runs one verification of a user at a time, from query to record, because otherwise a double click would be billed twice. Throws
 * RATE_LIMITED while another is in progress, and REAL_NAME_DONE when one has succeeded since the request arrived.
 */
export async function oneAtATime<T>({ ctx, user }: UserCall, work: () => Promise<T>): Promise<T> {
  const underway = `real-name:underway:${user.id}`;
  if (!(await sharedHit(ctx.db, underway, 1, UNDERWAY_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '上一次认证还在核验，请稍等', retryAfterSeconds: 5 });
  try {
    if ((await describeCertificate(ctx, user.id)).authStatus === AuthStatus.Verified)
      throw new AppError('REAL_NAME_DONE');
    return await work();
  } finally {
    await forgetHits(ctx.db, underway);
  }
}

/**
 * Queries the source once. Each attempt counts against the daily limit, because a check costs money; it is not counted when the source was
 * not queried or rejected the request. Throws REAL_NAME_TRIES, and as `noOutcome`.
 */
export async function askSource<T>({ ctx, user }: UserCall, ask: () => Promise<T>): Promise<T> {
  const tries = `real-name:${user.id}`;
  if (!(await sharedHit(ctx.db, tries, TRIES_A_DAY, DAY_SECONDS))) throw new AppError('REAL_NAME_TRIES');
  return await ask().catch(async (error: unknown) => {
    ctx.log.error({ error: String(error) }, 'no outcome of a real-name check');
    if (error instanceof VendorRejected || error instanceof VendorUnavailable) await releaseHit(ctx.db, tries);
    throw noOutcome(error);
  });
}

/** Queries the source and records a confirmed identity. Throws as `submitRealName`. */
async function verify(call: UserCall, source: RealName, person: RealNamePerson & { birthDate: string }): Promise<void> {
  const { ctx, user } = call;
  const { birthDate, ...checked } = person;
  const outcome = await askSource(call, () => source.verify(checked));
  if (outcome.outcome === 'mismatch')
    throw new AppError('REAL_NAME_MISMATCH', {
      ...(source.needsPhone === true && { text: '姓名、身份证号与账号手机号的登记信息不一致' }),
      field: 'idCard',
    });
  if (outcome.outcome === 'unknown')
    throw new AppError('REAL_NAME_MISMATCH', { text: '未查询到该身份信息，请核对后重试或联系客服', field: 'idCard' });
  const { providerRef } = outcome;
  const recorded = await inTransaction(ctx.db, (trx) =>
    recordRealName(trx, ctx.keys, { userId: user.id, name: person.name, idNo: person.idNo, birthDate, providerRef }),
  );
  if (!recorded) throw new AppError('REAL_NAME_DONE');
}

/** The person as entered, with the birth date from the number. Throws BAD_INPUT. */
export function personOf(input: { realName: string; idCard: string }): Person {
  const card = parseIdCard(input.idCard, Date.now());
  if (!card) throw new AppError('BAD_INPUT', { text: '身份证号错误', field: 'idCard' });
  return { name: input.realName, idNo: card.number, birthDate: card.birthDate };
}

/**
 * Verifies that name and number belong together and are no one else's here. A minor is verified as well: they are known, and may not trade
 * (domain.md 7). REAL_NAME_USED is reported only after name and number have been confirmed to match. Without an outcome nothing is recorded.
 * Throws VENDOR_OFF, REAL_NAME_DONE, REAL_NAME_TRIES, REAL_NAME_MISMATCH, REAL_NAME_USED, REAL_NAME_UNCLEAR without an outcome, BUSY when the
 * source was not asked.
 */
export async function submitRealName(call: UserCall, input: { realName: string; idCard: string }) {
  const { ctx, user } = call;
  if (user.authStatus === AuthStatus.Verified) throw new AppError('REAL_NAME_DONE');
  const source = ctx.realName;
  if (!source) throw new AppError('VENDOR_OFF', { text: '本站没有开通实名认证' });
  const person = {
    ...personOf(input),
    ...(source.needsPhone === true && { phone: await loadPhone(ctx, user.id) }),
  };
  await oneAtATime(call, () => verify(call, source, person));
  return await describeCertificate(ctx, user.id);
}
