import { randomBytes } from 'node:crypto';
import QRCode from 'qrcode';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { wechatLogin, wechatLoginResult } from '#subjects/accounts/contract/wechat.ts';
import type { wechatPhoneInfo } from '#subjects/accounts/contract/wechat-phone.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import type { WechatLogin } from '#server/ports/wechat-login.ts';
import { randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { originLabel } from '#server/kernel/region.ts';
import { AppError } from '#server/kernel/errors.ts';
import { browserName } from './rules.ts';
import { requireStepUp } from './step-up.ts';
import {
  bindAccount,
  browserCookieOf,
  ensureBrowserCookie,
  loadLogin,
  type Proved,
  ticketFor,
  loadUser,
} from './third-party.ts';

const CODE_BYTES = 24;
const LIVES_MINUTES = 5;

type LoginAction = 'login' | 'bind';

interface Row {
  act: LoginAction;
  status: 'pending' | 'scanned' | 'confirmed' | 'used';
  agent: string;
  ip: string;
  account: string | null;
  dist_id: number;
  expires_at: Date;
  live: boolean;
}

/** Log-in by WeChat. Throws VENDOR_OFF when it is switched off. */
function wechatOf({ wechatLogin }: Context): WechatLogin {
  if (!wechatLogin) throw new AppError('VENDOR_OFF', { text: '本站没有开通微信登录' });
  return wechatLogin;
}

/**
 * Starts a log-in by QR code, or the binding of a WeChat account to the signed-in user, after a step-up. The code is not secret: its result
 * goes only to the browser that started it. Throws VENDOR_OFF, LOGIN_REQUIRED, THIRD_PARTY_BOUND, STEP_UP_REQUIRED, SMS_CODE_WRONG.
 */
export async function startWechatLogin(
  call: Call,
  { act: action, smsCode }: Parsed<typeof wechatLogin>,
): Promise<HandlerResult<typeof wechatLogin>> {
  const { ctx, caller } = call;
  const wechat = wechatOf(ctx);
  if (action === 'bind') await mayBind(call, smsCode);
  const code = randomBytes(CODE_BYTES).toString('hex');
  const browser = ensureBrowserCookie(call);
  const { rows } = await sql<{ expires_at: Date }>`
    insert into wechat_login (code, browser_hash, dist_id, user_id, act, agent, ip, expires_at)
    values (${code}, ${sha256(browser)}, ${call.dist.id}, ${action === 'bind' ? (caller.user?.id ?? null) : null}, ${action},
      ${browserName(call.agent)}, ${call.ip}, now() + make_interval(mins => ${LIVES_MINUTES}))
    returning expires_at`.execute(ctx.db);
  const url = wechat.loginUrl({ origin: call.origin, code });
  return {
    code,
    url,
    qrSvg: await QRCode.toString(url, { type: 'svg', margin: 0 }),
    redirectUrl: wechat.silentUrl({ redirect: `${call.origin}/login/wechat`, state: code }),
    expireTime: rows[0]?.expires_at ?? new Date(),
  };
}

async function mayBind(call: Call, smsCode: string | undefined): Promise<void> {
  const { user } = call.caller;
  if (!user) throw new AppError('LOGIN_REQUIRED');
  const { rows } = await sql`
    select from third_party_binding where user_id = ${user.id} and provider = 'wechat'`.execute(call.ctx.db);
  if (rows.length > 0) throw new AppError('THIRD_PARTY_BOUND');
  await requireStepUp({ ...call, user }, 'thirdParty', { smsCode });
}

const NOTHING = { token: null, login: null, bindTicket: null, bound: false } as const;

/**
 * The state of a log-in. Once the phone has confirmed, the first poll of the browser that started it consumes the code and logs in; later
 * polls, and polls of other browsers, get 'expired'.
 */
export async function wechatLoginState(
  call: Call,
  { code }: Parsed<typeof wechatLoginResult>,
): Promise<HandlerResult<typeof wechatLoginResult>> {
  const { db } = call.ctx;
  const browser = browserCookieOf(call);
  if (browser === undefined) return { status: 'expired', ...NOTHING };
  const { rows } = await sql<{ status: Row['status'] }>`
    select status from wechat_login where code = ${code} and browser_hash = ${sha256(browser)} and expires_at > now()`.execute(
    db,
  );
  const status = rows[0]?.status;
  if (status === 'pending' || status === 'scanned') return { status, ...NOTHING };
  if (status !== 'confirmed') return { status: 'expired', ...NOTHING };
  const used = await sql<Omit<Proved, 'openId'> & { openId: string | null; act: LoginAction; user_id: number | null }>`
    update wechat_login set status = 'used' where code = ${code} and browser_hash = ${sha256(browser)} and status = 'confirmed' and expires_at > now()
    returning act, user_id, open_id as "openId", union_id as "unionId"`.execute(db);
  const proved = used.rows[0];
  if (!proved) return { status: 'expired', ...NOTHING };
  const { openId } = proved;
  if (openId === null) throw new Error('the confirmed WeChat login has no open id');
  return await finish(call, browser, { ...proved, openId });
}

async function finish(
  call: Call,
  browser: string,
  { act: action, user_id: requestedBy, openId, unionId }: Proved & { act: LoginAction; user_id: number | null },
): Promise<HandlerResult<typeof wechatLoginResult>> {
  const { ctx } = call;
  const account = { provider: 'wechat', openId, unionId } as const;
  if (action === 'bind') {
    // Another user may have logged in meanwhile: the WeChat account is bound only to the user who requested it.
    if (call.caller.user?.id !== requestedBy || requestedBy === null) throw new AppError('THIRD_PARTY_EXPIRED');
    await inTransaction(ctx.db, (trx) => bindAccount(trx, requestedBy, account));
    return { status: 'confirmed', ...NOTHING, bound: true };
  }
  const user = await loadUser(ctx.db, account);
  if (!user) return { status: 'confirmed', ...NOTHING, bindTicket: await ticketFor(call, browser, account) };
  const login = await loadLogin(call, user);
  return { status: 'confirmed', ...NOTHING, token: login.token, login };
}

async function loadRow(ctx: Context, code: string, distId: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select w.act, w.status, w.agent, w.ip, w.dist_id, w.expires_at, w.expires_at > now() as live, u.nick_name || '（' || u.phone_mask || '）' as account
    from wechat_login w left join app_user u on u.id = w.user_id where w.code = ${code} and w.dist_id = ${distId}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('THIRD_PARTY_EXPIRED');
  return rows[0];
}

/** The data shown on the phone's page before its user confirms. Throws THIRD_PARTY_EXPIRED for an unknown code. */
export async function describeWechatLogin(
  call: Call,
  { code }: { code: string },
): Promise<HandlerResult<typeof wechatPhoneInfo>> {
  const row = await loadRow(call.ctx, code, call.dist.id);
  return {
    siteName: call.dist.conf.distBaseConf.websiteName,
    act: row.act,
    browser: row.agent,
    network: originLabel(row.ip),
    account: row.act === 'bind' ? row.account : null,
    status: !row.live || row.status === 'used' ? 'expired' : row.status,
    expireTime: row.expires_at,
    plays: call.ctx.wechatLogin?.play !== undefined,
  };
}

/**
 * Records the WeChat user who scanned the code. The first phone to scan owns it; the key for that phone is returned once and stored as a
 * hash.
 * Throws THIRD_PARTY_EXPIRED, and BUSY when WeChat cannot be reached.
 */
export async function scanWechatLogin(
  call: Call,
  { code, authCode }: { code: string; authCode: string },
): Promise<{ phoneKey: string }> {
  const { ctx } = call;
  const row = await loadRow(ctx, code, call.dist.id);
  if (!row.live || row.status !== 'pending') throw new AppError('THIRD_PARTY_EXPIRED');
  const owner = await exchange(ctx, authCode);
  const phoneKey = randomToken();
  const { rows } = await sql`
    update wechat_login set status = 'scanned', open_id = ${owner.openId}, union_id = ${owner.unionId}, phone_hash = ${sha256(phoneKey)}
    where code = ${code} and dist_id = ${call.dist.id} and status = 'pending' and expires_at > now() returning code`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw new AppError('THIRD_PARTY_EXPIRED');
  return { phoneKey };
}

/** The WeChat user of an authorisation code. Throws THIRD_PARTY_EXPIRED, BUSY. */
async function exchange(ctx: Context, authCode: string): Promise<{ openId: string; unionId: string | null }> {
  const owner = await wechatOf(ctx)
    .exchange(authCode)
    .catch((error: unknown) => {
      ctx.log.error({ error: String(error) }, 'WeChat not reached');
      throw new AppError('BUSY', { retryAfterSeconds: 5, cause: error });
    });
  if (!owner) throw new AppError('THIRD_PARTY_EXPIRED');
  return owner;
}

/** Confirms or cancels the log-in on the phone; only the phone that scanned can. Throws THIRD_PARTY_EXPIRED. */
export async function decideWechatLogin(
  call: Call,
  { code, phoneKey, act: action }: { code: string; phoneKey: string; act: 'confirm' | 'cancel' },
): Promise<Record<string, never>> {
  const change = action === 'confirm' ? sql`status = 'confirmed'` : sql`expires_at = now()`;
  const { rows } = await sql`
    update wechat_login set ${change}
    where code = ${code} and dist_id = ${call.dist.id} and phone_hash = ${sha256(phoneKey)} and status = 'scanned' and expires_at > now()
    returning code`.execute(call.ctx.db);
  if (rows.length === 0) throw new AppError('THIRD_PARTY_EXPIRED');
  return {};
}

/** The authorisation of the local WeChat adapter. Throws NOT_FOUND where the real one is configured. */
export async function playWechat(call: Call, { account }: { account: string }): Promise<{ authCode: string }> {
  const wechat = wechatOf(call.ctx);
  if (!wechat.play) throw new AppError('NOT_FOUND');
  return await Promise.resolve({ authCode: wechat.play(account) });
}

/**
 * Handles a vendor's redirect back to the browser that started the log-in, with an authorisation code and the log-in's code as `state`. The
 * result is the same as by QR code, without a phone. Throws THIRD_PARTY_EXPIRED, THIRD_PARTY_TAKEN, QQ_LOGIN_CLOSED.
 */
export async function returnFromThirdParty(
  call: Call,
  input: { provider: 'wechat' | 'qq'; code: string; state: string },
) {
  const { ctx } = call;
  if (input.provider === 'qq') throw new AppError('QQ_LOGIN_CLOSED');
  const browser = browserCookieOf(call);
  if (browser === undefined) throw new AppError('THIRD_PARTY_EXPIRED');
  const { rows } = await sql<{ act: LoginAction; user_id: number | null }>`
    delete from wechat_login where code = ${input.state} and browser_hash = ${sha256(browser)} and status = 'pending' and expires_at > now()
    returning act, user_id`.execute(ctx.db);
  const request = rows[0];
  if (!request) throw new AppError('THIRD_PARTY_EXPIRED');
  const owner = await exchange(ctx, input.code);
  const { login, bindTicket, bound } = await finish(call, browser, { ...request, ...owner });
  return { login, bindTicket, bound };
}

/** The caller's bindings by provider. QQ is listed as closed (product.md 2). */
export async function listBindings(call: UserCall) {
  const { rows } = await sql<{ provider: string; created_at: Date }>`
    select provider, created_at from third_party_binding where user_id = ${call.user.id}`.execute(call.ctx.db);
  const of = (provider: 'wechat' | 'qq', name: string, open: boolean) => {
    const row = rows.find((one) => one.provider === provider);
    return { provider, name, bound: row !== undefined, open, bindTime: row?.created_at ?? null };
  };
  return { list: [of('wechat', '微信', call.ctx.wechatLogin !== undefined), of('qq', 'QQ', false)] };
}
