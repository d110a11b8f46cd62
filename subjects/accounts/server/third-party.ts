import { UserStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type SigningIn, startSession } from './sessions.ts';
import { requireStepUp } from './step-up.ts';

export type Provider = 'wechat' | 'qq';

/** The identity proved by a third party. */
export interface Proved {
  openId: string;
  unionId: string | null;
}
export type ThirdPartyAccount = Proved & { provider: Provider };

const COOKIE = 'tpb';
const COOKIE_SECONDS = 15 * 60;
const TICKET_MINUTES = 15;
const VALUE = /^[\w-]{43}$/;

/** The cookie that ties a browser to its own log-ins; undefined for a browser without one. */
export function browserCookieOf({ http }: Call): string | undefined {
  const value = http?.request.cookies[COOKIE];
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** The same, created when missing; several tabs of one browser share it. Its lifetime is extended. */
export function ensureBrowserCookie(call: Call): string {
  const value = browserCookieOf(call) ?? randomToken();
  call.http?.reply.setCookie(COOKIE, value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/api/',
    secure: call.ctx.config.secureCookies,
    maxAge: COOKIE_SECONDS,
  });
  return value;
}

/** The user that a third party's account belongs to. */
export async function loadUser(db: Trx, account: ThirdPartyAccount): Promise<SigningIn | undefined> {
  // A person has one unionId across the company's apps, and a separate openId in each of them.
  const { rows } = await sql<{ id: number; nick_name: string; avatar: string | null }>`
    select u.id, u.nick_name, u.avatar from third_party_binding b join app_user u on u.id = b.user_id and u.status <> ${UserStatus.Closed}
    where b.provider = ${account.provider} and (b.open_id = ${account.openId} or b.union_id = ${account.unionId})
    order by b.open_id = ${account.openId} desc limit 1`.execute(db);
  const row = rows[0];
  return row && { id: row.id, nickName: row.nick_name, avatar: row.avatar };
}

/** Opens the session of a successful third-party log-in. */
export async function loadLogin(call: Call, user: SigningIn) {
  return await startSession(call, user, { client: 'web' });
}

/** Creates a ticket that allows the next user who logs in with this browser to bind the proved account. */
export async function ticketFor({ ctx, dist }: Call, browser: string, account: ThirdPartyAccount): Promise<string> {
  const ticket = randomToken();
  await sql`insert into third_party_ticket (ticket_hash, provider, open_id, union_id, browser_hash, dist_id, expires_at)
    values (${sha256(ticket)}, ${account.provider}, ${account.openId}, ${account.unionId}, ${sha256(browser)}, ${dist.id},
      now() + make_interval(mins => ${TICKET_MINUTES}))`.execute(ctx.db);
  return ticket;
}

/**
 * Binds an account to a user, one for each provider; idempotent. Publishes account.thirdPartyBound.
 * Throws THIRD_PARTY_TAKEN when it is another user's, THIRD_PARTY_BOUND when the user has another one.
 */
export async function bindAccount(trx: Trx, userId: number, account: ThirdPartyAccount): Promise<void> {
  const { rows } = await sql`
    insert into third_party_binding (user_id, provider, open_id, union_id)
    values (${userId}, ${account.provider}, ${account.openId}, ${account.unionId}) on conflict do nothing returning user_id`.execute(
    trx,
  );
  if (rows.length === 0) {
    const { rows: held } = await sql<{ mine: boolean; same: boolean }>`
      select user_id = ${userId} as mine, open_id = ${account.openId} as same from third_party_binding
      where provider = ${account.provider} and (user_id = ${userId} or open_id = ${account.openId})`.execute(trx);
    if (held.some(({ mine, same }) => mine && same)) return;
    throw new AppError(held.some(({ mine }) => mine) ? 'THIRD_PARTY_BOUND' : 'THIRD_PARTY_TAKEN');
  }
  await publishBinding(trx, 'account.thirdPartyBound', userId, account.provider);
}

async function publishBinding(
  trx: Trx,
  topic: 'account.thirdPartyBound' | 'account.thirdPartyUnbound',
  userId: number,
  provider: Provider,
): Promise<void> {
  await emit(trx, topic, { userId, provider });
}

/** Redeems a ticket for the signed-in user, in the browser that got it. Throws THIRD_PARTY_EXPIRED, and what `bindAccount` throws. */
export async function bindTicket(call: UserCall, { ticket }: { ticket: string }): Promise<{ provider: Provider }> {
  const browser = browserCookieOf(call);
  if (browser === undefined) throw new AppError('THIRD_PARTY_EXPIRED');
  return await inTransaction(call.ctx.db, async (trx) => {
    const { rows } = await sql<ThirdPartyAccount>`
      delete from third_party_ticket where ticket_hash = ${sha256(ticket)} and browser_hash = ${sha256(browser)} and expires_at > now()
      returning provider, open_id as "openId", union_id as "unionId"`.execute(trx);
    const account = rows[0];
    if (!account) throw new AppError('THIRD_PARTY_EXPIRED');
    await bindAccount(trx, call.user.id, account);
    return { provider: account.provider };
  });
}

/**
 * Removes a binding, after a step-up. Publishes account.thirdPartyUnbound. Throws STEP_UP_REQUIRED, SMS_CODE_WRONG,
 * NOT_FOUND when nothing is bound.
 */
export async function unbind(
  call: UserCall,
  { provider, smsCode }: { provider: Provider; smsCode?: string | undefined },
): Promise<Record<string, never>> {
  const { ctx, user } = call;
  await requireStepUp(call, 'thirdParty', { smsCode });
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      delete from third_party_binding where user_id = ${user.id} and provider = ${provider} returning user_id`.execute(
      trx,
    );
    if (rows.length === 0) throw errorOf('NOT_FOUND', 'thirdParty');
    await publishBinding(trx, 'account.thirdPartyUnbound', user.id, provider);
    return {};
  });
}

/** Deletes expired rows; called by the hourly clean-up. */
export async function sweepThirdParty(ctx: Context): Promise<void> {
  await sql`delete from wechat_login where expires_at < now() - interval '1 hour'`.execute(ctx.db);
  await sql`delete from third_party_ticket where expires_at < now()`.execute(ctx.db);
}
