import { asAppError } from '#server/kernel/errors.ts';
import type { Binding } from '#server/slices.ts';
import { speakerOf } from './carry.ts';
import { sendMessage } from './messages.ts';

const CALLBACK_BYTES = 256 * 1024;

const words = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};

/**
 * Where the carrier reports what people wrote on its own clients (conventions.md). Only a signed report is read, and what it says is
 * stored as the sender's own message: with their membership, budget and masking, once for each of the carrier's numbers.
 */
export function bindCallback({ ctx, http }: Binding): void {
  const { carrier } = ctx;
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
        await sendMessage(ctx, speaker, {
          groupId: Number(notice.groupId),
          clientMsgId: `rc-${notice.uid}`,
          messageType: 'text',
          content: notice.text,
        });
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
