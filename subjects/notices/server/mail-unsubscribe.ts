import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Limiter } from '#server/access/limits.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { derivedToken, sameText } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { allKinds } from './queries.ts';
import { channelsOf } from './rules.ts';

const PATH = '/api/comm/mailUnsubscribe';
/** The page where a reader changes the notification settings, after the log-in. */
const SETTINGS_PAGE = '/center/notices?tab=settings';
const TOKEN = /^(\d{1,15})~([a-z_.,]{2,400})~([\w-]{43})$/;

/** The kinds whose mails a user can switch off: all except the fixed ones for money and security. */
async function removableKinds(ctx: Context, kinds: readonly string[]): Promise<string[]> {
  const all = await allKinds(ctx.db);
  return all.filter((k) => kinds.includes(k.code) && !channelsOf(k, []).includes('email')).map(({ code }) => code);
}

const signatureOf = (ctx: Context, text: string): string => derivedToken(ctx.keys, text, 'mail-unsubscribe');

/**
 * The URL with which a reader unsubscribes from mails of these kinds without a log-in (RFC 8058); undefined when the user cannot switch any
 * of them off. It does not expire, because a mail may be read years later, and it can only end these mails.
 */
export async function unsubscribeUrl(
  ctx: Context,
  { userId, kinds, origin }: { userId: number; kinds: readonly string[]; origin: string },
): Promise<string | undefined> {
  const removable = await removableKinds(ctx, kinds);
  if (removable.length === 0) return undefined;
  const text = `${userId}~${removable.join(',')}`;
  return `${origin}${PATH}/${text}~${signatureOf(ctx, text)}`;
}

/** Removes mail from the channels of these kinds for the user. */
async function endMails(ctx: Context, userId: number, kinds: readonly string[]): Promise<void> {
  const removable = await removableKinds(ctx, kinds);
  await inTransaction(ctx.db, async (trx) => {
    for (const kind of removable)
      await sql`insert into notice_preference (user_id, kind, channels)
        select ${userId}, k.code, array_remove(k.channels, 'email') from notice_kind k where k.code = ${kind}
          and exists (select from app_user u where u.id = ${userId})
        on conflict (user_id, kind) do update set channels = array_remove(notice_preference.channels, 'email'), updated_at = now()`.execute(
        trx,
      );
  });
}

/** Serves the URL of the header List-Unsubscribe: mail programs post to it; a person who opens it is redirected to the settings. */
export function bindMailUnsubscribe(http: FastifyInstance, ctx: Context, limiter: Limiter): void {
  http.post<{ Params: { token: string } }>(`${PATH}/:token`, async (request) => {
    limiter.take('write', { account: undefined, address: request.ip });
    const [, userId = '', kinds = '', signature = ''] = TOKEN.exec(request.params.token) ?? [];
    if (userId === '' || !sameText(signature, signatureOf(ctx, `${userId}~${kinds}`))) throw new AppError('NOT_FOUND');
    await endMails(ctx, Number(userId), kinds.split(','));
    return { code: 0, data: {}, msg: '' };
  });
  // Mail scanners follow links, so a GET must not change anything.
  http.get(`${PATH}/:token`, async (_request, reply) => await reply.redirect(SETTINGS_PAGE));
}
