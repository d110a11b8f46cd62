import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';

/** Lists of the back office are counted up to here (conventions.md, lists). */
const COUNTED = 1000;
const PAGE_SIZE = 30;

interface Asked {
  pages?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
}

/** The part of a list by falling (or rising) id that was asked for: SQL behind the filter, and what makes an answer of its rows. */
export function pageOf(asked: Asked, id: RawBuilder<unknown>, order: 'desc' | 'asc' = 'desc') {
  const size = asked.pageSize ?? PAGE_SIZE;
  const from = decodeId(asked.cursor);
  const offset = from === undefined ? ((asked.pages ?? 1) - 1) * size : 0;
  const behind = from === undefined ? sql`` : order === 'desc' ? sql`and ${id} < ${from}` : sql`and ${id} > ${from}`;
  return {
    behind,
    tail: sql`order by ${id} ${sql.raw(order)} limit ${size + 1} offset ${offset}`,
    /** The rows of this page, and the cursor of the next one. */
    cut<R extends { id: number }>(rows: readonly R[]): { rows: R[]; next: string | null } {
      const shown = rows.slice(0, size);
      const last = shown.at(-1);
      return { rows: shown, next: rows.length > size && last ? encodeCursor([last.id]) : null };
    },
  };
}

/** Rows of a query, exact to the limit of lists; `from` is all behind the word from. */
export async function countOf(db: Trx, from: RawBuilder<unknown>): Promise<{ total: number; more: boolean }> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from ${from} limit ${COUNTED + 1}) c`.execute(db);
  const n = rows[0]?.n ?? 0;
  return { total: Math.min(n, COUNTED), more: n > COUNTED };
}

/** A search word with the signs of LIKE taken literally. */
export const likeWord = (word: string): string => `%${word.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
