/**
 * `npm run restore -- [--to TIME] --into FOLDER`: makes a data folder from the newest backup before a moment and the log up to it, in
 * quarantine: no timer, event, notice or payout runs until staff releases it. `--cluster` restores the folder of a separate PostgreSQL,
 * `--pictures` with it the pictures that lay in a data folder.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openArchive } from '../server/backup/destination.ts';
import { restore } from '../server/backup/restore.ts';
import { backupConfig } from '../server/config/config-backup.ts';
import { proveRestored } from './lib/database/prove-restored.ts';

const HELP = `用法：npm run restore -- --into 文件夹 [--to 时间] [--cluster [--pictures 文件夹]] [--pg-bin 目录]
  --into    要恢复到的空文件夹（之后用 DATA_DIR=文件夹 npm start 启动）
  --to      恢复到的时间，如 '2026-11-23 10:00:00'（中国时间）或带时区的 ISO 时间；不写则到存档的末尾
  --cluster 只恢复 PostgreSQL 的数据目录，给自己的 PostgreSQL 用；登录和密码不变
  --pictures 与 --cluster 同用：图片恢复到这个文件夹的 uploads 下（即市场的 DATA_DIR）；图片在存储桶里时不用写
  --pg-bin  PostgreSQL 程序所在目录（与备份同一大版本）；不写则用内置的`;

const say = (text: string): void => console.log(`  ${text}`);

/** A moment; without a zone it is China's. @throws Error when it is none, or is to come */
function momentOf(text: string): Date {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const moment = new Date(hasZone ? text : `${text.trim().replace(' ', 'T')}+08:00`);
  if (Number.isNaN(moment.getTime())) throw new Error(`--to 看不懂：${text}\n${HELP}`);
  if (moment > new Date()) throw new Error(`--to 是将来的时间：${moment.toISOString()}`);
  return moment;
}

try {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      into: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      pictures: { type: 'string' },
      'pg-bin': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || values.into === undefined) throw new Error(HELP);
  if (values.pictures !== undefined && !values.cluster) throw new Error(`--pictures 只与 --cluster 同用\n${HELP}`);
  const began = performance.now();
  const into = resolve(values.into);
  const { manifest, pictures } = await restore({
    archive: openArchive(backupConfig(process.env)),
    to: values.to === undefined ? undefined : momentOf(values.to),
    into,
    layout: values.cluster ? 'cluster' : 'market',
    bin: values['pg-bin'],
    picturesInto: values.pictures === undefined ? undefined : resolve(values.pictures),
    prove: async (url) => await proveRestored(url, say),
    print: say,
  });
  if (!values.cluster || values.pictures !== undefined) say(`图片 ${pictures} 张`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `\n恢复完成（${manifest.id}，${seconds} 秒），处于隔离中：定时任务、通知、短信、邮件、退款和打款都不会发出。`,
  );
  if (values.cluster) say(`用 PostgreSQL ${manifest.version} 启动 ${into}，再启动市场`);
  else say(`把原来的 SECRET（或 secret 文件）放好，再启动：DATA_DIR=${into} npm start`);
  say('核对后在后台「恢复隔离」放行（docs/OPERATIONS.md「After a restore」）');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
