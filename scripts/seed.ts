/** `npm run seed -- --goods 1000000`: fills the demo market of this installation up to a number of goods; the next run continues a killed one. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../server/config/config.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { demoSeed } from '../server/seed.ts';
import { consoleLog } from './lib/console-log.ts';

const { values } = parseArgs({ options: { goods: { type: 'string' } } });
const config = loadConfig({ ...process.env, ...(values.goods === undefined ? {} : { SEED_GOODS: values.goods }) });
if (!config.demo) {
  console.error('外部数据库要写入演示数据，请设置 DEMO=1');
  process.exit(1);
}
const embedded =
  config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log: consoleLog }) : undefined;
try {
  const databaseUrl = config.migrateUrl ?? config.databaseUrl ?? embedded?.ownerUrl ?? '';
  await migrate({ database: databaseUrl, dir: new URL('../db/migrations', import.meta.url).pathname, log: consoleLog });
  await demoSeed({ config, databaseUrl, print: (text) => console.log(`  ${text}`) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
