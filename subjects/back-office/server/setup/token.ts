import { sql } from 'kysely';
import type { setupAdmin, setupOpen } from '#subjects/back-office/contract/setup.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decrypt, encrypt, randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { totpStep } from '#server/kernel/secrets/totp.ts';
import { createStaff, hasAdmin } from '../staff/create.ts';
import { backstageAddress, enrolment, newTotpSecret, requireBackstage, startStaffSession } from '../staff/invites.ts';
import { noteStaffBrowser } from '../staff/auth.ts';
import { ADMIN_ROLE, rejectBreached } from '../staff/rules.ts';

const VALID_MS = 24 * 3_600_000;
/** Maximum number of wrong codes per URL. */
const MAX_TRIES = 20;

const aadOf = (hash: Buffer): string => `setup_token.totp_secret_enc:${hash.toString('hex')}`;

/** Whether the first administrator does not exist yet. */
async function isUnclaimed(db: Trx): Promise<boolean> {
  const { rows } = await sql`select from setup_state where admin_id is null and finished_at is null`.execute(db);
  return rows.length > 0 && !(await hasAdmin(db));
}

/**
 * Creates a one-time URL for the first administrator, printed on the console of a start outside the demo without an
 * administrator. Undefined when it is not needed. Each start creates its own; older ones stay valid until their 24
 * hours are over or one is used. The second factor of a URL is random and stored with it, so that it cannot be computed
 * by anyone who later finds the URL in a log of the start.
 */
export async function openSetup(ctx: Context): Promise<{ address: string; expires: Date } | undefined> {
  if (ctx.config.demo) {
    // A demo is seeded, so no set-up is needed.
    await sql`update setup_state set finished_at = now() where finished_at is null`.execute(ctx.db);
    return undefined;
  }
  if (!(await isUnclaimed(ctx.db))) return undefined;
  const token = randomToken(32);
  const expires = new Date(Date.now() + VALID_MS);
  await sql`delete from setup_token where expires_at < now()`.execute(ctx.db);
  const hash = sha256(token);
  const secret = encrypt(ctx.keys, aadOf(hash), newTotpSecret());
  await sql`insert into setup_token (token_hash, expires_at, totp_secret_enc) values (${hash}, ${expires}, ${secret})`.execute(
    ctx.db,
  );
  return { address: backstageAddress(ctx, `/backstage/setup#${token}`), expires };
}

/** The data of a usable URL. Throws INVITE_GONE. */
async function loadOffer(ctx: Context, token: string): Promise<{ expires: Date; secret: string }> {
  const hash = sha256(token);
  const { rows } = await sql<{ expires: Date; secret: Buffer }>`
    select expires_at as expires, totp_secret_enc as secret from setup_token
    where token_hash = ${hash} and expires_at > now() and tries < ${MAX_TRIES}`.execute(ctx.db);
  const [found] = rows;
  if (!found || ctx.config.demo || !(await isUnclaimed(ctx.db))) throw new AppError('INVITE_GONE');
  return { expires: found.expires, secret: decrypt(ctx.keys, aadOf(hash), found.secret) };
}

/** The data for the printed URL. Throws NOT_FOUND on other hosts, INVITE_GONE. */
export async function openPage(
  call: Call,
  { token }: Parsed<typeof setupOpen>,
): Promise<HandlerResult<typeof setupOpen>> {
  requireBackstage(call);
  const { expires, secret } = await loadOffer(call.ctx, token);
  const siteName = call.ctx.dir.platform().conf.distBaseConf.websiteName;
  return { siteName, ...(await enrolment(siteName, '管理员', secret)), expires };
}

/**
 * Creates the first administrator and logs in. Of several concurrent uses only one succeeds, also with different URLs.
 * Throws NOT_FOUND, INVITE_GONE, SECOND_FACTOR_WRONG, STAFF_LOGIN_TAKEN.
 */
export async function makeAdmin(
  call: Call,
  input: Parsed<typeof setupAdmin>,
): Promise<HandlerResult<typeof setupAdmin>> {
  const http = requireBackstage(call);
  const { ctx, ip } = call;
  const { secret } = await loadOffer(ctx, input.token);
  rejectBreached(input.newPassword);
  await sql`update setup_token set tries = tries + 1 where token_hash = ${sha256(input.token)}`.execute(ctx.db);
  const step = totpStep(secret, input.code, Date.now());
  if (step === undefined) throw new AppError('SECOND_FACTOR_WRONG', { field: 'code' });
  const id = await inTransaction(ctx.db, async (trx) => {
    // The row lock blocks the others; afterwards they find it claimed.
    const open = await sql`select from setup_state where admin_id is null and finished_at is null for update`.execute(
      trx,
    );
    if (open.rows.length === 0 || (await hasAdmin(trx))) throw new AppError('INVITE_GONE');
    const created = await createStaff(trx, ctx.keys, {
      login: input.login,
      name: input.name,
      role: ADMIN_ROLE,
      password: input.newPassword,
      totpSecret: secret,
    });
    if (!created) throw new AppError('STAFF_LOGIN_TAKEN', { field: 'login' });
    await sql`update staff set totp_last_step = ${step} where id = ${created.id}`.execute(trx);
    await sql`update setup_state set admin_id = ${created.id}`.execute(trx);
    await sql`delete from setup_token`.execute(trx);
    await audit(trx, { id: created.id }, 'setup.admin', `staff:${created.id}`, { login: input.login }, ip);
    return created.id;
  });
  await noteStaffBrowser(ctx, id, http);
  return { ...(await startStaffSession(call, http, { id, distId: null })), staffId: id, name: input.name };
}
