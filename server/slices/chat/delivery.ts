import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerWsFrame } from '#contract/im-socket.ts';
import type { Context } from '#server/context.ts';
import type { ChatEvent } from './bus.ts';
import { takeFresh } from './fresh.ts';
import { type MessageRow, messagesAt } from './queries.ts';
import { messageOf } from './wire.ts';

/** Whoever is connected here: what the delivery needs of a connection. */
export interface Receiver {
  sendText(text: string): void;
  resync(): void;
}

const BATCH = 200;
const TRIES = 3;
const RETRY_MS = 150;

/**
 * Brings news to the connections of this gateway. Messages that another process stored are read from the database. It goes by
 * batches, one at a time, so that a group's messages leave in its order; a batch that cannot be read ends the connections that
 * should have had it, and their next sync brings what they missed.
 */
export class Delivery {
  readonly #ctx: Context;
  readonly #of: (member: string) => ReadonlySet<Receiver> | undefined;
  #waiting = new Map<string, { groupId: number; seq: number; to: string[] }>();
  #running = false;

  constructor(ctx: Context, of: (member: string) => ReadonlySet<Receiver> | undefined) {
    this.#ctx = ctx;
    this.#of = of;
  }

  /** Takes news from the bus; those of nobody here are dropped. */
  take(news: ChatEvent): void {
    const to = news.to.filter((member) => this.#of(member));
    if (to.length === 0) return;
    if (news.kind === 'msg') {
      const { groupId, seq } = news;
      this.#waiting.set(`${groupId}:${seq}`, { groupId, seq, to });
      if (!this.#running) void this.#run();
      return;
    }
    const from = 'from' in news ? news.from : undefined;
    for (const member of to) {
      if (news.kind === 'typing' && member === from) continue;
      this.#send(member, frameOf(news, member));
    }
  }

  #send(member: string, text: string): void {
    for (const receiver of this.#of(member) ?? []) receiver.sendText(text);
  }

  async #run(): Promise<void> {
    this.#running = true;
    // What is said in the same turn of the loop is read together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, BATCH);
      for (const { groupId, seq } of batch) this.#waiting.delete(`${groupId}:${seq}`);
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
        const own = member === row.sender;
        const text = (own ? undefined : forOthers) ?? textOf({ op: 'msg', ...messageOf(row, member) });
        if (!own) forOthers = text;
        this.#send(member, text);
      }
    }
  }

  /** The messages by group and number: what this process stored is at hand, the rest is read. Undefined when that fails. */
  async #read(at: readonly { groupId: number; seq: number }[]): Promise<MessageRow[] | undefined> {
    const own = at.flatMap((one) => takeFresh(this.#ctx, one) ?? []);
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

/** A frame as it leaves. */
export const textOf = (frame: ServerWsFrame): string => JSON.stringify(frame);

function frameOf(news: Exclude<ChatEvent, { kind: 'msg' }>, member: string): string {
  if (news.kind === 'notice') return textOf({ op: 'notice' });
  const groupId = String(news.groupId);
  if (news.kind === 'typing') return textOf({ op: 'typing', groupId, imUid: news.from });
  if (news.kind === 'read') return textOf({ op: 'read', groupId, imUid: news.from, seq: news.seq });
  return textOf({ op: 'group', groupId, ...(news.gone.includes(member) && { left: true }) });
}
