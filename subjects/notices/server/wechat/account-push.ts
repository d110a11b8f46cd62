import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import { removeFollower } from '#subjects/accounts/server/service.ts';
import { followed } from './official-account.ts';

const PATH = '/api/wechat/push';
const MAX_BYTES = 16 * 1024;

/**
 * The URL entered in WeChat's console: WeChat verifies it, and reports new and lost followers. Every authentic message is acknowledged, even
 * a repeated one, because a code binds only once.
 */
export function bindAccountPush(http: FastifyInstance, ctx: Context): void {
  const account: OfficialAccount | undefined = ctx.officialAccount;
  if (!account?.receive || !account.confirms) return;
  void http.register((own, _options, done) => {
    own.addContentTypeParser(
      ['text/xml', 'application/xml', 'text/plain'],
      { parseAs: 'string', bodyLimit: MAX_BYTES },
      (_request, body, parsed) => parsed(null, body),
    );
    own.get(PATH, async (request, reply) => {
      const query = request.query as Record<string, string | undefined>;
      return account.confirms?.(query) === true
        ? await reply.type('text/plain').send(query.echostr ?? '')
        : await reply.code(401).type('text/plain').send('');
    });
    own.post(PATH, { bodyLimit: MAX_BYTES }, async (request, reply) => {
      const query = request.query as Record<string, string | undefined>;
      const body = typeof request.body === 'string' ? request.body : (request.rawBody?.toString('utf8') ?? '');
      const push = account.receive?.({ query, body });
      if (!push) {
        ctx.log.warn('a push of the official account was rejected: the signature is not valid');
        return await reply.code(401).type('text/plain').send('');
      }
      if (push.kind === 'follow') await followed(ctx, push.scene, push.openId);
      if (push.kind === 'unfollow') await removeFollower(ctx.db, { openId: push.openId });
      return await reply.type('text/plain').send('success');
    });
    done();
  });
}
