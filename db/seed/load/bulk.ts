import type pg from 'pg';

/** A column of a bulk insert: its name and how its values travel; `cast` where an array of that type cannot be unnested. */
export interface Column {
  name: string;
  type: string;
  cast?: string;
}

const MAX_ROWS = 5_000;

/** Reads a list such as 'id bigint, tags text>text[]' (travels as text, is stored as text[]). */
export function columns(list: string): Column[] {
  return list.split(',').map((part) => {
    const [name = '', how = ''] = part.trim().split(' ');
    const [type = '', cast] = how.split('>');
    return cast === undefined ? { name, type } : { name, type, cast };
  });
}

const encode = (value: unknown, type: string): unknown =>
  type === 'jsonb' && value !== null ? JSON.stringify(value) : value;

/**
 * Inserts rows in one statement per 5,000: one array per column, unnested by the server, so that neither the text nor the number of
 * parameters grows with the rows. Ids may be given for identity columns.
 */
export async function insertRows(
  client: pg.ClientBase,
  table: string,
  cols: readonly Column[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const names = cols.map((c) => c.name).join(', ');
  const values = cols.map((c, i) => (c.cast === undefined ? `v.c${i}` : `v.c${i}::${c.cast}`)).join(', ');
  const arrays = cols.map((c, i) => `$${i + 1}::${c.type}[]`).join(', ');
  const alias = cols.map((_, i) => `c${i}`).join(', ');
  const text = `insert into ${table} (${names}) overriding system value select ${values} from unnest(${arrays}) as v(${alias})`;
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    const part = rows.slice(from, from + MAX_ROWS);
    await client.query(
      text,
      cols.map((c, i) => part.map((row) => encode(row[i] ?? null, c.type))),
    );
  }
}

/** Takes `count` numbers from a table's identity sequence, in order, so that related rows can be made before they are stored. */
export async function reserveIds(client: pg.ClientBase, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await client.query<{ id: string }>(
    `select nextval(pg_get_serial_sequence($1, 'id'))::text as id from generate_series(1, $2)`,
    [table, count],
  );
  return rows.map((row) => Number(row.id));
}

/** A PostgreSQL array literal of plain items, for array columns. */
export const arrayLiteral = (items: readonly string[]): string =>
  `{${items.map((w) => `"${w.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
