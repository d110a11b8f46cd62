/**
 * Test databases that are used again. A copy of the template and the first use of every table and function in each new connection cost more
 * than a typical test file, so a worker keeps its databases with their connections and gives them the rows of the template back between files.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Databases, openPools } from '#server/context.ts';
import { createTestDatabase, superuserClient, type TestDatabase } from './database.ts';

/** A table as it is in the template. */
interface Table {
  name: string;
  /** The columns that an insert may name. */
  columns: string;
  /** Rows as JSON, or undefined when the table is empty. */
  rows: string | undefined;
}

/** From this size on, an emptied table is vacuumed: its dead rows would slow the next file down. */
const VACUUM_FROM_BYTES = 1_000_000;
/** How long connections may still be in use after a server was closed. */
const IDLE_LIMIT_MS = 2_000;

const quoted = (name: string): string => `"${name}"`;

/** A hash of everything but rows: a database whose schema a test has changed is not used again. */
const SCHEMA_HASH = `
  select md5(string_agg(line, ',' order by line)) as hash from (
    select concat_ws(' ', 'class', oid, relname, relnatts, relowner, relacl, reloptions, relchecks, relhastriggers, relispartition) as line
      from pg_class where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'column', attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attacl, attisdropped)
      from pg_attribute where attnum > 0 and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select concat_ws(' ', 'function', oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'trigger', oid, xmin, tgenabled) from pg_trigger
    union all select concat_ws(' ', 'constraint', oid, xmin) from pg_constraint
    union all select concat_ws(' ', 'default', oid, xmin) from pg_attrdef
    union all select concat_ws(' ', 'namespace', oid, xmin) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
    union all select concat_ws(' ', 'setting', setrole, setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
  ) schema`;

/** The content of the template; the same for every database of a worker. */
class Baseline {
  readonly #tables: readonly Table[];
  readonly #sequences: readonly { name: string; value: string; isCalled: boolean }[];
  readonly #changed: string;

  private constructor(
    tables: readonly Table[],
    sequences: readonly { name: string; value: string; isCalled: boolean }[],
    hashes: ReadonlyMap<string, string>,
  ) {
    this.#tables = tables;
    this.#sequences = sequences;
    this.#changed = tables
      .map(({ name }) => {
        const size = `pg_relation_size('${quoted(name)}') as bytes`;
        const hash = hashes.get(name);
        return hash === undefined
          ? `select '${name}' as name, ${size} where exists (select from ${quoted(name)})`
          : `select '${name}' as name, ${size} where (${hashOf(name)}) is distinct from '${hash}'`;
      })
      .join(' union all ');
  }

  /** Reads an unused database. */
  static async of(client: pg.Client): Promise<Baseline> {
    const { rows: names } = await client.query<{ name: string; columns: string }>(`
      select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      where relnamespace = 'public'::regnamespace and relkind = 'r' group by relname order by relname`);
    const tables: Table[] = [];
    const hashes = new Map<string, string>();
    for (const { name, columns } of names) {
      const { rows } = await client.query<{ hash: string | null; rows: string | null }>(
        `select (${hashOf(name)}) as hash, (select json_agg(t)::text from ${quoted(name)} t) as rows`,
      );
      const [only] = rows;
      tables.push({ name, columns, rows: only?.rows ?? undefined });
      if (typeof only?.rows === 'string' && only.hash !== null) hashes.set(name, only.hash);
    }
    const { rows: sequences } = await client.query<{ name: string; value: string; isCalled: boolean }>(`
      select quote_ident(sequencename) as name, coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
      from pg_sequences where schemaname = 'public'`);
    return new Baseline(tables, sequences, hashes);
  }

  /** Gives a database the rows and the sequences of the template back. */
  async restore(client: pg.Client): Promise<void> {
    const { rows: changed } = await client.query<{ name: string; bytes: string }>(this.#changed);
    await client.query('begin');
    for (const { name } of changed) {
      const table = this.#tables.find((one) => one.name === name);
      if (!table) continue;
      await client.query(`delete from ${quoted(name)}`);
      if (table.rows !== undefined)
        await client.query(
          `insert into ${quoted(name)} (${table.columns}) overriding system value
           select ${table.columns} from json_populate_recordset(null::${quoted(name)}, $1)`,
          [table.rows],
        );
    }
    const values = this.#sequences.map(({ name, value, isCalled }) => `setval('${name}', ${value}, ${isCalled})`);
    if (values.length > 0) await client.query(`select ${values.join(', ')}`);
    await client.query('commit');
    const { rows: left } = await client.query<{ name: string }>(this.#changed);
    if (left.length > 0) throw new Error(`differs from the template: ${left.map(({ name }) => name).join(', ')}`);
    const large = changed.filter(({ bytes }) => Number(bytes) >= VACUUM_FROM_BYTES).map(({ name }) => quoted(name));
    if (large.length > 0) await client.query(`vacuum ${large.join(', ')}`);
  }
}

const hashOf = (table: string): string =>
  `select md5(string_agg(t::text, ',' order by t::text)) from ${quoted(table)} t`;

/** A database with its connections, for one server at a time. */
interface ReusedDatabase {
  readonly url: string;
  /** Connections for a server with a pool of this size; they outlive the server. */
  pools(max: number): Promise<Databases>;
  /** Takes the database back when its server is closed. */
  release(): Promise<void>;
}

interface Kept {
  readonly database: TestDatabase;
  readonly admin: pg.Client;
  readonly schemaHash: string;
  /** The pools and their size. */
  open?: { max: number; pools: Databases };
}

/** Unused databases that a worker keeps. Most files have one server, and PostgreSQL has a hundred connections for all workers. */
const MAX_FREE = 1;

const free: Kept[] = [];
let baseline: Promise<Baseline> | undefined;

const schemaHashOf = async (admin: pg.Client): Promise<string> => {
  const { rows } = await admin.query<{ hash: string }>(SCHEMA_HASH);
  return rows[0]?.hash ?? '';
};

async function create(): Promise<Kept> {
  const database = await createTestDatabase();
  const admin = await superuserClient(database.name);
  // A client without a listener would end the process when a test ends its connection.
  admin.on('error', () => undefined);
  baseline ??= Baseline.of(admin);
  await baseline;
  return { database, admin, schemaHash: await schemaHashOf(admin) };
}

/** Waits until no connection is in use any more; fails when one stays in use. */
async function idle({ open }: Kept): Promise<void> {
  const pools = open === undefined ? [] : [open.pools.pool, open.pools.relaxedPool];
  const isBusy = (): boolean =>
    pools.some(({ totalCount, idleCount, waitingCount }) => totalCount !== idleCount || waitingCount > 0);
  for (const end = Date.now() + IDLE_LIMIT_MS; isBusy(); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (Date.now() > end) throw new Error('a connection is still in use');
}

/** Throws when a server left something in the database that restoring its rows does not remove. */
async function checkReusable(kept: Kept): Promise<void> {
  await idle(kept);
  if ((await schemaHashOf(kept.admin)) !== kept.schemaHash) throw new Error('the schema has changed');
  const { rows } = await kept.admin.query<{ n: number }>(`
    select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
  if (rows[0]?.n !== 0) throw new Error('a lock is held');
}

async function closePools(kept: Kept): Promise<void> {
  const { open } = kept;
  delete kept.open;
  if (open !== undefined) await Promise.all([open.pools.db.destroy(), open.pools.relaxed.destroy()]);
}

async function takeBack(kept: Kept, log: Logger): Promise<void> {
  try {
    if (free.length >= MAX_FREE) throw new Error('another one is kept');
    await checkReusable(kept);
    await (await baseline)?.restore(kept.admin);
    free.push(kept);
  } catch (error) {
    log.info({ reason: String(error) }, 'the database of a test is not used again');
    await drop(kept);
  }
}

async function drop(kept: Kept): Promise<void> {
  await closePools(kept);
  await kept.admin.end().catch(() => undefined);
  await kept.database.drop();
}

/** Drops what is kept for a next server: a program that is no worker of the tests ends only when no connection is left. */
export async function dropKeptDatabases(): Promise<void> {
  for (const kept of free.splice(0)) await drop(kept);
}

/** A database with the rows of the template: one that an earlier file of this worker used, or a new one. */
export async function reuseDatabase(log: Logger): Promise<ReusedDatabase> {
  const kept = free.pop() ?? (await create());
  return {
    url: kept.database.url,
    async pools(max) {
      if (kept.open?.max !== max) await closePools(kept);
      kept.open ??= { max, pools: openPools({ url: kept.database.url, max, log }) };
      return kept.open.pools;
    },
    release: () => takeBack(kept, log),
  };
}
