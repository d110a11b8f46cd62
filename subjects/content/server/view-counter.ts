import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { networkOf } from '#server/kernel/network.ts';

/** A network counts once for an article within this time. */
const AGAIN_MS = 10 * 60_000;
const FLUSH_MS = 2000;
const MAX_RECENT = 50_000;

type Table = 'news' | 'event_case';

/** Counts views in memory and writes the sums every two seconds. Counts that a killed process had not written are lost, which is acceptable. */
export class ViewCounter {
  readonly #ctx: Pick<Context, 'db' | 'log'>;
  #recent = new Map<string, number>();
  #pending = new Map<string, { table: Table; id: number; n: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Pick<Context, 'db' | 'log'>) {
    this.#ctx = ctx;
  }

  count(table: Table, id: number, address: string): void {
    const now = Date.now();
    const visitor = `${networkOf(address)}:${table}:${id}`;
    if ((this.#recent.get(visitor) ?? 0) + AGAIN_MS > now) return;
    if (this.#recent.size >= MAX_RECENT) this.#recent = new Map([...this.#recent].slice(MAX_RECENT / 2));
    this.#recent.set(visitor, now);
    const key = `${table}:${id}`;
    this.#pending.set(key, { table, id, n: (this.#pending.get(key)?.n ?? 0) + 1 });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the pending counts. Never throws: a lost count must not fail a page. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    for (const { table, id, n } of pending)
      await sql`update ${sql.table(table)} set views = views + ${n} where id = ${id}`
        .execute(this.#ctx.db)
        .catch((error: unknown) => this.#ctx.log.warn({ error: String(error) }, 'readers not counted'));
  }
}
