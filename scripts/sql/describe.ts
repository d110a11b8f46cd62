/** Asks a database for the columns that a statement returns: names, types, and whether a column can be null. */
import type pg from 'pg';
import type { Catalogue } from './catalogue.ts';
import { type Nullness, NullAnalysis, targets } from './nullness.ts';
import { firstOf, readNodes, textAt, type PgNode } from './nodes.ts';
import type { Variant } from './source/statements.ts';

export interface Column {
  name: string;
  /** The oid of its type. */
  type: number;
  nullness: Nullness;
}

export type Description = { columns: Column[]; query: PgNode | undefined } | { error: string };

interface Prepared {
  parameters: string[] | null;
  results: number[] | null;
}

/** Describes statements on one connection, in a transaction that the caller ends by a rollback. */
export class Describer {
  readonly #client: pg.ClientBase;
  readonly #catalogue: Catalogue;

  constructor(client: pg.ClientBase, catalogue: Catalogue) {
    this.#client = client;
    this.#catalogue = catalogue;
  }

  async describe({ text, nullable }: Variant): Promise<Description> {
    await this.#client.query('savepoint described');
    try {
      const prepared = await this.#prepare(text);
      const query = await this.#analysed(text, prepared.parameters ?? []);
      const nullness = query ? new NullAnalysis(this.#catalogue, nullable).columns(query) : [];
      const names = query ? targets(query).map((target) => textAt(target, 'resname') ?? '?column?') : [];
      const columns = (prepared.results ?? []).map((type, index) => ({
        name: names[index] ?? '',
        type,
        nullness: nullness[index] ?? 'maybe',
      }));
      return { columns, query };
    } catch (error) {
      if (!(error instanceof Error) || !('severity' in error)) throw error;
      const { position } = error as { position?: string };
      const near = position === undefined ? '' : ` (at “${text.slice(Number(position) - 24, Number(position) + 20)}”)`;
      return { error: `${error.message}${near}` };
    } finally {
      await this.#client.query('rollback to described');
    }
  }

  /** Types of the parameters and of the columns. Throws what the database throws. */
  async #prepare(text: string): Promise<Prepared> {
    const prefix = 'prepare described as ';
    try {
      await this.#client.query(prefix + text);
    } catch (error) {
      const { position } = error as { position?: string };
      if (position !== undefined)
        Object.assign(error as object, { position: String(Number(position) - prefix.length) });
      throw error;
    }
    const { rows } =
      await this.#client.query<Prepared>(`select parameter_types::text[] as parameters, result_types::oid[]::int[] as results
      from pg_prepared_statements where name = 'described'`);
    await this.#client.query('deallocate described');
    return rows[0] ?? { parameters: [], results: [] };
  }

  /** The analysed query: the database keeps that of a function's body, so it makes one of the statement. */
  async #analysed(text: string, parameters: readonly string[]): Promise<PgNode | undefined> {
    await this.#client.query(
      `create function pg_temp.described(${parameters.join(', ')}) returns void language sql begin atomic ${text}\n; end`,
    );
    const { rows } = await this.#client.query<{ body: string | null }>(
      `select prosqlbody::text as body from pg_proc where proname = 'described' and pronamespace = pg_my_temp_schema()`,
    );
    const body = rows[0]?.body;
    return body ? firstOf(readNodes(body), 'QUERY') : undefined;
  }
}
