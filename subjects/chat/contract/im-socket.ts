import { z } from 'zod';
import '#contract/chinese.ts';
import type { ChatMessage } from './im.ts';

export { closeCodes } from '../rules/chat.ts';

const groupId = z.string().regex(/^\d{1,15}$/);
const clientMsgId = z.string().regex(/^[\w-]{1,64}$/);
const seq = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * What a client sends on `/ws/im?token=…`: one JSON object per text frame of at most 16 kB. Unknown fields are dropped,
 * so a client can never set `expansion`.
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

/**
 * What the server sends. A message may arrive more than once and out of order; its `seq` within the group identifies
 * it.
 */
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
  /** `more`: the response was truncated; request again from the last number. */
  | { op: 'synced'; groupId: string; list: ChatMessage[]; more: boolean; lastSeq: number }
  | { op: 'typing'; groupId: string; imUid: string }
  | { op: 'read'; groupId: string; imUid: string; seq: number }
  /** The members of the group, or whether it is open, have changed. */
  | { op: 'group'; groupId: string /** The recipient is no longer a member. */; left?: boolean }
  /** A new notice has arrived. */
  | { op: 'notice' }
  | { op: 'pong' }
  | {
      op: 'error';
      code: number;
      msg: string;
      /** The rejected request, where the frame named it. */
      ref?: { op: string; groupId?: string; clientMsgId?: string };
      retryAfterMs?: number;
    };
