import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { DedicatedConnection } from '#server/db/client.ts';
import { type NewMessage, storeMessages, type StoreOutcome } from '../queries.ts';

/** Concurrent commits: while one waits for the disk, the next batch collects. */
const IN_FLIGHT = 3;
const BATCH = 64;

interface PendingMessage {
  message: NewMessage;
  done(outcome: StoreOutcome): void;
  failed(error: unknown): void;
}

/**
 * Stores messages in batches: those that arrive during a commit go into the next one together. Messages of a group keep their order, and
 * those of one group or sender are never in two concurrent commits, which would only block each other.
 */
class MessageBatcher {
  /** Idle connections. */
  readonly #free: DedicatedConnection[];
  #pending: PendingMessage[] = [];
  /** Groups and senders of the running commits. */
  readonly #busy = new Set<string>();
  #starting = false;

  constructor(ctx: Context) {
    this.#free = Array.from({ length: IN_FLIGHT }, () => ctx.openDedicatedConnection());
  }

  store(message: NewMessage): Promise<StoreOutcome> {
    return new Promise((done, failed) => {
      this.#pending.push({ message, done, failed });
      if (this.#starting) return;
      this.#starting = true;
      // Messages that arrive in the same turn of the event loop join the batch.
      setImmediate(() => {
        this.#starting = false;
        this.#start();
      });
    });
  }

  #start(): void {
    if (this.#pending.length === 0) return;
    const connection = this.#free.pop();
    if (!connection) return;
    const batch = this.#nextBatch();
    if (batch.length === 0) {
      this.#free.push(connection);
      return;
    }
    void write(connection, batch).finally(() => {
      this.#free.push(connection);
      for (const { message } of batch) for (const key of keysOf(message)) this.#busy.delete(key);
      this.#start();
    });
  }

  /** The messages that can be stored now: one per sender, and per group the first ones that are not blocked. */
  #nextBatch(): PendingMessage[] {
    const batch: PendingMessage[] = [];
    const rest: PendingMessage[] = [];
    const barred = new Set(this.#busy);
    for (const one of this.#pending) {
      const [group, sender] = keysOf(one.message);
      if (batch.length < BATCH && !barred.has(group) && !barred.has(sender)) {
        batch.push(one);
        this.#busy.add(group).add(sender);
        barred.add(sender);
        continue;
      }
      barred.add(group);
      rest.push(one);
    }
    this.#pending = rest;
    return batch;
  }
}

async function write(connection: DedicatedConnection, batch: readonly PendingMessage[]): Promise<void> {
  try {
    const outcomes = await storeMessages(
      (text, values) => connection.query(text, values),
      batch.map(({ message }) => message),
    );
    for (const [i, outcome] of outcomes.entries()) batch[i]?.done(outcome);
  } catch (error) {
    const [only] = batch;
    if (batch.length === 1) only?.failed(error);
    // One message may be invalid for the database: each is stored alone, so that only that one fails.
    else for (const one of batch) await write(connection, [one]);
  }
}

const keysOf = ({ groupId, sender }: NewMessage): [group: string, sender: string] => [`g${groupId}`, `s${sender}`];

const messageBatcher = cacheKind('chat.batcher', (ctx: Context) => new MessageBatcher(ctx));

/** Stores one message by this process's batcher; resolves after the commit. Passes on database errors. */
export async function storeBatched(ctx: Context, message: NewMessage): Promise<StoreOutcome> {
  return await cacheOf(ctx, messageBatcher).store(message);
}
