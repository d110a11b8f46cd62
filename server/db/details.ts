/** Reads properties of a database for the checks before a start (server/config/start-checks.ts). Read-only. */
import pg from 'pg';
import type { NodesConfig } from '#server/config/config-nodes.ts';
import { pooledProblems } from './pooled.ts';
import { excessPrivileges } from './privileges.ts';

/** Extensions created by the migrations. */
const EXTENSIONS = ['btree_gin', 'pg_trgm'];

export interface DatabaseDetails {
  /** The minimum lead of this machine's clock over the database's, in ms; 0 if the connection's delay explains the difference. */
  aheadMs: number;
  /** 180004 */
  version: number;
  versionText: string;
  encoding: string;
  /** Extensions that are neither installed nor offered by the server. */
  missingExtensions: string[];
  /** Rights that would allow the server's log-in to bypass the guards; Chinese phrases. */
  privileges: string[];
  /** Whether the log-in may switch to youshi_app. */
  isMember: boolean;
  /** Append-only tables that youshi_app could change; table names. Empty when the guard works, or before the first migration. */
  writable: string[];
  /** Whether a connection keeps its role and limits; a transaction pooler loses them. True if the pooler is configured as such. */
  keepsOptions: boolean;
  /** Problems of a connection configured as pooled; Chinese sentences. */
  pooled: string[];
  /** The secrets that the stored keys are wrapped by; empty before the first start. */
  marks: Buffer[];
}

export interface OwnerDetails {
  createsTables: boolean;
  /** Whether it may create the role youshi_app, or the role exists. */
  hasRole: boolean;
}

const BASE = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
    current_setting('server_encoding') as encoding, (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
    array(select w.name from unnest($1::text[]) as w (name)
      where not exists (select from pg_available_extensions e where e.name = w.name)) as "missingExtensions",
    coalesce((select pg_has_role(session_user, oid, 'MEMBER') from pg_roles where rolname = 'youshi_app'), false) as "isMember",
    to_regclass('public.data_key') is not null as "hasKeys", to_regclass('public.ledger_entry') is not null as "hasLedger"`;

async function connected<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a connection opened with a role and a limit has them; false if the options are lost or rejected. */
async function keepsOptions(url: string): Promise<boolean> {
  try {
    return await connected(
      { connectionString: url, options: '-c statement_timeout=15000 -c role=youshi_app' },
      async (client) => {
        const { rows } = await client.query<{ kept: boolean }>(
          "select current_user = 'youshi_app' and current_setting('statement_timeout') = '15s' as kept",
        );
        return rows[0]?.kept === true;
      },
    );
  } catch {
    return false;
  }
}

/** Reads what is visible to the server's log-in; `nodes` specifies whether it uses a pooler. Throws connection errors. */
export async function databaseDetails(
  url: string,
  nodes?: Pick<NodesConfig, 'directUrl' | 'isNamingStatements'>,
): Promise<DatabaseDetails> {
  const isPooled = nodes?.directUrl !== undefined;
  const found = await connected({ connectionString: url }, async (client) => {
    const before = Date.now();
    const { rows } = await client.query<
      Omit<DatabaseDetails, 'aheadMs' | 'privileges' | 'writable' | 'keepsOptions' | 'pooled' | 'marks'> & {
        nowMs: number;
        hasKeys: boolean;
        hasLedger: boolean;
      }
    >(BASE, [EXTENSIONS]);
    const after = Date.now();
    const [base] = rows;
    if (!base) throw new Error('the query for database details returned no row');
    const { hasKeys, hasLedger, nowMs, ...rest } = base;
    // The database read its clock between these two moments.
    const aheadMs = nowMs < before ? before - nowMs : nowMs > after ? after - nowMs : 0;
    const writable = hasLedger
      ? await client.query<{ name: string }>(
          `select name from unnest(array['ledger_entry', 'ledger_transfer', 'audit_log']) as name
           where to_regclass('public.' || name) is not null
             and (has_table_privilege('youshi_app', name, 'UPDATE') or has_table_privilege('youshi_app', name, 'DELETE')
               or (name <> 'audit_log' and has_table_privilege('youshi_app', name, 'INSERT')))`,
        )
      : { rows: [] };
    const marks =
      hasKeys && rest.isMember
        ? await client.query<{ mark: Buffer }>('select distinct secret_mark as mark from data_key')
        : { rows: [] };
    return {
      ...rest,
      aheadMs,
      writable: writable.rows.map(({ name }) => name),
      marks: marks.rows.map(({ mark }) => mark),
    };
  });
  return {
    ...found,
    privileges: await excessPrivileges(url),
    keepsOptions: isPooled || !found.isMember || (await keepsOptions(url)),
    pooled: isPooled ? await pooledProblems(url, nodes.isNamingStatements) : [],
  };
}

/** Reads the rights of the owner's log-in. Throws connection errors. */
export async function ownerDetails(url: string): Promise<OwnerDetails> {
  return await connected({ connectionString: url }, async (client) => {
    const { rows } = await client.query<OwnerDetails>(
      `select has_database_privilege(current_database(), 'CREATE') and has_schema_privilege('public', 'CREATE') as "createsTables",
         exists (select from pg_roles where rolname = 'youshi_app') or r.rolcreaterole or r.rolsuper as "hasRole"
       from pg_roles r where r.rolname = session_user`,
    );
    return rows[0] ?? { createsTables: false, hasRole: false };
  });
}

/** The feed state of the search engine; lag in ms. */
export async function searchDetails(url: string): Promise<{ live: string | null; lagMs: number }> {
  return await connected({ connectionString: url, options: '-c role=youshi_app' }, async (client) => {
    const { rows } = await client.query<{ live: string | null; lagMs: number }>(`
      select live, coalesce(extract(epoch from now() - (select at from search_change order by id limit 1)) * 1000, 0)::float8 as "lagMs"
      from search_feed`);
    return rows[0] ?? { live: null, lagMs: 0 };
  });
}
