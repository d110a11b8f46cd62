/**
 * The clock of tests. Time is the database's, so a test lets it pass for the rows that it is about: all their moments move into the past
 * together, as if they had been written so much earlier. Which columns those are is read from the schema. (The cheats' model has a clock for
 * whole worlds, tests/invariants/cheats/worlds/clock.ts.)
 */
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DB } from '#server/db/types.gen.ts';
import { superuserClient } from '../database/database.ts';

type Table = keyof DB;
type Column<T extends Table> = keyof DB[T] & string;

const MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/** How much time passes: a span, the sum of its parts, or until just after a moment of each row (none when it has passed). */
export type Span<T extends Table> = { readonly [U in keyof typeof MS]?: number } | { readonly until: Column<T> };

/** Columns with the value that a row has in them, or a list of which it has one; a row needs all of them. */
export type Rows<T extends Table> = { readonly [C in Column<T>]?: unknown };

const quoted = (name: string): string => `"${name}"`;

/**
 * Lets time pass for rows of a table. No trigger sees it, since nothing happens to them. Runs nothing that thereby comes due. Returns how
 * many rows there are.
 */
export async function passTime<T extends Table>(db: Db, table: T, rows: Rows<T>, span: Span<T>): Promise<number> {
  const moments = await sql<{ name: string }>`
    select attname::text as name from pg_attribute where attrelid = ${table}::regclass and atttypid = 'timestamptz'::regtype
      and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db);
  const values: unknown[] = [];
  const conditions = Object.entries(rows).map(([column, value]) => {
    values.push(value);
    return Array.isArray(value)
      ? `${quoted(column)} = any($${values.length})`
      : `${quoted(column)} = $${values.length}`;
  });
  let back: string;
  if ('until' in span) {
    back = `greatest(${quoted(span.until)} - clock_timestamp() + interval '1 millisecond', interval '0')`;
    conditions.push(`${quoted(span.until)} is not null`);
  } else {
    const parts = Object.entries(span) as [keyof typeof MS, number][];
    values.push(parts.reduce((sum, [unit, n]) => sum + n * MS[unit], 0) / 1000);
    back = `make_interval(secs => $${values.length})`;
  }
  const sets = moments.rows.map(({ name }) => `${quoted(name)} = ${quoted(name)} - ${back}`);
  const { rows: databases } = await sql<{ name: string }>`select current_database()::text as name`.execute(db);
  const client = await superuserClient(databases[0]?.name ?? '');
  try {
    const where = conditions.length === 0 ? 'true' : conditions.join(' and ');
    const { rowCount } = await client.query(`update ${quoted(table)} set ${sets.join(', ')} where ${where}`, values);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** The server's clock for windows, limits and caches in memory (`Overrides.monotonicMs`): it runs on, and a test lets more time pass. */
export function memoryClock(): { monotonicMs: () => number; pass(ms: number): void } {
  let passed = 0;
  return { monotonicMs: () => performance.now() + passed, pass: (ms) => void (passed += ms) };
}

/** Makes jobs due: all of a kind, those of one reference or of several. They run with the next `timers()`. Returns how many there are. */
export async function makeDue(
  db: Db,
  kind: string | readonly string[],
  ref?: number | string | readonly (number | string)[],
): Promise<number> {
  const kinds = [kind].flat();
  const refs = ref === undefined ? null : [ref].flat().map(String);
  const { rows } = await sql`
    update timer set due_at = least(due_at, now() - interval '1 millisecond')
    where kind = any(${kinds}::text[]) and (${refs}::text[] is null or ref = any(${refs}::text[])) returning ref`.execute(
    db,
  );
  return rows.length;
}
