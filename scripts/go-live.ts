/**
 * `npm run go-live`: ends the trial of this installation (TRIAL=1). Asks for the name of the market, then clears its database and files; the
 * next start without TRIAL=1 begins the first set-up. `-- --name NAME` answers in advance. Refuses a market that is no trial.
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../server/config/config.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { endTrial, trialFigures } from '../server/trial-end.ts';
import { consoleLog, quietLog } from './lib/console-log.ts';

const { values } = parseArgs({ options: { name: { type: 'string' } } });
const config = loadConfig({ ...process.env, TRIAL: '1', YOUSHI_TRIAL: '1' });
const outside = config.migrateUrl ?? config.databaseUrl;
const embedded = outside === undefined ? await startEmbedded({ dataDir: config.dataDir, log: quietLog }) : undefined;
const ownerUrl = outside ?? embedded?.ownerUrl ?? '';

async function typedName(): Promise<string> {
  if (values.name !== undefined) return values.name;
  if (!process.stdin.isTTY) throw new Error('请用 -- --name 市场名称 确认要清除的市场');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question('确认清除，请输入市场名称：');
  } finally {
    terminal.close();
  }
}

async function run(): Promise<void> {
  const { name, users, orders } = await trialFigures(ownerUrl);
  console.log(
    `将清除试运行市场「${name}」的全部数据：${users} 个用户、${orders} 笔订单，以及员工、品牌、设置和图片。此操作不能撤回。`,
  );
  const { dataDir, auditHeads } = config;
  await endTrial({ ownerUrl, name: await typedName(), dataDir, auditHeads, log: quietLog });
  consoleLog.info(
    '已清除。接下来：去掉 TRIAL=1，填写真实的服务商（deploy/env.example），运行 npm run doctor，再 npm start 开始首次设置。',
  );
  if (config.storage.kind !== 'local') consoleLog.info('图片在外部存储里，请在它的控制台清空存储桶。');
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
