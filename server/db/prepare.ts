import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import type { Config } from '#server/config/config.ts';
import { ROOT } from '#server/root.ts';
import type { Embedded } from './embedded.ts';
import { pooledProblems } from './pooled.ts';
import { excessPrivileges } from './privileges.ts';
import { migrate, OldDatabaseError, pendingMigrations } from './migrate.ts';

const DIR = join(ROOT, 'db/migrations');

const ROLE_HINT =
  "请为运行另建一个登录：create role youshi_run login password '…' in role youshi_app，" +
  '写入 DATABASE_URL；所有者的地址写入 MIGRATE_DATABASE_URL，只给 npm run migrate 用也可以（见 docs/OPERATIONS.md）。';

export interface Prepared {
  /** The server's log-in. */
  readonly url: string;
  /** The log-in that owns the tables; absent if migrations run separately from the server. */
  readonly ownerUrl: string | undefined;
}

interface Options {
  config: Pick<Config, 'databaseUrl' | 'migrateUrl' | 'production' | 'demo'> &
    Partial<Pick<Config, 'nodes' | 'dataDir'>>;
  embedded: Pick<Embedded, 'url' | 'ownerUrl'> | undefined;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  print: (text: string) => void;
}

/** How to replace a demo market created by an earlier version with a new one; the folder is left unchanged. */
const renewalHint = (dataDir: string): string =>
  `演示市场的数据都在 ${dataDir}，程序不会自己删除它。要一个新的演示市场，请把这个目录移走或删除（rm -rf '${dataDir}'），再运行 npm start；` +
  '要保留原来的数据，请另设 DATA_DIR。';

async function applyMigrations(database: string, { config, embedded, log, print }: Options): Promise<void> {
  const { applied } = await migrate({ database, dir: DIR, log }).catch((error: unknown) => {
    if (!(error instanceof OldDatabaseError) || !config.demo || embedded === undefined) throw error;
    throw new OldDatabaseError(`${error.message}\n${renewalHint(config.dataDir ?? '')}`, { cause: error });
  });
  if (applied.length > 0) print(`结构已更新：${applied.length} 项`);
}

/**
 * Migrates the database through the owner's connection and returns the connection that the server uses. The two are separate so
 * that stolen server credentials can neither write the ledger's tables nor delete records. A single connection for both is accepted
 * only in development and in a demo market, where the process switches to the role `youshi_app`.
 * @throws Error with instructions when the run-time role has too many privileges for production, the schema is not current, or a
 * pooler cannot be relied on
 */
export async function prepareDatabase(options: Options): Promise<Prepared> {
  const { config, embedded, log } = options;
  const url = embedded?.url ?? config.databaseUrl;
  if (url === undefined) throw new Error('没有可用的数据库');
  const ownerUrl = embedded?.ownerUrl ?? config.migrateUrl;
  if (ownerUrl !== undefined) await applyMigrations(ownerUrl, options);
  const { nodes } = config;
  const pooled = nodes?.directUrl === undefined ? [] : await pooledProblems(url, nodes.isNamingStatements);
  if (pooled.length > 0) throw new Error(pooled.map((problem) => `设置有误：${problem}`).join('\n'));
  const privileges = await excessPrivileges(url);
  if (privileges.length > 0) {
    const why = `DATABASE_URL 的登录${privileges.join('，')}，能绕过账本和审计记录的保护。`;
    if (config.production && !config.demo) throw new Error(`设置有误：${why}\n${ROLE_HINT}`);
    log.warn({ powers: privileges }, `${why}正式运行时不接受。`);
    if (ownerUrl === undefined) await applyMigrations(url, options);
    return { url, ownerUrl: ownerUrl ?? url };
  }
  if (ownerUrl === undefined) {
    const missing = await pendingMigrations({ database: url, dir: DIR });
    if (missing.length > 0)
      throw new Error(`数据库结构还差 ${missing.length} 项，请先用所有者运行：MIGRATE_DATABASE_URL=… npm run migrate`);
  }
  return { url, ownerUrl };
}
