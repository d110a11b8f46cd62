/** What a database is like, for the checks before a start (server/start-checks.ts). Reads only. */
import pg from 'pg';
import type { NodesConfig } from '#server/config-nodes.ts';
import { pooledProblems } from './pooled.ts';
import { excessPrivileges } from './privileges.ts';

/** Extensions that the migrations make. */
const EXTENSIONS = ['btree_gin', 'pg_trgm'];

export interface DatabaseDetails {
  /** By how many ms this machine's clock is ahead of the database's, at least; 0 within what the connection's delay explains. */
  aheadMs: number;
  /** 180004 */
  version: number;
  versionText: string;
  encoding: string;
  /** Extensions that are not installed and that the server does not offer. */
  missingExtensions: string[];
  /** What would let the server's log-in get around the guards; Chinese phrases. */
  privileges: string[];
  /** Whether the log-in may work as youshi_app. */
  isMember: boolean;
  /** What youshi_app may do to records that only grow; table names. Empty when the guard holds, or before the first migration. */
  writable: string[];
  /** Whether a connection keeps its role and limits; a pooler by transaction loses them. True where the pooler is named as one. */
  keepsOptions: boolean;
  /** What is wrong with a connection that is named as pooled; Chinese sentences. */
  pooled: string[];
  /** The secrets that the stored keys are wrapped by; empty before the first start. */
  marks: Buffer[];
}

export interface OwnerDetails {
  createsTables: boolean;
  /** Whether it may make the role youshi_app, or that exists. */
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

/** Whether a connection with a role and a limit has them; false where the options are lost or not taken. */
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

/** Reads what the server's log-in sees; `nodes` says whether through a pooler. Throws errors of the connection. */
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
    if (!base) throw new Error('the database answered nothing');
    const { hasKeys, hasLedger, nowMs, ...rest } = base;
    // Somewhere between both moments the database read its clock.
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

/** Reads what the owner's log-in may do. Throws errors of the connection. */
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

/** The state of the feed of the search engine beside PostgreSQL; lag in ms. */
export async function searchDetails(url: string): Promise<{ live: string | null; lagMs: number }> {
  return await connected({ connectionString: url, options: '-c role=youshi_app' }, async (client) => {
    const { rows } = await client.query<{ live: string | null; lagMs: number }>(`
      select live, coalesce(extract(epoch from now() - (select at from search_change order by id limit 1)) * 1000, 0)::float8 as "lagMs"
      from search_feed`);
    return rows[0] ?? { live: null, lagMs: 0 };
  });
}
