import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { randomToken, sha256 } from '#server/kernel/crypto.ts';

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

/** A device in words that its owner knows it by. */
export function deviceName(agent: string): string {
  const of = (table: readonly (readonly [RegExp, string])[]) => table.find(([sign]) => sign.test(agent))?.[1];
  const [system, browser] = [of(SYSTEMS), of(BROWSERS)];
  if (!system && !browser) return '一台新设备';
  return `${system ?? '一台设备'}${browser ? `的 ${browser}`.replace('的 微信', '的微信') : ''}`;
}

/** Notes on which device somebody logged in. The first one of all is the one they began with; any further new one is an event. */
export async function noteDevice(ctx: Context, userId: number, agent: string): Promise<void> {
  const hash = sha256(agent.slice(0, AGENT_MAX).replace(/[\d._]+/g, ''));
  const told = JSON.stringify({ userId, device: deviceName(agent), ref: hash.toString('hex').slice(0, 16) });
  await sql`
    with noted as (insert into known_device as k (user_id, agent_hash) values (${userId}, ${hash})
      on conflict (user_id, agent_hash) do update set last_at = now() returning k.first_at = k.last_at as fresh)
    insert into outbox (topic, payload) select 'account.newDevice', ${told}::jsonb from noted
    where fresh and exists (select from known_device where user_id = ${userId} and agent_hash <> ${hash})`.execute(
    ctx.db,
  );
}

const BROWSER_DAYS = 400;
const BROWSER = /^[A-Za-z0-9_-]{22}$/;

/**
 * Notes on which browser somebody logged in, by a random cookie that it keeps. What it is for: two accounts that met on one browser do not
 * count for each other's seller level (docs/decisions/056). Nothing is refused by it, so clearing it gains nothing but a new beginning.
 */
export async function noteBrowser(
  ctx: Context,
  userId: number,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const name = ctx.config.secureCookies ? '__Host-bid' : 'bid';
  const kept = request.cookies[name];
  const value = kept !== undefined && BROWSER.test(kept) ? kept : randomToken(16);
  await sql`insert into user_browser (user_id, browser_hash) values (${userId}, ${sha256(value)})
    on conflict (user_id, browser_hash) do update set last_at = now()`.execute(ctx.db);
  const secure = ctx.config.secureCookies;
  reply.setCookie(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge: BROWSER_DAYS * 86_400 });
}
