import { asAppError } from '#server/kernel/errors.ts';
import type { Context } from '#server/context.ts';
import type { ImProviderNotice } from '#server/ports/im.ts';
import type { Binding } from '#server/binding.ts';
import { speakerOf } from './carry.ts';
import { sendMessage, tellTyping } from './messages.ts';
import { LIMITS } from './rules.ts';

const CALLBACK_BYTES = 256 * 1024;

/** When somebody was last said to type, by member and group; as on our own socket one hint in 1.5 s goes on. */
const typedAt = new Map<string, number>();
const MAX_KNOWN = 5000;

function isTypingNews(member: string, groupId: number): boolean {
  const key = `${member}:${groupId}`;
  const now = Date.now();
  if (now - (typedAt.get(key) ?? 0) < LIMITS.typingMs) return false;
  if (typedAt.size >= MAX_KNOWN) typedAt.clear();
  typedAt.set(key, now);
  return true;
}

const words = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};

/** Does what a notice says as the speaker's own act. */
async function act(
  ctx: Context,
  notice: ImProviderNotice,
  speaker: { member: string; staffId: number | null },
): Promise<void> {
  const groupId = Number(notice.groupId);
  if (notice.kind === 'typing') {
    if (isTypingNews(speaker.member, groupId)) await tellTyping(ctx, speaker.member, groupId);
    return;
  }
  const { uid, text } = notice;
  await sendMessage(ctx, speaker, { groupId, clientMsgId: `rc-${uid}`, messageType: 'text', content: text });
}

/**
 * Where the carrier reports what people write on its own clients, and that they type (conventions.md). Only a signed report is read, and
 * what it says is stored as the sender's own message: with their membership, budget and masking, once for each of the carrier's numbers.
 */
export function bindCallback({ ctx, http }: Binding): void {
  const { imProvider: carrier } = ctx;
  if (!carrier) return;
  http.post('/api/im/callback', { bodyLimit: CALLBACK_BYTES }, async (request, reply) => {
    const notice = carrier.readNotice(words(request.query), words(request.body));
    if (notice === undefined) {
      ctx.log.warn({ carrier: carrier.name }, 'chat callback refused: not genuine');
      return await reply.code(401).send({ code: 401 });
    }
    const speaker = notice && (await speakerOf(ctx, notice));
    if (notice && speaker) {
      try {
        await act(ctx, notice, speaker);
      } catch (error) {
        // Said again it would be refused again: an outsider, a closed group, an empty text.
        const refused = asAppError(error);
        if (!refused) throw error;
        ctx.log.info({ code: refused.code, groupId: notice.groupId }, 'a carried message was refused');
      }
    }
    return await reply.code(200).send({ code: 200 });
  });
}
