/**
 * `npm run migrate`: brings the database of this installation up to the newest migration. `-- --plan` changes nothing and says what would
 * run, which locks it takes and how large the tables are.
 */
import { ownSettings } from '../server/config/config-environment.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { consoleLog } from './lib/console-log.ts';
import { migrationPlan } from './lib/database/migration-plan.ts';

const DIR = 'db/migrations';
const isPlan = process.argv.includes('--plan');
const settings = ownSettings(process.env);
const outside = settings.MIGRATE_DATABASE_URL ?? settings.DATABASE_URL;
const embedded = outside ? undefined : await startEmbedded({ dataDir: settings.DATA_DIR ?? '.data', log: consoleLog });
const database = outside ?? embedded?.ownerUrl ?? '';

async function run(): Promise<void> {
  const { applied, total } = await migrate({ database, dir: DIR, log: consoleLog });
  console.log(
    applied.length === 0 ? `数据库已是最新（共 ${total} 个迁移）` : `执行了 ${applied.length} 个迁移，共 ${total} 个`,
  );
}

try {
  if (isPlan) console.log((await migrationPlan(database, DIR)).join('\n'));
  else await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
