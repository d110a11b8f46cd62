import { z } from 'zod';
import type { ChatMessage } from './im.ts';

export { closeCodes } from './rules/chat.ts';

const groupId = z.string().regex(/^\d{1,15}$/);
const clientMsgId = z.string().regex(/^[\w-]{1,64}$/);
const seq = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * What a client says on `/ws/im?token=…`, one JSON object per text frame of at most 16 kB. Unknown fields are dropped; an
 * `expansion` above all is never the client's to set.
 */
export const clientWsFrame = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('send'),
    groupId,
    clientMsgId,
    messageType: z.enum(['text', 'image']).default('text'),
    content: z.string().default(''),
    imageKey: z.string().max(80).optional(),
  }),
  z.object({ op: z.literal('sync'), groupId, after: seq }),
  z.object({ op: z.literal('read'), groupId, seq }),
  z.object({ op: z.literal('recall'), groupId, seq }),
  z.object({ op: z.literal('typing'), groupId }),
  z.object({ op: z.literal('ping') }),
]);
export type ClientWsFrame = z.input<typeof clientWsFrame>;
export type ParsedWsFrame = z.output<typeof clientWsFrame>;

/** What the server says. A message may come more than once and out of order: `seq` of its group tells. */
export type ServerWsFrame =
  | { op: 'hello'; imUid: string; nonce: string; heartbeatMs: number }
  | {
      op: 'ack';
      clientMsgId: string;
      groupId: string;
      seq: number;
      messageUId: string;
      sentTime: number;
      masked: boolean;
    }
  | ({ op: 'msg' } & ChatMessage)
  /** `more`: the answer was cut; ask again from the last number. */
  | { op: 'synced'; groupId: string; list: ChatMessage[]; more: boolean; lastSeq: number }
  | { op: 'typing'; groupId: string; imUid: string }
  | { op: 'read'; groupId: string; imUid: string; seq: number }
  /** Who is in the group, or whether it is open, has changed. */
  | { op: 'group'; groupId: string /** The hearer is no longer in it. */; left?: boolean }
  /** Something new stands under the bell. */
  | { op: 'notice' }
  | { op: 'pong' }
  | {
      op: 'error';
      code: number;
      msg: string;
      /** What was refused, where the frame said so. */
      ref?: { op: string; groupId?: string; clientMsgId?: string };
      retryAfterMs?: number;
    };
