import type { RawData, WebSocket } from 'ws';
import {
  clientWsFrame,
  closeCodes,
  type ParsedWsFrame,
  type ServerWsFrame,
} from '#subjects/chat/contract/im-socket.ts';
import type { Context } from '#server/context.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { viewerOfMember, withAddresses } from '#server/access/picture-address.ts';
import { type Receiver, textOf } from './delivery.ts';
import { readUpTo, recallMessage, sendMessage, loadMessagesAfter, publishTyping } from '../messages/messages.ts';
import { LIMITS } from '../rules.ts';
import type { Admission } from '../transport/tickets.ts';

/** Runs work within a concurrency limit shared by all connections, so that many of them cannot exhaust the database. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

type Ref = { op: string; groupId?: string; clientMsgId?: string };

/** A held message that is not retried within this time is discarded. */
const HOLD_TIMEOUT_MS = 5000;
/** Retry delay for messages behind a held one. */
const HELD_RETRY_MS = 500;

/** Close code that tells the client to reconnect immediately (RFC 6455, registry of close codes). */
const TRY_AGAIN = 1013;

/**
 * One connection. Its frames are handled sequentially, so that a sender's messages keep their order; the buffer of unread data is
 * bounded.
 */
export class Peer implements Receiver {
  readonly member: string;
  readonly sessionHash: Buffer;
  readonly #ctx: Context;
  readonly #ws: WebSocket;
  readonly #staffId: number | null;
  readonly #gate: Gate;
  readonly #queue: ParsedWsFrame[] = [];
  #busy = false;
  #mayWrite: boolean;
  /** Messages sent after a rate-limited one must not overtake it: they are rejected until that one is retried. */
  #held: { groupId: string; clientMsgId: string; until: number } | undefined;
  #typedAt = -Infinity;
  #windowFrom = 0;
  #framesInWindow = 0;
  #heardAt: number;
  #pingedAt = -Infinity;

  constructor(ctx: Context, ws: WebSocket, who: Admission, gate: Gate) {
    this.#ctx = ctx;
    this.#heardAt = ctx.monotonicMs();
    this.#ws = ws;
    this.#gate = gate;
    this.member = who.member;
    this.#staffId = who.staffId;
    this.#mayWrite = who.mayWrite;
    this.sessionHash = who.sessionHash;
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('pong', () => {
      this.#heardAt = this.#ctx.monotonicMs();
    });
  }

  set mayWrite(value: boolean) {
    this.#mayWrite = value;
  }

  send(frame: ServerWsFrame): void {
    this.sendText(textOf(frame));
  }

  /** Sends text; closes the connection of a client that reads too slowly. */
  sendText(text: string): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    this.#ws.send(text);
    if (this.#ws.bufferedAmount <= LIMITS.unreadBytes) return;
    this.#ctx.log.info({ member: this.member, bytes: this.#ws.bufferedAmount }, 'slow chat reader cut off');
    this.#ws.terminate();
  }

  /** Closes the connection so that the client reconnects and syncs. */
  resync(): void {
    this.close(TRY_AGAIN);
  }

  close(code: number): void {
    this.#queue.length = 0;
    this.#ws.close(code);
  }

  /** Pings a connection that is silent for one interval (ms), once in each, and closes one that is silent for `deadMs`. */
  probe(intervalMs: number, deadMs: number): void {
    const now = this.#ctx.monotonicMs();
    if (now - this.#heardAt > deadMs) this.#ws.terminate();
    else if (now - Math.max(this.#heardAt, this.#pingedAt) >= intervalMs) {
      this.#pingedAt = now;
      this.#ws.ping();
    }
  }

  terminate(): void {
    this.#ws.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    const now = this.#ctx.monotonicMs();
    this.#heardAt = now;
    if (now - this.#windowFrom > LIMITS.windowSeconds * 1000) {
      this.#windowFrom = now;
      this.#framesInWindow = 0;
    }
    if (++this.#framesInWindow > LIMITS.framesPerWindow) return this.close(closeCodes.slow);
    if (isBinary) return this.close(1003);
    const frame = parse(data);
    if (!frame.ok) return this.#refuse(new AppError('BAD_REQUEST'), frame.ref);
    if (frame.value.op === 'ping') return this.send({ op: 'pong' });
    if (this.#queue.length >= LIMITS.framesWaiting) return this.close(closeCodes.slow);
    this.#queue.push(frame.value);
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let frame = this.#queue.shift(); frame; frame = this.#queue.shift()) {
      const next = frame;
      try {
        // Text messages go through the batcher, which has its own limit.
        await (next.op === 'send' && next.messageType === 'text'
          ? this.#handle(next)
          : this.#gate(() => this.#handle(next)));
      } catch (error) {
        this.#failed(error, next);
      }
    }
    this.#busy = false;
  }

  /** Reports an AppError to the client. After an internal error the connection is closed, since later frames must not overtake the failed one. */
  #failed(error: unknown, frame: ParsedWsFrame): void {
    const appError = asAppError(error);
    if (!appError || appError.error === 'BUSY') {
      if (!appError) this.#ctx.log.error({ err: error, op: frame.op }, 'fault in the chat');
      return this.resync();
    }
    if (appError.error === 'RATE_LIMITED' && frame.op === 'send') {
      const until = this.#ctx.monotonicMs() + (appError.retryAfterSeconds ?? 1) * 1000;
      this.#held = { groupId: frame.groupId, clientMsgId: frame.clientMsgId, until };
    }
    this.#refuse(appError, refOf(frame));
  }

  #refuse(error: AppError, ref: Ref | undefined): void {
    const { code, text: msg, retryAfterSeconds: wait } = error;
    this.send({
      op: 'error',
      code,
      msg,
      ...(ref && { ref }),
      ...(wait !== undefined && { retryAfterMs: wait * 1000 }),
    });
  }

  async #handle(frame: ParsedWsFrame): Promise<void> {
    const { op } = frame;
    if (op === 'ping') return;
    const groupId = Number(frame.groupId);
    if (op === 'sync') {
      const part = await loadMessagesAfter(this.#ctx, this.member, groupId, frame.after);
      const shown = withAddresses(this.#ctx.keys, viewerOfMember(this.member), part);
      return this.send({ op: 'synced', groupId: frame.groupId, ...shown });
    }
    if (op === 'read') return void (await readUpTo(this.#ctx, this.member, groupId, frame.seq));
    if (!this.#mayWrite) throw new AppError('USER_BANNED');
    if (op === 'typing') return await this.#typing(groupId);
    const speaker = { member: this.member, staffId: this.#staffId };
    if (op === 'recall') return void (await recallMessage(this.#ctx, speaker, groupId, frame.seq));
    const heldMs = this.#heldMs(frame);
    if (heldMs > 0) {
      const text = '发送过于频繁，请稍后再试';
      const retryAfterSeconds = Math.ceil(heldMs / 1000);
      return this.#refuse(new AppError('RATE_LIMITED', { text, retryAfterSeconds }), refOf(frame));
    }
    const { clientMsgId, messageType, content, imageKey } = frame;
    const receipt = await sendMessage(this.#ctx, speaker, { groupId, clientMsgId, messageType, content, imageKey });
    this.send({ op: 'ack', clientMsgId, groupId: frame.groupId, ...receipt });
  }

  /** Milliseconds that a message must still wait behind a held one, which blocks for HOLD_TIMEOUT_MS at most. */
  #heldMs({ groupId, clientMsgId }: { groupId: string; clientMsgId: string }): number {
    const held = this.#held;
    if (!held) return 0;
    const now = this.#ctx.monotonicMs();
    if (now < held.until) return held.until - now;
    const isBehind = groupId === held.groupId && clientMsgId !== held.clientMsgId;
    if (isBehind && now < held.until + HOLD_TIMEOUT_MS) return HELD_RETRY_MS;
    if (groupId === held.groupId) this.#held = undefined;
    return 0;
  }

  async #typing(groupId: number): Promise<void> {
    const now = this.#ctx.monotonicMs();
    if (now - this.#typedAt < LIMITS.typingMs) return;
    this.#typedAt = now;
    await publishTyping(this.#ctx, this.member, groupId);
  }
}

function refOf(frame: ParsedWsFrame): Ref {
  if (frame.op === 'ping') return { op: frame.op };
  const { op, groupId } = frame;
  return frame.op === 'send' ? { op, groupId, clientMsgId: frame.clientMsgId } : { op, groupId };
}

/** The frame; or the reference of an invalid frame, so that the error can name it. */
function parse(data: RawData): { ok: true; value: ParsedWsFrame } | { ok: false; ref: Ref | undefined } {
  let json: unknown;
  try {
    // Text frames come as one buffer (binaryType 'nodebuffer').
    json = JSON.parse((data as Buffer).toString('utf8'));
  } catch {
    return { ok: false, ref: undefined };
  }
  const parsed = clientWsFrame.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const { op, groupId, clientMsgId } = (json ?? {}) as Record<string, unknown>;
  if (typeof op !== 'string') return { ok: false, ref: undefined };
  const short = (value: unknown): value is string => typeof value === 'string' && value.length <= 64;
  return {
    ok: false,
    ref: {
      op: op.slice(0, 20),
      ...(short(groupId) && { groupId }),
      ...(short(clientMsgId) && { clientMsgId }),
    },
  };
}
