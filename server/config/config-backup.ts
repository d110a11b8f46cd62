import { resolve } from 'node:path';
import { z } from 'zod';
import { ownSettings } from './config-environment.ts';

/** Settings of `npm run backup` and `npm run restore` (docs/OPERATIONS.md, "Backups"). */
export const backupEnv = z.object({
  BACKUP_TO: z.string().min(1).optional(),
  BACKUP_KEY: z.string().min(32).optional(),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(7),
  BACKUP_LAG_SECONDS: z.coerce.number().int().min(1).max(600).default(30),
  BACKUP_DATABASE_URL: z.string().startsWith('postgres').optional(),
  BACKUP_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  BACKUP_S3_REGION: z.string().min(1).default('us-east-1'),
  BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  BACKUP_S3_PATH_STYLE: z.enum(['0', '1']).default('1'),
});

export type BackupDestination =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      /** The prefix of every key; ends with '/' unless empty. */
      readonly prefix: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly pathStyle: boolean;
    };

export interface BackupConfig {
  readonly destination: BackupDestination;
  /** Encrypts the copies; undefined = no encryption. */
  readonly key: string | undefined;
  /** Number of base backups that are kept. */
  readonly keep: number;
  /** Maximum delay of the WAL archive behind the database, in ms. */
  readonly lagMs: number;
  /** Log-in with the right REPLICATION; undefined for the embedded database, which has its own. */
  readonly sourceUrl: string | undefined;
}

/** Reads the settings of backups. Throws an Error with a Chinese message for what is missing or wrong. */
export function backupConfig(source: NodeJS.ProcessEnv): BackupConfig {
  const parsed = backupEnv.safeParse(ownSettings(source));
  if (!parsed.success)
    throw new Error(`设置有误：${parsed.error.issues.map((i) => `${i.path.join('.')} ${i.message}`).join('；')}`);
  const e = parsed.data;
  if (e.BACKUP_TO === undefined) throw new Error('设置有误：请用 BACKUP_TO 指定备份位置：文件夹，或 s3://桶/前缀');
  return {
    destination: destinationOf(e.BACKUP_TO, e),
    key: e.BACKUP_KEY,
    keep: e.BACKUP_KEEP,
    lagMs: e.BACKUP_LAG_SECONDS * 1000,
    sourceUrl: e.BACKUP_DATABASE_URL,
  };
}

function destinationOf(to: string, e: z.output<typeof backupEnv>): BackupDestination {
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(to);
  if (s3 === null) {
    if (/^\w+:\/\//.test(to)) throw new Error('设置有误：BACKUP_TO 须是文件夹，或 s3://桶/前缀');
    return { kind: 'folder', path: resolve(to) };
  }
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_ACCESS_KEY_ID: id, BACKUP_S3_SECRET_ACCESS_KEY: secret } = e;
  if (endpoint === undefined || id === undefined || secret === undefined)
    throw new Error(
      '设置有误：备份到 s3:// 需要 BACKUP_S3_ENDPOINT、BACKUP_S3_ACCESS_KEY_ID 和 BACKUP_S3_SECRET_ACCESS_KEY',
    );
  const prefix = (s3[2] ?? '').replace(/(?<!\/)\/+$/, '');
  if (!/^[\w./-]*$/.test(prefix)) throw new Error('设置有误：BACKUP_TO 的前缀只能有字母、数字和 . _ - /');
  return {
    kind: 's3',
    endpoint,
    region: e.BACKUP_S3_REGION,
    bucket: s3[1] ?? '',
    prefix: prefix === '' ? '' : `${prefix}/`,
    accessKeyId: id,
    secretAccessKey: secret,
    pathStyle: e.BACKUP_S3_PATH_STYLE === '1',
  };
}
