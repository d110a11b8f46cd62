import { sql } from 'kysely';
import type { Logger } from 'pino';
import {
  maskedText,
  type Word,
  wordFinder,
  type WordFinder,
  type WordHit,
} from '#subjects/back-office/rules/blocked-words.ts';
import type { Db } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Bus } from '#server/ports/bus.ts';
import { openReloaded } from '#server/directory/reloaded.ts';

const FLUSH_MS = 2000;

/** Blocked words in memory; reloaded when the bus reports a change (docs/OPERATIONS.md). */
export interface WordFilter {
  /**
   * A text with masked words replaced; `flagged` are the words to be shown to a reviewer, which stay in the text only if
   * `isReviewed`. Throws BAD_INPUT with `field` for a rejected word. Counts the hits.
   */
  clean(
    text: string,
    at: { label: string; field?: string | undefined; isReviewed?: boolean },
  ): { text: string; flagged: string[] };
  /** The words in a text; counts nothing. */
  find(text: string): WordHit[];
  reload(): Promise<void>;
  /** Writes the counted hits. Never throws: a lost count must not fail a message. */
  flush(): Promise<void>;
  /** Stops following the database and stores the counts. */
  close(): Promise<void>;
}

async function load(db: Db): Promise<WordFinder> {
  const { rows } = await sql<Word>`
    select id, plain, level from blocked_word where ended_at is null order by id`.execute(db);
  return wordFinder(rows);
}

/** Loads the words and reloads them on the bus channel `words`, and when messages on it may have been lost. */
export async function openWordFilter(ctx: { db: Db; bus: Bus; log: Logger }): Promise<WordFilter> {
  const reloaded = await openReloaded(ctx, { channel: 'words', what: 'blocked words', load: () => load(ctx.db) });
  const find = (text: string): WordHit[] => reloaded.current()(text);
  let hits = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const pending = hits;
    hits = new Map();
    if (pending.size === 0) return;
    await sql`update blocked_word w set hits = w.hits + h.n, last_hit_at = now()
      from unnest(${[...pending.keys()]}::bigint[], ${[...pending.values()]}::int[]) as h(id, n) where w.id = h.id`
      .execute(ctx.db)
      .catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'hits of blocked words not counted'));
  };
  return {
    find,
    clean(text, { label, field, isReviewed = false }) {
      const found = find(text);
      if (found.length === 0) return { text, flagged: [] };
      for (const { id } of found) hits.set(id, (hits.get(id) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
      if (found.some(({ level }) => level === 'refuse'))
        throw new AppError('BAD_INPUT', {
          text: `${label}含有禁用词语，请修改后再试`,
          ...(field !== undefined && { field }),
        });
      const flagged = found.filter(({ level }) => level === 'review').map(({ from, to }) => text.slice(from, to));
      return { text: maskedText(text, found, isReviewed ? ['mask'] : ['mask', 'review']), flagged };
    },
    reload: () => reloaded.reload(),
    flush,
    async close() {
      await reloaded.close();
      await flush();
    },
  };
}
