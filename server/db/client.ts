import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { BoundedMap } from '#server/kernel/cache.ts';
import type { DB } from './types.gen.ts';

export type Db = Kysely<DB>;
/** Inside or outside a transaction. */
export type Trx = Transaction<DB> | Kysely<DB>;

const INT8 = 20;
const INT8_ARRAY: number = 1016;
const TEXT_ARRAY: number = 1009;
const NUMERIC = 1700;

// All our bigints are fen or ids: a value beyond 2^53 is a bug, and an error is better than a wrong number.
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint beyond 2^53');
  return value;
}
const parseTexts = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => (string | null)[];
pg.types.setTypeParser(INT8, parseInt8);
// pg returns the elements of such an array as strings, whatever the parser of the element type.
pg.types.setTypeParser(INT8_ARRAY, (text) => parseTexts(text).map((one) => (one === null ? null : parseInt8(one))));
pg.types.setTypeParser(NUMERIC, Number);

/** Prefix of statements that must be planned for their own values each time, as searches are. */
export const UNPREPARED = '/* own plan */';

const MAX_NAMED = 400;
/** The number of statement texts whose uses are counted, and the number of uses after which one is hot. */
const MAX_COUNTED = 2_000;
const HOT_USES = 10;

/**
 * Names hot statements, so that a connection parses and plans each only once. A text becomes hot when this process has used it
 * HOT_USES times; at most MAX_NAMED do, so that generated SQL cannot fill the server's memory.
 */
class NamingClient extends pg.Client {
  static readonly #names = new Map<string, string>();
  static readonly #uses = new BoundedMap<string, number>(MAX_COUNTED);

  static #nameOf(text: string): string | undefined {
    if (text.startsWith(UNPREPARED)) return undefined;
    const cached = NamingClient.#names.get(text);
    if (cached !== undefined || NamingClient.#names.size >= MAX_NAMED) return cached;
    const uses = (NamingClient.#uses.get(text) ?? 0) + 1;
    if (uses < HOT_USES) {
      NamingClient.#uses.set(text, uses);
      return undefined;
    }
    NamingClient.#uses.delete(text);
    const name = `s${NamingClient.#names.size}`;
    NamingClient.#names.set(text, name);
    return name;
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads and all but one pass through untouched.
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  override query(...args: any[]): any {
    const [text, values] = args as [unknown, unknown];
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 ? NamingClient.#nameOf(text) : undefined;
    const parent = super.query.bind(this) as (...a: unknown[]) => unknown;
    return name === undefined ? parent(...args) : parent({ name, text, values }, ...args.slice(2));
  }
}

export interface DatabaseOptions {
  url: string;
  max: number;
  log: Logger;
  /** The role to use; the ledger's tables are read-only for it. */
  role?: string;
  /** Through a transaction pooler: it accepts no options, so role and timeouts are set for the log-in itself (server/db/pooled.ts). */
  isPooled?: boolean;
  /** Whether hot statements are named. Default true. */
  isNaming?: boolean;
  /** Commits do not wait for the disk (docs/decisions/450). No effect through a pooler, which accepts no options. */
  isRelaxed?: boolean;
}

/** Timeouts are set per connection, so that a stuck lock becomes a clear error. */
const connectionOf = (options: Pick<DatabaseOptions, 'url' | 'role' | 'isPooled' | 'isRelaxed'>): pg.ClientConfig => ({
  connectionString: options.url,
  application_name: 'youshi',
  connectionTimeoutMillis: 5_000,
  ...(options.isPooled !== true && {
    options: [
      '-c statement_timeout=15000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=10000',
      '-c jit=off -c plan_cache_mode=auto',
      options.role === undefined ? '' : `-c role=${options.role}`,
      options.isRelaxed === true ? '-c synchronous_commit=off' : '',
    ].join(' '),
  }),
});

/** Opens the pool. */
export function openDatabase(options: DatabaseOptions): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    ...connectionOf(options),
    max: options.max,
    Client: options.isNaming === false ? pg.Client : NamingClient,
    idleTimeoutMillis: 60_000,
  });
  // Without a listener, a database that stops would end the process.
  pool.on('error', (error) => {
    // A pool that is closing does not wait for the server to close each connection.
    if (!pool.ending) options.log.warn({ error: error.message }, 'idle database connection lost');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool };
}

/**
 * A connection outside the pool, for a statement that many callers wait for: it neither queues for a pooled connection nor opens a new
 * one each time. Opened by the first query, and reopened by the next query after it was lost. One query at a time.
 */
export class DedicatedConnection {
  readonly #options: pg.ClientConfig;
  #client: Promise<NamingClient> | undefined;

  constructor(options: Pick<DatabaseOptions, 'url' | 'role'>) {
    this.#options = connectionOf(options);
  }

  /** Runs one statement in a separate transaction. Throws database errors. */
  async query<T extends object>(text: string, values: readonly unknown[]): Promise<T[]> {
    const opened = (this.#client ??= this.#open());
    try {
      const { rows } = (await (await opened).query(text, [...values])) as { rows: T[] };
      return rows;
    } catch (error) {
      // A lost connection reports an error whose severity is not ERROR; the next query must not use it.
      const { severity } = error as { severity?: unknown };
      if (severity !== 'ERROR' && this.#client === opened) this.#client = undefined;
      throw error;
    }
  }

  #open(): Promise<NamingClient> {
    const client = new NamingClient(this.#options);
    const opened = client.connect().then(() => client);
    // Queries in flight fail automatically.
    const forget = (): void => {
      if (this.#client === opened) this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    opened.catch(forget);
    return opened;
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }
}

const RETRIES = 3;

// oxlint-disable-next-line caches/of-context -- belongs to the transaction, with which it ends
const afterwards = new WeakMap<object, (() => void)[]>();

/**
 * Runs `work` after the transaction has committed, never if it fails; immediately outside of `inTransaction`. For notifications that
 * may be lost.
 */
export function afterCommit(trx: Trx, work: () => void): void {
  const list = afterwards.get(trx);
  if (list) list.push(work);
  else work();
}

/** Runs `work` in one transaction; retries a few times after a deadlock or serialization failure. No other code retries. */
export async function inTransaction<T>(db: Db, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const list: (() => void)[] = [];
    try {
      const done = await db.transaction().execute(async (trx) => {
        afterwards.set(trx, list);
        return await work(trx);
      });
      for (const then of list) then();
      return done;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if ((code !== '40001' && code !== '40P01') || attempt >= RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Calls an SQL function that takes a plan and returns a result, both as JSON. */
export async function callPlan<T>(
  db: Trx,
  name: 'order_place' | 'order_step' | 'ledger_post',
  plan: unknown,
): Promise<T> {
  const { rows } = await sql<{ result: T }>`
    select ${sql.raw(name)}(${JSON.stringify(plan)}::jsonb) as result`.execute(db);
  const row = rows[0];
  if (!row) throw new Error(`${name} returned no row`);
  return row.result;
}
