import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { networkOf } from '#server/kernel/network.ts';

/** An address counts once for a text within this time. */
const AGAIN_MS = 10 * 60_000;
const FLUSH_MS = 2000;
const MAX_RECENT = 50_000;

type Table = 'news' | 'event_case';

/** Counts readers in memory and writes the sums every two seconds; what a killed process had not written nobody misses. */
export class Readers {
  readonly #ctx: Pick<Context, 'db' | 'log'>;
  #recent = new Map<string, number>();
  #waiting = new Map<string, { table: Table; id: number; n: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Pick<Context, 'db' | 'log'>) {
    this.#ctx = ctx;
  }

  note(table: Table, id: number, address: string): void {
    const now = Date.now();
    const who = `${networkOf(address)}:${table}:${id}`;
    if ((this.#recent.get(who) ?? 0) + AGAIN_MS > now) return;
    if (this.#recent.size >= MAX_RECENT) this.#recent = new Map([...this.#recent].slice(MAX_RECENT / 2));
    this.#recent.set(who, now);
    const key = `${table}:${id}`;
    this.#waiting.set(key, { table, id, n: (this.#waiting.get(key)?.n ?? 0) + 1 });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes what waits. Never throws: a reader is not worth a failed page. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (const { table, id, n } of waiting)
      await sql`update ${sql.table(table)} set views = views + ${n} where id = ${id}`
        .execute(this.#ctx.db)
        .catch((error: unknown) => this.#ctx.log.warn({ error: String(error) }, 'readers not counted'));
  }
}
