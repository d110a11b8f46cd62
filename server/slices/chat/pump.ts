import type { Context } from '#server/context.ts';
import type { DedicatedConnection } from '#server/db/client.ts';
import { type NewMessage, storeMessages, type Verdict } from './queries.ts';

/** Commits under way at once: while one waits for the disk the next one gathers what comes. */
const IN_FLIGHT = 3;
const BATCH = 64;

interface Waiting {
  message: NewMessage;
  done(verdict: Verdict): void;
  failed(error: unknown): void;
}

/**
 * Stores what people say: what comes while commits are under way goes into the next one together. Messages of a group leave in the order
 * in which they came, and those of a group or a sender never in two commits at once, which would only wait for each other.
 */
class Pump {
  /** The connections that have nothing to do. */
  readonly #free: DedicatedConnection[];
  #waiting: Waiting[] = [];
  /** Groups and senders of the commits under way. */
  readonly #taken = new Set<string>();
  #starting = false;

  constructor(ctx: Context) {
    this.#free = Array.from({ length: IN_FLIGHT }, () => ctx.line());
  }

  store(message: NewMessage): Promise<Verdict> {
    return new Promise((done, failed) => {
      this.#waiting.push({ message, done, failed });
      if (this.#starting) return;
      this.#starting = true;
      // What other connections have brought in the same turn of the loop goes with it.
      setImmediate(() => {
        this.#starting = false;
        this.#start();
      });
    });
  }

  #start(): void {
    if (this.#waiting.length === 0) return;
    const line = this.#free.pop();
    if (!line) return;
    const batch = this.#take();
    if (batch.length === 0) {
      this.#free.push(line);
      return;
    }
    void write(line, batch).finally(() => {
      this.#free.push(line);
      for (const { message } of batch) for (const key of keysOf(message)) this.#taken.delete(key);
      this.#start();
    });
  }

  /** What may be stored now: of each sender one message, of each group those from its first on that nothing holds back. */
  #take(): Waiting[] {
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    const barred = new Set(this.#taken);
    for (const one of this.#waiting) {
      const [group, sender] = keysOf(one.message);
      if (batch.length < BATCH && !barred.has(group) && !barred.has(sender)) {
        batch.push(one);
        this.#taken.add(group).add(sender);
        barred.add(sender);
        continue;
      }
      barred.add(group);
      rest.push(one);
    }
    this.#waiting = rest;
    return batch;
  }
}

async function write(line: DedicatedConnection, batch: readonly Waiting[]): Promise<void> {
  try {
    const verdicts = await storeMessages(
      (text, values) => line.query(text, values),
      batch.map(({ message }) => message),
    );
    for (const [i, verdict] of verdicts.entries()) batch[i]?.done(verdict);
  } catch (error) {
    const [only] = batch;
    if (batch.length === 1) only?.failed(error);
    // One of them may be what the database cannot take: each alone, so that it fails alone.
    else for (const one of batch) await write(line, [one]);
  }
}

const keysOf = ({ groupId, sender }: NewMessage): [group: string, sender: string] => [`g${groupId}`, `s${sender}`];

const byContext = new WeakMap<Context, Pump>();

/** Stores one message by this process's pump; answers after the commit. Throws what the database throws. */
export async function pumped(ctx: Context, message: NewMessage): Promise<Verdict> {
  const pump = byContext.get(ctx) ?? new Pump(ctx);
  byContext.set(ctx, pump);
  return await pump.store(message);
}
