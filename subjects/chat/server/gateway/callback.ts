import { asAppError } from '#server/kernel/errors.ts';
import type { Context } from '#server/context.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import { BoundedMap } from '#server/kernel/cache.ts';
import type { ImProviderNotice } from '#server/ports/im.ts';
import type { Binding } from '#server/binding.ts';
import { loadSpeaker } from '../transport/im-provider.ts';
import { sendMessage, publishTyping } from '../messages/messages.ts';
import { LIMITS } from '../rules.ts';

const CALLBACK_BYTES = 256 * 1024;

/** Time of the last typing hint by member and group; as on our own socket, one hint in 1.5 s is forwarded. */
const typingHints = cacheKind('chat.typing', () => new BoundedMap<string, number>(5000));

function shouldForwardTyping(ctx: Context, member: string, groupId: number): boolean {
  const key = `${member}:${groupId}`;
  const typedAt = cacheOf(ctx, typingHints);
  const now = Date.now();
  if (now - (typedAt.get(key) ?? 0) < LIMITS.typingMs) return false;
  typedAt.set(key, now);
  return true;
}

const stringFields = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};

/** Applies a notice on behalf of its sender. */
async function applyNotice(
  ctx: Context,
  notice: ImProviderNotice,
  speaker: { member: string; staffId: number | null },
): Promise<void> {
  const groupId = Number(notice.groupId);
  if (notice.kind === 'typing') {
    if (shouldForwardTyping(ctx, speaker.member, groupId)) await publishTyping(ctx, speaker.member, groupId);
    return;
  }
  const { uid, text } = notice;
  await sendMessage(ctx, speaker, { groupId, clientMsgId: `rc-${uid}`, messageType: 'text', content: text });
}

/**
 * The callback of the IM provider for messages and typing on its own clients (conventions.md, paths). Only signed notices are accepted. A message
 * is stored as the sender's own, with the checks of membership, rate limit and masking, once for each message id of the provider.
 */
export function bindCallback({ ctx, http }: Binding): void {
  const { imProvider } = ctx;
  if (!imProvider) return;
  http.post('/api/im/callback', { bodyLimit: CALLBACK_BYTES }, async (request, reply) => {
    const notice = imProvider.readNotice(stringFields(request.query), stringFields(request.body));
    if (notice === undefined) {
      ctx.log.warn({ imProvider: imProvider.name }, 'chat callback rejected: bad signature');
      return await reply.code(401).send({ code: 401 });
    }
    const speaker = notice && (await loadSpeaker(ctx, notice));
    if (notice && speaker) {
      try {
        await applyNotice(ctx, notice, speaker);
      } catch (error) {
        // A retry would fail again: the sender is not a member, the group is closed, or the text is empty.
        const appError = asAppError(error);
        if (!appError) throw error;
        ctx.log.info({ code: appError.code, groupId: notice.groupId }, 'a message of the IM provider was rejected');
      }
    }
    return await reply.code(200).send({ code: 200 });
  });
}
