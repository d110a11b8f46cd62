/** `npm run migrate`: brings the database of this installation up to the newest migration. */
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { consoleLog } from './lib/console-log.ts';

const outside = process.env.MIGRATE_DATABASE_URL || process.env.DATABASE_URL;
const embedded = outside
  ? undefined
  : await startEmbedded({ dataDir: process.env.DATA_DIR || '.data', log: consoleLog });

try {
  const { applied, total } = await migrate({
    database: outside ?? embedded?.ownerUrl ?? '',
    dir: 'db/migrations',
    log: consoleLog,
  });
  console.log(
    applied.length === 0 ? `数据库已是最新（共 ${total} 个迁移）` : `执行了 ${applied.length} 个迁移，共 ${total} 个`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
