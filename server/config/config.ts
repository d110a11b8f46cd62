import { join, resolve } from 'node:path';
import { z } from 'zod';
import { privateEnv } from './config-private.ts';
import { type ImProviderConfig, imProviderEnv, imProviderOf } from './config-im.ts';
import { type StorageConfig, storageEnv, storageOf } from './config-storage.ts';
import { ownSettings } from './config-environment.ts';
import { settingProblem } from './config-problems.ts';
import { type NodesConfig, nodesConfig, nodesEnv } from './config-nodes.ts';
import { type PayConfig, payConfig, payEnv } from './config-pay.ts';
import { type VendorsConfig, vendorEnv, vendorsConfig } from './config-vendors.ts';
import { previousSecretsOf, secretEnv, secretOf } from './config-secret.ts';

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .optional()
  .transform((v) => v === '1' || v === 'true');

const env = z.object({
  NODE_ENV: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().startsWith('postgres').optional(),
  STAFF_PASSKEYS: z.enum(['0', '1']).optional(),
  ...privateEnv,
  MIGRATE_DATABASE_URL: z.string().startsWith('postgres').optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  DEMO: z.string().optional(),
  TRIAL: flag,
  SEED_GOODS: z.coerce.number().int().min(0).max(5_000_000).default(5000),
  ...secretEnv,
  SMS_SINK: z.string().optional(),
  MAIL_SINK: z.string().optional(),
  AUDIT_HEADS: z.string().min(1).optional(),
  AUDIT_MAIL: z.email().optional(),
  BLACKLIST_URL: z.url().optional(),
  BLACKLIST_USER: z.string().optional(),
  BLACKLIST_APPID: z.string().optional(),
  PICTURE_URLS: z.enum(['https', 'http', 'off']).default('https'),
  ...nodesEnv,
  ...imProviderEnv,
  ...storageEnv,
  ...vendorEnv,
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  BACKSTAGE_HOST: z.string().default('backstage.localhost'),
  IP_LIMIT_FACTOR: z.coerce.number().min(0.1).max(10_000).optional(),
  LIMIT_FACTOR: z.coerce.number().min(1).max(1_000_000).default(1),
  PUBLIC_CACHE_TTL_MS: z.coerce.number().int().min(0).max(60_000).default(5_000),
  METRICS_TOKEN: z.string().optional(),
  ACCESS_LOG: z.enum(['0', '1']).optional(),
  TRUST_PROXY: flag,
  SECURE_COOKIES: flag,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEV: flag,
  ...payEnv.shape,
});

/** Names of all settings of the server, for deploy/env.example. */
export const SETTINGS: readonly string[] = Object.keys(env.shape);

export interface Config {
  readonly production: boolean;
  readonly dev: boolean;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Connection string of the role that owns the tables of an external database; undefined if migrations run separately from the server. */
  readonly migrateUrl: string | undefined;
  readonly databasePool: number;
  /** Hosts and networks to which connections without TLS are allowed. */
  readonly privateNetworks: readonly string[];
  /** The role of this process in a market on several machines, and the connections between them. */
  readonly nodes: NodesConfig;
  readonly demo: boolean;
  /** A market outside the demo with stand-ins for its vendors, on a database marked for it (decision 581). */
  readonly trial: boolean;
  readonly seedGoods: number;
  readonly secret: Buffer;
  /** Whether it was set explicitly instead of generated in the data folder. */
  readonly isSecretSet: boolean;
  /** Secrets that were in use before; they decrypt keys that are still wrapped by them. */
  readonly previousSecrets: readonly Buffer[];
  readonly smsSink: string | undefined;
  readonly mailSink: string | undefined;
  /** File to which the audit's head is appended each day, and with which it is compared. */
  readonly auditHeads: string;
  /** Recipient of the audit's head, mailed each day; undefined = no mail. The demo market has a stand-in. */
  readonly auditMail: string | undefined;
  /** The external blacklist. Without one the demo market uses a local list and other installations none. */
  readonly blacklist: { url: string; user: string; appId: string } | undefined;
  /** The IM provider; undefined when only our own gateway is used. */
  readonly rongCloud: ImProviderConfig | undefined;
  readonly storage: StorageConfig;
  /** Addresses from which pictures in sellers' tables are fetched: https only, also http, or none. */
  readonly pictureUrls: 'https' | 'http' | 'off';
  /** SMS, mail, real name, WeChat: each a stand-in, off, or a real vendor with its keys. */
  readonly vendors: VendorsConfig;
  /** Payment channels that are enabled, and their keys. */
  readonly pay: PayConfig;
  readonly backstageHost: string;
  /** Staff who release money need a passkey (decision 537): in every real market, elsewhere when STAFF_PASSKEYS=1. */
  readonly staffPasskeys: boolean;
  /** URL of the platform's own site, for links in mails and messages. Other sites use its scheme and port under their own host. */
  readonly siteUrl: string;
  /** Multiplies the limits per address; the demo market raises it so that many people can use it from one machine. */
  readonly ipLimitFactor: number;
  /** Multiplies all limits, for load tests; never in production. */
  readonly limitFactor: number;
  /** How long responses to visitors are cached when no change invalidates them; 0 disables the cache. */
  readonly publicCacheTtlMs: number;
  readonly metricsToken: string | undefined;
  /** Log one line per request. */
  readonly accessLog: boolean;
  readonly trustProxy: boolean;
  readonly secureCookies: boolean;
  readonly logLevel: string;
}

/** A site on a name of this machine. */
const LOOPBACK_SITE = /^https?:\/\/([a-z0-9-]+\.)?(localhost|127\.\d+\.\d+\.\d+)(:|\/|$)/;

const WRONG_PAYEE =
  '设置有误：微信打款（WECHAT_TRANSFER_SCENE）要求 WECHAT_LOGIN=official-account，且 WECHAT_APP_ID 与 WECHAT_PAY_APPID 相同，否则没有收款人的 openid';

/** Whether people paid through WeChat are known at the paying account: an openid is valid at one account only. */
function isKnownPayee({ pay, vendors }: { pay: PayConfig | undefined; vendors: VendorsConfig }): boolean {
  if (pay?.wechat?.transfer === undefined) return true;
  return vendors.wechatLogin.kind === 'official-account' && vendors.wechatLogin.appId === pay.wechat.appid;
}

/** The external blacklist; undefined without its address. */
const blacklistOf = (e: Pick<z.output<typeof env>, 'BLACKLIST_URL' | 'BLACKLIST_USER' | 'BLACKLIST_APPID'>) =>
  e.BLACKLIST_URL === undefined
    ? undefined
    : { url: e.BLACKLIST_URL, user: e.BLACKLIST_USER ?? '', appId: e.BLACKLIST_APPID ?? '' };

/** Parses the settings by their schema. A rejected one is recorded as a problem and counts as not set, so that all problems are found at once. */
function readEnv(settings: NodeJS.ProcessEnv): { e: z.output<typeof env>; problems: string[] } {
  const parsed = env.safeParse(settings);
  if (parsed.success) return { e: parsed.data, problems: [] };
  const { issues } = parsed.error;
  const wrong = new Set(issues.map(({ path }) => String(path[0])));
  const accepted = Object.fromEntries(Object.entries(settings).filter(([name]) => !wrong.has(name)));
  return { e: env.parse(accepted), problems: [...new Set(issues.map((issue) => settingProblem(issue, settings)))] };
}

/**
 * Reads the environment once. Throws an Error whose message has one Chinese sentence a line, for every invalid or contradicting setting.
 * An empty variable counts as not set. Without NODE_ENV a demo is development and everything else production, so that no stand-in is used by
 * accident.
 */
export function loadConfig(source: NodeJS.ProcessEnv): Config {
  const { e, problems } = readEnv(ownSettings(source));
  const report = (problem: string): void => void problems.push(problem);
  /** The result of `read`; undefined if it reported a problem, in which case the start fails below. */
  const attempt = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      report(error instanceof Error ? error.message : String(error));
      return undefined as T;
    }
  };
  const embedded = e.DATABASE_URL === undefined;
  const trial = e.TRIAL;
  const demo = e.DEMO === undefined ? embedded && !trial : e.DEMO === '1' || e.DEMO === 'true';
  if (trial && demo) report('设置有误：TRIAL=1 是用自己的设置试运行，不能与演示市场 DEMO=1 同时使用，请去掉其中一个');
  const production = (e.NODE_ENV ?? (demo ? 'development' : 'production')) === 'production';
  if (demo && !embedded && production) report('设置有误：DEMO=1 不能与 NODE_ENV=production 和外部数据库同时使用');
  if (!embedded && production && e.SECRET === undefined)
    report('设置有误：使用外部数据库时必须设置 SECRET（至少 32 个字符），多个进程须相同');
  if (e.LIMIT_FACTOR !== 1 && production) report('设置有误：LIMIT_FACTOR 只用于压力测试');
  const dataDir = resolve(e.DATA_DIR);
  // In the demo market the vendors' URLs may point to fakes on this machine.
  const isPublic = production && !demo;
  const read = {
    rongCloud: attempt(() => imProviderOf(e)),
    storage: attempt(() => storageOf(e)),
    vendors: vendorsConfig(e, isPublic, report),
    pay: attempt(() => payConfig(e, isPublic)),
    previousSecrets: attempt(() => previousSecretsOf(e)),
    nodes: attempt(() => nodesConfig(e, e.DATABASE_URL)),
  };
  if (!isKnownPayee(read)) report(WRONG_PAYEE);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Object.freeze({
    production,
    ...read,
    dev: e.DEV,
    port: e.PORT,
    // A demo shows codes and passwords, and a trial on this machine has no TLS: they listen on loopback only unless HOST is set.
    host: e.HOST ?? (demo || (trial && LOOPBACK_SITE.test(e.SITE_URL ?? '')) ? '127.0.0.1' : '0.0.0.0'),
    dataDir,
    databaseUrl: e.DATABASE_URL,
    migrateUrl: e.MIGRATE_DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    privateNetworks: e.PRIVATE_NETWORKS,
    demo,
    trial,
    seedGoods: e.SEED_GOODS,
    secret: secretOf(dataDir, e),
    isSecretSet: e.SECRET !== undefined,
    smsSink: e.SMS_SINK,
    mailSink: e.MAIL_SINK,
    auditHeads: resolve(e.AUDIT_HEADS ?? join(dataDir, 'audit-heads.jsonl')),
    auditMail: e.AUDIT_MAIL ?? (demo ? 'audit@demo.example' : undefined),
    blacklist: blacklistOf(e),
    backstageHost: e.BACKSTAGE_HOST.toLowerCase(),
    // Configurable in a trial as in production, but a trial on a machine without a passkey may disable it.
    staffPasskeys: e.STAFF_PASSKEYS === '1' || (isPublic && !(trial && e.STAFF_PASSKEYS === '0')),
    pictureUrls: e.PICTURE_URLS,
    siteUrl: (e.SITE_URL ?? `http://localhost:${e.PORT}`).replace(/\/$/, ''),
    ipLimitFactor: e.IP_LIMIT_FACTOR ?? (demo ? 50 : 1),
    limitFactor: e.LIMIT_FACTOR,
    publicCacheTtlMs: e.PUBLIC_CACHE_TTL_MS,
    metricsToken: e.METRICS_TOKEN,
    accessLog: e.ACCESS_LOG === undefined ? e.NODE_ENV === 'production' && !demo : e.ACCESS_LOG === '1',
    trustProxy: e.TRUST_PROXY,
    secureCookies: e.SECURE_COOKIES,
    logLevel: e.LOG_LEVEL,
  });
}
