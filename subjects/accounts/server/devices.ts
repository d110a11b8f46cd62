import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { emitted } from '#server/jobs/effect-writer.ts';
import { blindIndex, randomToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { isLocalAddress, networkOf } from '#server/kernel/network.ts';
import { regionOf } from '#server/kernel/region.ts';

const AGENT_MAX = 300;

const SYSTEMS = [
  [/iPhone/, ' iPhone '],
  [/iPad/, ' iPad '],
  [/Android/, '安卓设备'],
  [/Windows/, ' Windows 电脑'],
  [/Mac OS X|Macintosh/, ' Mac 电脑'],
  [/Linux/, ' Linux 电脑'],
] as const;
const BROWSERS = [
  [/MicroMessenger/, '微信'],
  [/Edg\//, 'Edge '],
  [/Firefox\//, 'Firefox '],
  [/Chrome\//, 'Chrome '],
  [/Safari\//, 'Safari '],
] as const;

/** A name for a device that its owner recognises. */
export function deviceName(agent: string): string {
  const of = (table: readonly (readonly [RegExp, string])[]) => table.find(([sign]) => sign.test(agent))?.[1];
  const [system, browser] = [of(SYSTEMS), of(BROWSERS)];
  if (!system && !browser) return '一台新设备';
  return `${system ?? '一台设备'}${browser ? `的 ${browser}`.replace('的 微信', '的微信') : ''}`;
}

/** Records the device of a log-in. Every new device after the user's first one publishes an event. */
export async function noteDevice(ctx: Context, userId: number, agent: string, ip: string): Promise<void> {
  const hash = sha256(agent.slice(0, AGENT_MAX).replace(/[\d._]+/g, ''));
  const ref = hash.toString('hex').slice(0, 16);
  const payload = { userId, device: deviceName(agent), region: regionOf(ip), ref };
  await sql`
    with noted as (insert into known_device as k (user_id, agent_hash) values (${userId}, ${hash})
      on conflict (user_id, agent_hash) do update set last_at = now() returning k.first_at = k.last_at as fresh)
    ${emitted(
      'account.newDevice',
      payload,
      sql`from noted where fresh and exists (select from known_device where user_id = ${userId} and agent_hash <> ${hash})`,
    )}`.execute(ctx.db);
}

const BROWSER_DAYS = 400;
const BROWSER = /^[A-Za-z0-9_-]{22}$/;

/**
 * Records the browser of a log-in, by a random cookie. Two accounts used in one browser do not count for each other's seller level
 * (docs/decisions/056), and a browser known to an account is not locked out by other people's attempts (docs/decisions/161). Nothing is
 * rejected because of the cookie, so deleting it gains nothing.
 */
export async function noteBrowser(
  ctx: Context,
  userId: number,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const value = saveBrowser(ctx, request, reply);
  await sql`insert into user_browser (user_id, browser_hash) values (${userId}, ${sha256(value)})
    on conflict (user_id, browser_hash) do update set last_at = now()`.execute(ctx.db);
}

const browserCookie = (ctx: Context): string => (ctx.config.secureCookies ? '__Host-bid' : 'bid');

function browserValue(ctx: Context, request: FastifyRequest): string | undefined {
  const existing = request.cookies[browserCookie(ctx)];
  return existing !== undefined && BROWSER.test(existing) ? existing : undefined;
}

/** The random value that identifies a browser; created when missing. Its lifetime is extended. */
export function saveBrowser(ctx: Context, request: FastifyRequest, reply: FastifyReply): string {
  const value = browserValue(ctx, request) ?? randomToken(16);
  const secure = ctx.config.secureCookies;
  const maxAge = BROWSER_DAYS * 86_400;
  reply.setCookie(browserCookie(ctx), value, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge });
  return value;
}

/** The hash of a browser's cookie; undefined when it has none. */
export function browserHash({ ctx, http }: Pick<Call, 'ctx' | 'http'>): Buffer | undefined {
  const value = http && browserValue(ctx, http.request);
  return value === undefined ? undefined : sha256(value);
}

/** The hash of the caller's browser, if the user of this phone hash logged in from it before. */
export async function loadKnownBrowser(
  call: Pick<Call, 'ctx' | 'http'>,
  phoneHash: Buffer,
): Promise<Buffer | undefined> {
  const hash = browserHash(call);
  if (!hash) return undefined;
  const { rows } = await sql`
    select from user_browser b join app_user u on u.id = b.user_id where u.phone_hash = ${phoneHash} and b.browser_hash = ${hash}`.execute(
    call.ctx.db,
  );
  return rows.length > 0 ? hash : undefined;
}

/**
 * Records the network of a log-in as a keyed hash (docs/decisions/110). Local and private addresses are left out, since they do not tell
 * users apart.
 */
export async function noteNetwork(ctx: Context, userId: number, ip: string): Promise<void> {
  if (isLocalAddress(ip)) return;
  await sql`insert into user_network (user_id, network_hash) values (${userId}, ${blindIndex(ctx.keys, 'network', networkOf(ip))})
    on conflict (user_id, network_hash) do update set last_at = now()`.execute(ctx.db);
}
