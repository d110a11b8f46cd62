/**
 * `npm run backup`: copies database and pictures to BACKUP_TO and removes expired backups. `npm run backup -- follow` archives
 * the database's log until it is stopped, `list` shows the backups, `verify` reads all of them.
 */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { takeBase } from '../server/backup/base.ts';
import { prune, verify } from '../server/backup/keep.ts';
import { listBases, type Manifest, readManifest } from '../server/backup/manifest.ts';
import { copyPictures, pictureSource } from '../server/backup/pictures.ts';
import { type Archive, openArchive } from '../server/backup/destination.ts';
import { Receiver } from '../server/backup/receiver.ts';
import { recordBackup } from '../server/backup/record.ts';
import { type BackupConfig, backupConfig } from '../server/config/config-backup.ts';
import { ownSettings } from '../server/config/config-environment.ts';
import { storageEnv, storageOf } from '../server/config/config-storage.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { readState } from '../server/db/embedded-cluster.ts';
import { ROOT } from '../server/root.ts';
import { consoleLog, quietLog } from './lib/console-log.ts';

const PICTURES_EVERY_MS = 60_000;
const MB = 1024 * 1024;

const settings = ownSettings(process.env);
const dataDir = settings.DATA_DIR ?? '.data';
const storage = storageOf(z.object(storageEnv).parse(settings));
const release = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
const say = (text: string): void => console.log(`  ${text}`);

async function pictures(archive: Archive): Promise<string[]> {
  const source = pictureSource(storage, dataDir);
  if (!source) {
    say('图片在七牛，不在这里备份：请在七牛打开跨区域同步（docs/OPERATIONS.md）');
    return [];
  }
  const { keys, copied } = await copyPictures(archive, source);
  say(`图片 ${keys.length} 张，新存 ${copied} 张`);
  return keys;
}

/** Records a successful backup for /metrics. A database without the table or the right is not an error. */
async function record(url: string, manifest: Manifest, bytes: number): Promise<void> {
  try {
    await recordBackup(url, manifest, bytes);
  } catch (error) {
    say(`备份已完成，但没能记入数据库（监控会报备份过旧）：${String(error)}`);
  }
}

async function base(config: BackupConfig, archive: Archive): Promise<void> {
  const { DATABASE_URL: outside } = settings;
  if (outside !== undefined && config.sourceUrl === undefined)
    throw new Error('备份外部数据库还需要 BACKUP_DATABASE_URL：一个有 REPLICATION 权限的登录（docs/OPERATIONS.md）');
  const embedded = outside === undefined ? await startEmbedded({ dataDir, log: quietLog }) : undefined;
  try {
    const began = performance.now();
    const sourceUrl = config.sourceUrl ?? embedded?.adminUrl ?? '';
    // The pictures first: every picture that the copied database names is then there, or comes with `follow`.
    const keys = await pictures(archive);
    const { manifest, bytes } = await takeBase({ archive, sourceUrl, pictures: keys, release });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`备份 ${manifest.id} 完成：${Math.round(bytes / MB)} MB，${manifest.parts.length} 份，${seconds} 秒`);
    await record(outside ?? embedded?.url ?? '', manifest, bytes);
    const gone = await prune(archive, config.keep);
    if (gone.bases.length > 0)
      say(
        `按 BACKUP_KEEP=${config.keep} 清理：${gone.bases.join('、')}，日志 ${gone.segments} 个，图片 ${gone.pictures} 张`,
      );
  } finally {
    await embedded?.stop();
  }
}

function embeddedSource(): string {
  const state = readState(dataDir);
  if (!state) throw new Error(`${dataDir} 里还没有数据库：先启动一次，或设置 BACKUP_DATABASE_URL`);
  return `postgres://postgres:${state.superPassword}@127.0.0.1:${state.port}/postgres`;
}

async function follow(config: BackupConfig, archive: Archive): Promise<void> {
  const sourceUrl = config.sourceUrl ?? embeddedSource();
  const receiver = new Receiver({ archive, sourceUrl, lagMs: config.lagMs, log: consoleLog });
  const source = pictureSource(storage, dataDir);
  let copying: Promise<unknown> | undefined;
  const every = setInterval(() => {
    if (!source || copying) return;
    copying = copyPictures(archive, source)
      .catch((error: unknown) => consoleLog.error({ error: String(error) }, '图片没有存好，稍后再试'))
      .finally(() => (copying = undefined));
  }, PICTURES_EVERY_MS);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  clearInterval(every);
  await copying;
  await receiver.stop();
  say('日志归档已停止');
}

async function list(archive: Archive): Promise<void> {
  const ids = await listBases(archive);
  for (const id of ids) {
    const { endedAt, parts, pictures: keys, version } = await readManifest(archive, id);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    say(`${id}  完成于 ${endedAt}  ${Math.round(bytes / MB)} MB  图片 ${keys.length}  PostgreSQL ${version}`);
  }
  say(ids.length === 0 ? `${archive.name} 里没有备份` : '可以恢复到最早一份完成之后的任何时刻');
}

async function check(archive: Archive): Promise<void> {
  const faults = await verify(archive, say);
  for (const fault of faults) console.error(`  ✗ ${fault}`);
  if (faults.length > 0) throw new Error(`备份有 ${faults.length} 处不可用`);
  say('备份完好，都可以恢复');
}

try {
  const config = backupConfig(process.env);
  const archive = openArchive(config);
  if (!archive.isEncrypted) say('备份没有加密：其中有密码的散列和订单，请限制能读它的人，或设置 BACKUP_KEY');
  const [command = 'base'] = process.argv.slice(2);
  if (command === 'base') await base(config, archive);
  else if (command === 'follow') await follow(config, archive);
  else if (command === 'list') await list(archive);
  else if (command === 'verify') await check(archive);
  else throw new Error(`没有命令 ${command}；可用：base（默认）、follow、list、verify`);
} catch (error) {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    console.error(
      '备份的位置空间不足，这次备份没有完成，写了一半的文件已删除：请腾出空间、减小 BACKUP_KEEP，或用 BACKUP_TO 换一个位置后重试',
    );
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
