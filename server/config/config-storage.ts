import { z } from 'zod';

/** Settings of the image storage; part of server/config/config.ts. */
export const storageEnv = {
  STORAGE: z.enum(['local', 'qiniu', 's3']).default('local'),
  QINIU_ACCESS_KEY: z.string().min(1).optional(),
  QINIU_SECRET_KEY: z.string().min(1).optional(),
  QINIU_BUCKET: z.string().min(1).optional(),
  QINIU_DOMAIN: z.url().optional(),
  QINIU_UPLOAD_URL: z.url().default('https://upload.qiniup.com'),
  QINIU_MANAGE_URL: z.url().default('https://rs.qiniuapi.com'),
  QINIU_PRIVATE: z.enum(['0', '1']).default('0'),
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PATH_STYLE: z.enum(['0', '1']).default('1'),
};

const shape = z.object(storageEnv);
type StorageEnv = z.output<typeof shape>;

function wanted<K extends keyof StorageEnv>(env: StorageEnv, names: readonly K[]): Record<K, string> {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length > 0) throw new Error(`设置有误：STORAGE=${env.STORAGE} 还需要 ${missing.join('、')}`);
  return env as unknown as Record<K, string>;
}

const bare = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** The configured storage with its settings. Throws an Error with a Chinese message when one is missing. */
export function storageOf(env: StorageEnv) {
  if (env.STORAGE === 'qiniu') {
    const e = wanted(env, ['QINIU_ACCESS_KEY', 'QINIU_SECRET_KEY', 'QINIU_BUCKET', 'QINIU_DOMAIN']);
    return {
      kind: 'qiniu' as const,
      accessKey: e.QINIU_ACCESS_KEY,
      secretKey: e.QINIU_SECRET_KEY,
      bucket: e.QINIU_BUCKET,
      domain: bare(e.QINIU_DOMAIN),
      uploadUrl: env.QINIU_UPLOAD_URL,
      manageUrl: bare(env.QINIU_MANAGE_URL),
      isPrivate: env.QINIU_PRIVATE === '1',
    };
  }
  if (env.STORAGE === 's3') {
    const e = wanted(env, ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
    return {
      kind: 's3' as const,
      endpoint: e.S3_ENDPOINT,
      region: env.S3_REGION,
      bucket: e.S3_BUCKET,
      accessKeyId: e.S3_ACCESS_KEY_ID,
      secretAccessKey: e.S3_SECRET_ACCESS_KEY,
      pathStyle: env.S3_PATH_STYLE === '1',
    };
  }
  return { kind: 'local' as const };
}

export type StorageConfig = ReturnType<typeof storageOf>;
