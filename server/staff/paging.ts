import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';

/** Counts of back office lists are exact up to this number (conventions.md, lists). */
export const COUNTED = 1000;
const PAGE_SIZE = 30;

interface PageInput {
  pages?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
}

/** Paging of a list by descending (or ascending) id: SQL to append to the filter, and a function that cuts the rows to a page. */
export function pageOf(input: PageInput, id: RawBuilder<unknown>, order: 'desc' | 'asc' = 'desc') {
  const size = input.pageSize ?? PAGE_SIZE;
  const from = decodeId(input.cursor);
  const offset = from === undefined ? ((input.pages ?? 1) - 1) * size : 0;
  const behind = from === undefined ? sql`` : order === 'desc' ? sql`and ${id} < ${from}` : sql`and ${id} > ${from}`;
  return {
    behind,
    tail: sql`order by ${id} ${sql.raw(order)} limit ${size + 1} offset ${offset}`,
    /** The rows of the page, and the cursor of the next one. */
    cut<R extends { id: number }>(rows: readonly R[]): { rows: R[]; next: string | null } {
      const page = rows.slice(0, size);
      const last = page.at(-1);
      return { rows: page, next: rows.length > size && last ? encodeCursor([last.id]) : null };
    },
  };
}

/** The number of rows of a query, exact up to COUNTED; `from` is the SQL after the keyword `from`. */
export async function loadCount(db: Trx, from: RawBuilder<unknown>): Promise<{ total: number; totalCapped: boolean }> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from ${from} limit ${COUNTED + 1}) c`.execute(db);
  const n = rows[0]?.n ?? 0;
  return { total: Math.min(n, COUNTED), totalCapped: n > COUNTED };
}

/** Escapes a keyword for use in a LIKE pattern. */
export const escaped = (keyword: string): string => keyword.replace(/[\\%_]/g, (c) => `\\${c}`);

/** A LIKE pattern for texts that contain the keyword; its wildcards are escaped. */
export const likePattern = (keyword: string): string => `%${escaped(keyword)}%`;
