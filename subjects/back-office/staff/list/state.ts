import type { AnyList, Column } from '#contract/lists/kit.ts';

/** The parameters of the URL that belong to the page and not to the query of the list. */
const OF_PAGE = new Set(['open', 'view', 'cols']);

export type Query = Record<string, string>;
type Spec = Pick<AnyList, 'filters' | 'sorts' | 'initialSort'>;

/** The filters and the order of a URL; unknown and invalid values are left out. */
export function queryOf({ filters, sorts, initialSort }: Spec, search: URLSearchParams): Query {
  const query: Query = {};
  for (const [key, { schema }] of Object.entries(filters)) {
    const value = search.get(key)?.trim();
    if (value && schema.safeParse(value).success) query[key] = value;
  }
  const sort = search.get('sort');
  if (sort && sort !== initialSort && sorts.includes(sort.replace(/^-/, ''))) query.sort = sort;
  return query;
}

/** Serialises a query with sorted parts, so that equal queries have equal texts. */
export function queryText(query: Query): string {
  const sorted = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new URLSearchParams(sorted).toString();
}

/** The columns to display: those of the URL, else those last chosen, else the list's defaults. */
export function columnsOf<Item>(
  columns: readonly Column<Item>[],
  requested: string | null,
  chosen: readonly string[] | null,
): readonly Column<Item>[] {
  const keys = requested?.split(',') ?? chosen ?? [];
  const found = keys.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  return found.length > 0 ? found : columns.filter(({ isExtra }) => !isExtra);
}

/** A URL with some parameters changed; an empty value removes one. */
export function changed(search: URLSearchParams, changes: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [key, value] of Object.entries(changes)) {
    if (value) next.set(key, value);
    else next.delete(key);
  }
  return next;
}

/** Whether two URLs show the same rows, so that opening a drawer or choosing columns reloads nothing. */
export function showsTheSame(a: URLSearchParams, b: URLSearchParams): boolean {
  const rest = (search: URLSearchParams) =>
    queryText(Object.fromEntries([...search].filter(([key]) => !OF_PAGE.has(key))));
  return rest(a) === rest(b);
}

/** The next order of a column: its default, then the reverse. */
export function nextSort(current: string, key: string): string {
  if (current === `-${key}`) return key;
  return `-${key}`;
}

/** The ids of the rows between two of them, both included, in the list's order. */
export function between(ids: readonly string[], from: string, to: string): string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}
