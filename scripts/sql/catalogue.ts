/** Types, functions and columns of a database, and the client's conversion of each type. */
import pg from 'pg';
// The client's parsers are set where the application sets them.
import '../../server/db/client.ts';

/** JavaScript kind of a PostgreSQL value. */
export type JsKind = 'number' | 'string' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'object' | { array: JsKind };

export interface PgFunction {
  name: string;
  builtin: boolean;
  strict: boolean;
  returnsSet: boolean;
}

interface TypeRow {
  oid: number;
  name: string;
  category: string;
  type: string;
  base: number;
  element: number;
}

/** By category a text that every type of it can read. */
const SAMPLES: Readonly<Record<string, string>> = { N: '1', B: 't', D: '2026-01-02 03:04:05+00' };
const JSON_TYPES = new Set(['json', 'jsonb']);

export class Catalogue {
  readonly #types: ReadonlyMap<number, TypeRow>;
  readonly #functions: ReadonlyMap<number, PgFunction>;
  readonly #notNull: ReadonlySet<string>;
  readonly #tables: ReadonlyMap<number, string>;
  readonly #relations: ReadonlyMap<number, string>;

  private constructor(
    types: ReadonlyMap<number, TypeRow>,
    functions: ReadonlyMap<number, PgFunction>,
    notNull: ReadonlySet<string>,
    relations: readonly { oid: number; name: string; kind: string }[],
  ) {
    this.#types = types;
    this.#functions = functions;
    this.#notNull = notNull;
    const ofKinds = (kinds: string): ReadonlyMap<number, string> =>
      new Map(relations.filter(({ kind }) => kinds.includes(kind)).map(({ oid, name }) => [oid, name]));
    this.#tables = ofKinds('rp');
    this.#relations = ofKinds('rpvm');
  }

  static async read(client: pg.ClientBase): Promise<Catalogue> {
    const types =
      await client.query<TypeRow>(`select oid::int, typname as name, typcategory::text as category, typtype::text as type,
      typbasetype::int as base, case when typcategory = 'A' then typelem::int else 0 end as element from pg_type`);
    const functions = await client.query<PgFunction & { oid: number }>(`select p.oid::int, p.proname as name,
      n.nspname = 'pg_catalog' as builtin, p.proisstrict as strict, p.proretset as "returnsSet"
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace`);
    const columns = await client.query<{ relid: number; attnum: number }>(
      'select attrelid::int as relid, attnum::int from pg_attribute where attnotnull or attnum < 0',
    );
    const tables = await client.query<{ oid: number; name: string; kind: string }>(
      'select oid::int, oid::regclass::text as name, relkind::text as kind from pg_class',
    );
    return new Catalogue(
      new Map(types.rows.map((row) => [row.oid, row])),
      new Map(functions.rows.map((row) => [row.oid, row])),
      new Set(columns.rows.map(({ relid, attnum }) => `${relid}.${attnum}`)),
      tables.rows,
    );
  }

  typeName(oid: number): string {
    const type = this.#types.get(oid);
    if (type?.element) return `${this.typeName(type.element)}[]`;
    return type?.name ?? String(oid);
  }

  function(oid: number): PgFunction | undefined {
    return this.#functions.get(oid);
  }

  /** The name of a table; undefined for a view or a table of the system that has none. */
  table(oid: number): string | undefined {
    return this.#tables.get(oid);
  }

  /** The name of a table or a view. */
  relation(oid: number): string | undefined {
    return this.#relations.get(oid);
  }

  isNotNull(table: number, column: number): boolean {
    return this.#notNull.has(`${table}.${column}`);
  }

  /** Returns the client's conversion of a type, determined by letting its own parser read a value. */
  jsKind(oid: number): JsKind {
    const type = this.#types.get(oid);
    if (!type) return 'string';
    if (type.type === 'd') return this.jsKind(type.base);
    if (JSON_TYPES.has(type.name)) return 'json';
    const parse = pg.types.getTypeParser(oid) as (text: string) => unknown;
    if (type.element > 0) {
      const parsed = parse(`{"${this.#sample(type.element)}"}`);
      if (!Array.isArray(parsed)) return 'string';
      return { array: JSON_TYPES.has(this.typeName(type.element)) ? 'json' : kindOf(parsed[0]) };
    }
    return kindOf(parse(this.#sample(oid)));
  }

  #sample(oid: number): string {
    const type = this.#types.get(oid);
    if (type && JSON_TYPES.has(type.name)) return '1';
    return SAMPLES[type?.category ?? ''] ?? 'x';
  }
}

function kindOf(value: unknown): JsKind {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
    return typeof value as 'number' | 'boolean' | 'string';
  if (value instanceof Date) return 'Date';
  return Buffer.isBuffer(value) ? 'Buffer' : 'object';
}
