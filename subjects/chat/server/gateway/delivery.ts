import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { viewerOfMember, withAddresses } from '#server/access/picture-address.ts';
import type { Context } from '#server/context.ts';
import type { ChatEvent } from '../transport/events.ts';
import { takeRecent } from '../transport/recent-messages.ts';
import { type MessageRow, messagesAt } from '../queries.ts';
import { messageOf } from '../transport/wire.ts';

/** The part of a connection used for delivery. */
export interface Receiver {
  sendText(text: string): void;
  resync(): void;
}

const BATCH = 200;
const TRIES = 3;
const RETRY_MS = 150;

/**
 * Delivers events to the connections of this gateway. Messages that another process stored are read from the database. Batches run one
 * at a time, so that the messages of a group keep their order. A batch that cannot be read closes the connections concerned, which
 * recover by their next sync.
 */
export class Delivery {
  readonly #ctx: Context;
  readonly #of: (member: string) => ReadonlySet<Receiver> | undefined;
  #pending = new Map<string, { groupId: number; seq: number; to: string[] }>();
  #running = false;

  constructor(ctx: Context, of: (member: string) => ReadonlySet<Receiver> | undefined) {
    this.#ctx = ctx;
    this.#of = of;
  }

  /** Accepts an event of the bus; drops it when no member concerned is connected here. */
  take(event: ChatEvent): void {
    const to = event.to.filter((member) => this.#of(member));
    if (to.length === 0) return;
    if (event.kind === 'msg') {
      const { groupId, seq } = event;
      this.#pending.set(`${groupId}:${seq}`, { groupId, seq, to });
      if (!this.#running) void this.#run();
      return;
    }
    const from = 'from' in event ? event.from : undefined;
    for (const member of to) {
      if (event.kind === 'typing' && member === from) continue;
      this.#send(member, frameOf(event, member));
    }
  }

  #send(member: string, text: string): void {
    for (const receiver of this.#of(member) ?? []) receiver.sendText(text);
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Messages of the same turn of the event loop are read together.
    await Promise.resolve();
    while (this.#pending.size > 0) {
      const batch = [...this.#pending.values()].slice(0, BATCH);
      for (const { groupId, seq } of batch) this.#pending.delete(`${groupId}:${seq}`);
      await this.#bring(batch);
    }
    this.#running = false;
  }

  async #bring(batch: readonly { groupId: number; seq: number; to: string[] }[]): Promise<void> {
    const rows = await this.#read(batch);
    if (!rows) {
      for (const { to } of batch) for (const member of to) for (const r of this.#of(member) ?? []) r.resync();
      return;
    }
    const wanted = new Map(batch.map((b) => [`${b.groupId}:${b.seq}`, b.to]));
    for (const row of rows) {
      let forOthers: string | undefined;
      for (const member of wanted.get(`${row.groupId}:${row.seq}`) ?? []) {
        // The URL of a picture is valid only for its reader.
        const own = member === row.sender || row.type === 'image';
        const text = (own ? undefined : forOthers) ?? this.#messageText(row, member);
        if (!own) forOthers = text;
        this.#send(member, text);
      }
    }
  }

  #messageText(row: MessageRow, member: string): string {
    const message = messageOf(row, member);
    return textOf({ op: 'msg', ...withAddresses(this.#ctx.keys, viewerOfMember(member), message) });
  }

  /**
   * The messages by group and number: from memory if this process stored them, else from the database. Undefined on
   * failure.
   */
  async #read(at: readonly { groupId: number; seq: number }[]): Promise<MessageRow[] | undefined> {
    const own = at.flatMap((one) => takeRecent(this.#ctx, one) ?? []);
    const rest = at.filter((one) => !own.some((row) => row.groupId === one.groupId && row.seq === one.seq));
    if (rest.length === 0) return own.toSorted(byNumber);
    for (let tried = 1; ; tried++) {
      try {
        return [...own, ...(await messagesAt(this.#ctx.db, rest))].toSorted(byNumber);
      } catch (error) {
        if (tried === TRIES) {
          this.#ctx.log.warn({ error: String(error) }, 'messages not delivered; their connections start again');
          return undefined;
        }
        await sleep(RETRY_MS);
      }
    }
  }
}

const byNumber = (a: MessageRow, b: MessageRow): number => a.groupId - b.groupId || a.seq - b.seq;

/** A frame as text. */
export const textOf = (frame: ServerWsFrame): string => JSON.stringify(frame);

function frameOf(event: Exclude<ChatEvent, { kind: 'msg' }>, member: string): string {
  if (event.kind === 'notice') return textOf({ op: 'notice' });
  const groupId = String(event.groupId);
  if (event.kind === 'typing') return textOf({ op: 'typing', groupId, imUid: event.from });
  if (event.kind === 'read') return textOf({ op: 'read', groupId, imUid: event.from, seq: event.seq });
  return textOf({ op: 'group', groupId, ...(event.left.includes(member) && { left: true }) });
}
