/** SQL of declared lists (contract/lists): cursor, page size, sort order, count and sums. */
import { type RawBuilder, sql } from 'kysely';
import type { SortOrder } from '#contract/lists/kit.ts';
import type { TimeRange } from '#contract/rules/time/date-range.ts';
import type { Trx } from '#server/db/client.ts';
import { decodeMoment, decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { COUNTED } from './paging.ts';

const PAGE_SIZE = 30;

/** A sort value, never null. */
interface SortBy {
  by: RawBuilder<unknown>;
  kind: 'time' | 'number';
}

/**
 * Number of rows that a list reads at a time: a page of the back office, or a batch of an export, which is not counted.
 */
export interface Batch {
  size: number;
}

interface PageInput<S extends string> {
  sort: SortOrder<S>;
  pages?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
}

/** The rows after a position. A cursor of another order is rejected as no longer valid. */
function behindOf({ by, kind }: SortBy, id: RawBuilder<unknown>, desc: boolean, cursor: string): RawBuilder<unknown> {
  if (kind === 'time') {
    const [at, last] = decodeMoment(cursor) ?? ['', 0];
    return desc
      ? sql`and (${by}, ${id}) < (${at}::timestamptz, ${last}::bigint)`
      : sql`and (${by}, ${id}) > (${at}::timestamptz, ${last}::bigint)`;
  }
  const [at, last] = decodeKeyAndId(cursor) ?? [0, 0];
  return desc
    ? sql`and (${by}, ${id}) < (${at}::bigint, ${last}::bigint)`
    : sql`and (${by}, ${id}) > (${at}::bigint, ${last}::bigint)`;
}

/**
 * Paging by a sort key and the id: rows with equal keys have a stable order, and a new row shifts none. `key` is
 * selected as `sort_key`, `behind` is appended to the filter and `tail` to the statement; `cut` cuts the rows to a
 * page. A list that joins other tables selects its page first, in a subselect with `tail`, and sorts the joined result
 * by `order`: otherwise the planner may read a whole joined table.
 */
export function pageBy<S extends string>(
  input: PageInput<S>,
  sorts: Readonly<Record<S, SortBy>>,
  id: RawBuilder<unknown>,
  batch?: Batch,
) {
  const size = batch?.size ?? input.pageSize ?? PAGE_SIZE;
  const { desc } = input.sort;
  const order = sorts[input.sort.key];
  const { by, kind } = order;
  const { cursor } = input;
  const offset = cursor ? 0 : ((input.pages ?? 1) - 1) * size;
  return {
    key: sql`(${by})::text`,
    behind: cursor ? behindOf(order, id, desc, cursor) : sql``,
    order: desc ? sql`order by ${by} desc, ${id} desc` : sql`order by ${by}, ${id}`,
    tail: desc
      ? sql`order by ${by} desc, ${id} desc limit ${size + 1} offset ${offset}`
      : sql`order by ${by}, ${id} limit ${size + 1} offset ${offset}`,
    cut<R extends { id: number; sort_key: string }>(rows: readonly R[]): { rows: R[]; next: string | null } {
      const page = rows.slice(0, size);
      const last = page.at(-1);
      const key = last && (kind === 'time' ? last.sort_key : Number(last.sort_key));
      return { rows: page, next: rows.length > size && key !== undefined ? encodeCursor([key, last?.id ?? 0]) : null };
    },
  };
}

/** Sorts rows in the order of the given ids, for pages whose rows are read by a lower subject. */
export function inOrder<R extends { id: number }>(ids: readonly number[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A time later than every real one, so that rows without a deadline are sorted last. */
export const NEVER = sql`'9999-12-31 00:00:00+00'::timestamptz`;

/** Conditions on a range of times; empty without a range. */
export function during(column: RawBuilder<unknown>, range: TimeRange | undefined): RawBuilder<unknown> {
  const from = range?.from === undefined ? sql`true` : sql`${column} >= ${range.from}`;
  const until = range?.until === undefined ? sql`true` : sql`${column} < ${range.until}`;
  return sql`${from} and ${until}`;
}

/** Conditions on a range of amounts, both ends included. */
export function amounting(
  column: RawBuilder<unknown>,
  range: { from: number | undefined; to: number | undefined } | undefined,
): RawBuilder<unknown> {
  const from = range?.from === undefined ? sql`true` : sql`${column} >= ${range.from}`;
  const to = range?.to === undefined ? sql`true` : sql`${column} <= ${range.to}`;
  return sql`${from} and ${to}`;
}

/**
 * The number of rows of a list, exact up to COUNTED, and their sum when the number is exact. `from` is the SQL after the keyword
 * `from`, `fen` the amount of one row. A batch of an export is not counted.
 */
export async function loadTotals(
  db: Trx,
  from: RawBuilder<unknown>,
  { fen, batch }: { fen?: RawBuilder<unknown>; batch?: Batch | undefined },
): Promise<{ total: number; totalCapped: boolean; sum: number | null }> {
  if (batch) return { total: 0, totalCapped: false, sum: null };
  const { rows } = await sql<{ n: number; fen: number }>`
    select count(*)::int as n, coalesce(sum(c.fen), 0)::bigint as fen
    from (select ${fen ?? sql`0`} as fen from ${from} limit ${COUNTED + 1}) c`.execute(db);
  const { n, fen: total } = rows[0] ?? { n: 0, fen: 0 };
  const totalCapped = n > COUNTED;
  return { total: Math.min(n, COUNTED), totalCapped, sum: totalCapped || fen === undefined ? null : total };
}
