/** Passkeys of staff (decision 537): registration, log-in, step-up, removal, and recovery by two people. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/passkeys.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { releasesMoney } from '../../rules/staff.ts';
import { StaffStatus } from '#contract/rules/statuses.ts';
import type { Call, StaffCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { requireFactor, stepUpEnd } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { markFactorVerified } from '#subjects/accounts/server/service.ts';
import { noteStaffBrowser, verifyTotp } from './auth.ts';
import { backstageAddress, requireBackstage, startStaffSession } from './invites.ts';

const MAX_PASSKEYS = 10;
const CHALLENGE_SECONDS = 300;
/** Maximum number of failed proofs of one member of staff per window. */
const TRIES = 10;
const WINDOW_SECONDS = 600;

type Purpose = 'login' | 'register' | 'stepUp';

/** The relying party: the back office's host, and the only origin that may use its passkeys. */
function partyOf(ctx: Context): { rpID: string; origin: string; rpName: string } {
  const rpName = ctx.dir.platform().conf.distBaseConf.websiteName;
  return { rpID: ctx.config.backstageHost.replace(/:\d+$/, ''), origin: backstageAddress(ctx, ''), rpName };
}

/** Whether a member of staff must use a passkey: those who may release money, in a real market. */
export const needsPasskey = (ctx: Pick<Context, 'config'>, staff: { permissions: readonly string[] }): boolean =>
  ctx.config.staffPasskeys && releasesMoney(staff.permissions);

/** Stores a new challenge, and deletes expired ones. */
async function newChallenge(ctx: Context, purpose: Purpose, staffId: number | null): Promise<string> {
  const challenge = randomToken(32);
  await sql`delete from staff_passkey_challenge where expires_at < now()`.execute(ctx.db);
  await sql`insert into staff_passkey_challenge (challenge_hash, purpose, staff_id, expires_at)
    values (${sha256(challenge)}, ${purpose}, ${staffId}, now() + ${CHALLENGE_SECONDS} * interval '1 second')`.execute(
    ctx.db,
  );
  return challenge;
}

/** Consumes a challenge, once even if used concurrently. */
async function takeChallenge(
  ctx: Context,
  challenge: string,
  at: { purpose: Purpose; staffId: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    delete from staff_passkey_challenge where challenge_hash = ${sha256(challenge)} and purpose = ${at.purpose}
      and staff_id is not distinct from ${at.staffId}::bigint and expires_at > now() returning 1 as used`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** The error for every invalid proof; it does not state the reason. */
const refused = (): AppError =>
  new AppError('SECOND_FACTOR_WRONG', {
    text: '通行密钥没有通过验证，请再试一次；仍不行请换一个通行密钥',
    field: 'response',
  });

async function countTry(ctx: Context, staffId: number): Promise<void> {
  if (!(await sharedHit(ctx.db, `staff-passkey:${staffId}`, TRIES, WINDOW_SECONDS)))
    throw new AppError('LOGIN_THROTTLED', { retryAfterSeconds: WINDOW_SECONDS });
}

/** The caller's own passkeys, oldest first. */
export async function listPasskeys({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.passkeyList>> {
  const { rows } = await sql<HandlerResult<typeof c.passkeyList>['list'][number]>`
    select id as "passkeyId", name, synced as "isSynced", created_at as "createTime", last_used_at as "lastTime"
    from staff_passkey where staff_id = ${staff.id} order by id`.execute(ctx.db);
  return { list: rows, isRequired: needsPasskey(ctx, staff) };
}

const loadIds = async (ctx: Context, staffId: number) =>
  (
    await sql<{ id: string; transports: string[] }>`
      select credential_id as id, transports from staff_passkey where staff_id = ${staffId} order by id`.execute(ctx.db)
  ).rows;

/** Options for a new passkey, or for proving one again. */
export async function optionsFor(
  { ctx, staff }: StaffCall,
  { purpose }: Parsed<typeof c.passkeyOptions>,
): Promise<HandlerResult<typeof c.passkeyOptions>> {
  const { rpID, rpName } = partyOf(ctx);
  const [own, challenge] = await Promise.all([loadIds(ctx, staff.id), newChallenge(ctx, purpose, staff.id)]);
  const bytes = new Uint8Array(Buffer.from(challenge, 'base64url'));
  const options =
    purpose === 'register'
      ? await generateRegistrationOptions({
          rpID,
          rpName,
          challenge: bytes,
          userName: staff.name,
          userID: new TextEncoder().encode(`staff:${staff.id}`),
          excludeCredentials: own,
          attestationType: 'none',
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        })
      : await generateAuthenticationOptions({
          rpID,
          challenge: bytes,
          allowCredentials: own,
          userVerification: 'required',
        });
  return { options: JSON.stringify(options) };
}

/**
 * Verifies the caller before a registration: for the first passkey by a code, for further ones by a step-up. Throws
 * FACTOR_REQUIRED, SECOND_FACTOR_WRONG.
 */
async function requireRegistrant(call: StaffCall, code: string | undefined): Promise<void> {
  const own = await loadIds(call.ctx, call.staff.id);
  if (own.length > 0) {
    requireFactor(call);
    if (own.length >= MAX_PASSKEYS)
      throw new AppError('BAD_INPUT', { text: `最多登记 ${MAX_PASSKEYS} 个通行密钥，请先移除不用的` });
    return;
  }
  if (code === undefined) throw new AppError('SECOND_FACTOR_WRONG', { text: '请输入 6 位动态码', field: 'code' });
  await verifyTotp(call, code);
}

/**
 * Registers a passkey of the caller. Throws FACTOR_REQUIRED, SECOND_FACTOR_WRONG, LOGIN_THROTTLED, BAD_INPUT for an
 * eleventh one or one that is already registered.
 */
export async function register(
  call: StaffCall,
  { name, code, response }: Parsed<typeof c.passkeyRegister>,
): Promise<HandlerResult<typeof c.passkeyRegister>> {
  const { ctx, staff, ip } = call;
  await countTry(ctx, staff.id);
  await requireRegistrant(call, code);
  const { rpID, origin } = partyOf(ctx);
  const { verified, registrationInfo: info } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => takeChallenge(ctx, challenge, { purpose: 'register', staffId: staff.id }),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const, registrationInfo: undefined }));
  if (!verified || !info) throw refused();
  const { credential, credentialBackedUp } = info;
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into staff_passkey (staff_id, credential_id, public_key, counter, transports, name, synced)
      values (${staff.id}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
        ${credential.transports ?? []}::text[], ${name}, ${credentialBackedUp})
      on conflict (credential_id) do nothing returning id`.execute(trx);
    if (!rows[0]) throw new AppError('BAD_INPUT', { text: '这个通行密钥已经登记过' });
    await audit(trx, staff, 'staff.passkeyAdd', `staff:${staff.id}`, { passkeyId: rows[0].id, name }, ip);
    return { passkeyId: rows[0].id };
  });
}

/** Removes one of the caller's passkeys. Throws FACTOR_REQUIRED, NOT_FOUND, BAD_INPUT for the last one of those who need one. */
export async function removePasskey(
  call: StaffCall,
  { passkeyId }: Parsed<typeof c.passkeyRemove>,
): Promise<Record<string, never>> {
  requireFactor(call);
  const { ctx, staff, ip } = call;
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from staff_passkey where staff_id = ${staff.id} order by id for update`.execute(trx);
    const one = rows.find(({ id }) => id === passkeyId);
    if (!one) throw errorOf('NOT_FOUND', 'passkey');
    if (rows.length === 1 && needsPasskey(ctx, staff))
      throw new AppError('BAD_INPUT', { text: '您的角色会动用资金，至少要保留一个通行密钥：请先登记新的，再移除这个' });
    await sql`delete from staff_passkey where id = ${passkeyId}`.execute(trx);
    await audit(trx, staff, 'staff.passkeyRemove', `staff:${staff.id}`, { passkeyId, name: one.name }, ip);
  });
  return {};
}

interface Known {
  id: number;
  staffId: number;
  staffName: string;
  role: string;
  distId: number | null;
}

/**
 * The passkey that signed a challenge. Updates its counter, which detects a copied passkey. Throws SECOND_FACTOR_WRONG.
 */
async function signedBy(
  ctx: Context,
  response: Parsed<typeof c.passkeyLogin>['response'],
  at: { purpose: Purpose; staffId: number | null },
): Promise<Known> {
  const { rows } = await sql<Known & { publicKey: Buffer; counter: number; active: boolean }>`
    select p.id, p.staff_id as "staffId", s.name as "staffName", s.role, s.dist_id as "distId", p.public_key as "publicKey", p.counter,
      s.status = ${StaffStatus.Active} as active
    from staff_passkey p join staff s on s.id = p.staff_id where p.credential_id = ${response.id}`.execute(ctx.db);
  const known = rows[0];
  if (!known?.active || (at.staffId !== null && known.staffId !== at.staffId)) throw refused();
  const { rpID, origin } = partyOf(ctx);
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => takeChallenge(ctx, challenge, at),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: response.id, publicKey: new Uint8Array(known.publicKey), counter: known.counter },
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const, authenticationInfo: undefined }));
  if (!verified || !info) throw refused();
  const moved = await sql`
    update staff_passkey set counter = ${info.newCounter}, last_used_at = now()
    where id = ${known.id} and (counter < ${info.newCounter} or (counter = 0 and ${info.newCounter} = 0)) returning id`.execute(
    ctx.db,
  );
  if (moved.rows.length === 0) throw refused();
  return known;
}

/** The second factor again, by a passkey. Throws SECOND_FACTOR_WRONG, LOGIN_THROTTLED. */
export async function stepUpByPasskey(
  { ctx, staff, ip }: StaffCall,
  { response }: Parsed<typeof c.passkeyStepUp>,
): Promise<HandlerResult<typeof c.passkeyStepUp>> {
  await countTry(ctx, staff.id);
  const { id } = await signedBy(ctx, response, { purpose: 'stepUp', staffId: staff.id });
  await markFactorVerified(ctx.db, staff.sessionHash);
  await audit(ctx.db, staff, 'staff.stepUp', `staff:${staff.id}`, { passkeyId: id }, ip);
  return { validUntil: stepUpEnd(ctx, new Date()) };
}

/** Options for a log-in on the back office's own host; they identify no one. Throws NOT_FOUND elsewhere. */
export async function loginOptions(call: Call): Promise<HandlerResult<typeof c.passkeyLoginOptions>> {
  requireBackstage(call);
  const { ctx } = call;
  const challenge = await newChallenge(ctx, 'login', null);
  const options = await generateAuthenticationOptions({
    rpID: partyOf(ctx).rpID,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  });
  return { options: JSON.stringify(options) };
}

/** Logs in by a passkey on the back office's own host. Throws NOT_FOUND elsewhere, SECOND_FACTOR_WRONG. */
export async function logInByPasskey(
  call: Call,
  { response }: Parsed<typeof c.passkeyLogin>,
): Promise<HandlerResult<typeof c.passkeyLogin>> {
  const http = requireBackstage(call);
  const { ctx } = call;
  const { id, staffId, staffName, role, distId } = await signedBy(ctx, response, { purpose: 'login', staffId: null });
  await noteStaffBrowser(ctx, staffId, http);
  const session = await startStaffSession(call, http, { id: staffId, distId });
  await audit(ctx.db, { id: staffId }, 'staff.login', `staff:${staffId}`, { passkeyId: id }, call.ip);
  return { ...session, staffId, name: staffName, role };
}

/** Removes every passkey of a member of staff. Resolves to their number. */
export async function removeAllPasskeys(trx: Trx, staffId: number): Promise<number> {
  const { rows } = await sql`delete from staff_passkey where staff_id = ${staffId} returning id`.execute(trx);
  return rows.length;
}
