import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type ImProviderConfig, imProviderEnv, imProviderOf } from './config-im.ts';
import { type StorageConfig, storageEnv, storageOf } from './config-storage.ts';
import { type PayConfig, payConfig, payEnv } from './config-pay.ts';

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .optional()
  .transform((v) => v === '1' || v === 'true');

const env = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().startsWith('postgres').optional(),
  MIGRATE_DATABASE_URL: z.string().startsWith('postgres').optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  DEMO: z.string().optional(),
  SEED_GOODS: z.coerce.number().int().min(0).max(5_000_000).default(5000),
  SECRET: z.string().min(32).optional(),
  SMS_SINK: z.string().optional(),
  MAIL_SINK: z.string().optional(),
  AUDIT_HEADS: z.string().min(1).optional(),
  AUDIT_MAIL: z.email().optional(),
  WECHAT_APP_ID: z.string().min(1).optional(),
  WECHAT_APP_SECRET: z.string().min(1).optional(),
  WECHAT_API_BASE: z.url().default('https://api.weixin.qq.com'),
  BLACKLIST_URL: z.url().optional(),
  BLACKLIST_USER: z.string().optional(),
  BLACKLIST_APPID: z.string().optional(),
  ...imProviderEnv,
  ...storageEnv,
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  BACKSTAGE_HOST: z.string().default('backstage.localhost'),
  IP_LIMIT_FACTOR: z.coerce.number().min(0.1).max(10_000).optional(),
  LIMIT_FACTOR: z.coerce.number().min(1).max(1_000_000).default(1),
  PUBLIC_CACHE_TTL_MS: z.coerce.number().int().min(0).max(60_000).default(5_000),
  METRICS_TOKEN: z.string().optional(),
  TRUST_PROXY: flag,
  SECURE_COOKIES: flag,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEV: flag,
  ...payEnv.shape,
});

export interface Config {
  readonly production: boolean;
  readonly dev: boolean;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Connection string of the role that owns the tables of an external database; undefined where migrations run apart from the server. */
  readonly migrateUrl: string | undefined;
  readonly databasePool: number;
  readonly demo: boolean;
  readonly seedGoods: number;
  readonly secret: Buffer;
  readonly smsSink: string | undefined;
  readonly mailSink: string | undefined;
  /** File that the audit's head is appended to each day, and compared with. */
  readonly auditHeads: string;
  /** Recipient of the audit's head, mailed each day; undefined = no mail. The demo market has a stand-in. */
  readonly auditMail: string | undefined;
  /** The WeChat service account for log-in; without one a local simulation is used. */
  readonly wechatLogin: { appId: string; secret: string; apiBase: string } | undefined;
  /** The external blacklist. Without one the demo market uses a local list and other installations none. */
  readonly blacklist: { url: string; user: string; appId: string } | undefined;
  /** The IM provider; undefined when only our own gateway is used. */
  readonly rongCloud: ImProviderConfig | undefined;
  readonly storage: StorageConfig;
  /** Payment channels that are enabled, and their keys. */
  readonly pay: PayConfig;
  readonly backstageHost: string;
  /** URL of the platform's own site, for links in mails and messages. Other sites use its scheme and port under their own host. */
  readonly siteUrl: string;
  /** Multiplies the budgets per address; the demo market raises it so that many people can try from one machine. */
  readonly ipLimitFactor: number;
  /** Multiplies all budgets, for load tests; never in production. */
  readonly limitFactor: number;
  /** How long responses to visitors are cached when no change invalidates them; 0 disables the cache. */
  readonly publicCacheTtlMs: number;
  readonly metricsToken: string | undefined;
  readonly trustProxy: boolean;
  readonly secureCookies: boolean;
  readonly logLevel: string;
}

/** The installation's secret: from the environment, else generated once and stored in the data folder, readable by its owner only. */
function loadSecret(dataDir: string, value: string | undefined): Buffer {
  if (value !== undefined) return Buffer.from(value);
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64'), { mode: 0o600 });
  return Buffer.from(readFileSync(file, 'utf8'), 'base64');
}

/** The WeChat service account's settings; both or neither. */
function wechatOf(e: z.output<typeof env>): Config['wechatLogin'] {
  const { WECHAT_APP_ID: appId, WECHAT_APP_SECRET: secret, WECHAT_API_BASE: apiBase } = e;
  if (appId === undefined && secret === undefined) return undefined;
  if (appId === undefined || secret === undefined)
    throw new Error('设置有误：WECHAT_APP_ID 与 WECHAT_APP_SECRET 须同时设置');
  return { appId, secret, apiBase };
}

/** Reads the environment once. Throws an Error with a Chinese message for an invalid or contradicting setting. */
export function loadConfig(source: NodeJS.ProcessEnv): Config {
  const parsed = env.safeParse(source);
  if (!parsed.success) {
    throw new Error(`设置有误：${parsed.error.issues.map((i) => `${i.path.join('.')} ${i.message}`).join('；')}`);
  }
  const e = parsed.data;
  const embedded = e.DATABASE_URL === undefined;
  const demo = e.DEMO === undefined ? embedded : e.DEMO === '1' || e.DEMO === 'true';
  if (demo && !embedded && e.NODE_ENV === 'production') {
    throw new Error('设置有误：DEMO=1 不能与 NODE_ENV=production 和外部数据库同时使用');
  }
  if (!embedded && e.NODE_ENV === 'production' && e.SECRET === undefined) {
    throw new Error('设置有误：使用外部数据库时必须设置 SECRET（至少 32 个字符），多个进程须相同');
  }
  if (e.LIMIT_FACTOR !== 1 && e.NODE_ENV === 'production') throw new Error('设置有误：LIMIT_FACTOR 只用于压力测试');
  const dataDir = resolve(e.DATA_DIR);
  return Object.freeze({
    production: e.NODE_ENV === 'production',
    dev: e.DEV,
    port: e.PORT,
    // A demo shows codes and passwords, so it listens on this machine only unless HOST is set.
    host: e.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    dataDir,
    databaseUrl: e.DATABASE_URL,
    migrateUrl: e.MIGRATE_DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    demo,
    seedGoods: e.SEED_GOODS,
    secret: loadSecret(dataDir, e.SECRET),
    smsSink: e.SMS_SINK,
    mailSink: e.MAIL_SINK,
    auditHeads: resolve(e.AUDIT_HEADS ?? join(dataDir, 'audit-heads.jsonl')),
    auditMail: e.AUDIT_MAIL ?? (demo ? 'audit@demo.example' : undefined),
    wechatLogin: wechatOf(e),
    blacklist:
      e.BLACKLIST_URL === undefined
        ? undefined
        : { url: e.BLACKLIST_URL, user: e.BLACKLIST_USER ?? '', appId: e.BLACKLIST_APPID ?? '' },
    rongCloud: imProviderOf(e),
    storage: storageOf(e),
    // In the demo market channel URLs may point to fakes on this machine.
    pay: payConfig(e, e.NODE_ENV === 'production' && !demo),
    backstageHost: e.BACKSTAGE_HOST.toLowerCase(),
    siteUrl: (e.SITE_URL ?? `http://localhost:${e.PORT}`).replace(/\/$/, ''),
    ipLimitFactor: e.IP_LIMIT_FACTOR ?? (demo ? 50 : 1),
    limitFactor: e.LIMIT_FACTOR,
    publicCacheTtlMs: e.PUBLIC_CACHE_TTL_MS,
    metricsToken: e.METRICS_TOKEN,
    trustProxy: e.TRUST_PROXY,
    secureCookies: e.SECURE_COOKIES,
    logLevel: e.LOG_LEVEL,
  });
}
