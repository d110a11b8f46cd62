import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type pg from 'pg';
import { externalBlacklist } from './adapters/blacklist/external.ts';
import { localBlacklist } from './adapters/blacklist/local.ts';
import { localBus } from './adapters/bus/local.ts';
import { redisBus } from './adapters/bus/redis.ts';
import { alipayChannel } from './adapters/pay/alipay.ts';
import type { Environment } from './adapters/vendor-request.ts';
import { sandboxChannel } from './adapters/pay/sandbox.ts';
import { wechatChannel } from './adapters/pay/wechat.ts';
import { rongCloud } from './adapters/im/rongcloud.ts';
import { localStorage } from './adapters/storage/local.ts';
import { openSearchEngine } from './adapters/search/engines.ts';
import { qiniuStorage } from './adapters/storage/qiniu.ts';
import { s3Storage } from './adapters/storage/s3.ts';
import {
  openLinkPush,
  openMail,
  openOfficialAccount,
  openPush,
  openRealName,
  openSms,
  openWechatLogin,
} from './adapters/vendors.ts';
import { httpsPictures, noPictures } from './adapters/remote-pictures/https.ts';
import { httpsWebhooks } from './adapters/webhooks/https.ts';
import { Caches } from './caches.ts';
import type { Config } from './config/config.ts';
import { tokenStore } from './db/vendor-token.ts';
import { type DatabaseOptions, type Db, DedicatedConnection, openDatabase } from './db/client.ts';
import { type Standby, watchStandby } from './db/standby.ts';
import { openLog } from './log.ts';
import type { Keys } from './kernel/secrets/crypto.ts';
import { createVendorRegistry, type VendorRegistry, guarded } from './kernel/vendors.ts';
import { payChannelName } from '#subjects/payments/rules/pay-channels.ts';
import type { Blacklist } from './ports/blacklist.ts';
import type { Bus } from './ports/bus.ts';
import type { LinkPush } from './ports/link-push.ts';
import type { Mail } from './ports/mail.ts';
import type { OfficialAccount } from './ports/official-account.ts';
import type { PayChannel } from './ports/pay.ts';
import type { Push } from './ports/push.ts';
import type { RealName } from './ports/real-name.ts';
import type { ImProvider } from './ports/im.ts';
import type { RemotePictures } from './ports/remote-pictures.ts';
import type { SearchEngine } from './ports/search-engine.ts';
import type { Sms } from './ports/sms.ts';
import type { Storage } from './ports/storage.ts';
import type { Webhooks } from './ports/webhooks.ts';
import type { WechatLogin } from './ports/wechat-login.ts';
import { heldInQuarantine } from './outgoing.ts';
import { isLoopback } from './kernel/network.ts';
import { ROOT } from './root.ts';
import { openKeys } from './secrets/keyring.ts';
import { type Directory, openDirectory } from './directory/directory.ts';
import { openWordFilter, type WordFilter } from './blocked-words/filter.ts';

/** Everything that a service may use. Built once by hand, read top to bottom. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  /**
   * The same database through connections whose commits do not wait for the disk. Only for effects that run again when a crash of the
   * database loses them (docs/decisions/450), never for what a response to a user or a call to a vendor reports. Behind a pooler it is `db`.
   */
  readonly relaxed: Db;
  readonly pool: pg.Pool;
  /** The connections of `relaxed`. */
  readonly relaxedPool: pg.Pool;
  /** A copy of the database for reads that may be stale; undefined without one. */
  readonly standby: Standby | undefined;
  /** Opens a database connection outside the pool; it is closed with the context. */
  openDedicatedConnection(): DedicatedConnection;
  readonly keys: Keys;
  /** Reads the stored keys again, after a rotation by this process. */
  reloadKeys(): Promise<void>;
  /** Distributors and settings, in memory. */
  readonly dir: Directory;
  /** Blocked words, for every text published or sent by users. */
  readonly blockedWords: WordFilter;
  readonly bus: Bus;
  /** In-memory caches of the subjects (caches.ts). */
  readonly caches: Caches;
  /** Delivers chat messages to devices for the distributors that use such a service. Undefined when only our own gateway is used. */
  readonly imProvider: ImProvider | undefined;
  /** Undefined when switched off; so are mail and real name. */
  readonly sms: Sms | undefined;
  readonly mail: Mail | undefined;
  readonly push: Push;
  /** Sends events to addresses given by sellers. */
  readonly webhooks: Webhooks;
  /** Undefined when switched off; so is log-in by WeChat. */
  readonly officialAccount: OfficialAccount | undefined;
  readonly realName: RealName | undefined;
  /** Notifies a search engine of new pages; undefined when switched off. */
  readonly linkPush: LinkPush | undefined;
  readonly storage: Storage;
  /** Loads pictures from addresses given by sellers. */
  readonly remotePictures: RemotePictures;
  readonly wechatLogin: WechatLogin | undefined;
  /** The external blacklist; undefined when none is configured. */
  readonly blacklist: Blacklist | undefined;
  /** A search engine in addition to PostgreSQL; undefined without one. */
  readonly searchEngine: SearchEngine | undefined;
  /** The channels on offer, by name; the first is the default. */
  readonly pay: ReadonlyMap<string, PayChannel>;
  /** Every vendor with its circuit breaker and metrics. */
  readonly vendors: VendorRegistry;
  readonly version: string;
  /** Milliseconds on a clock that never jumps, for windows, limits and caches in memory. */
  readonly monotonicMs: () => number;
  /** A random integer from 0 up to but not including `sides`, unpredictable; used by the lottery. */
  readonly roll: (sides: number) => number;
  close(): Promise<void>;
}

export interface Overrides {
  log?: Logger;
  imProvider?: ImProvider;
  sms?: Sms;
  mail?: Mail;
  push?: Push;
  webhooks?: Webhooks;
  officialAccount?: OfficialAccount;
  realName?: RealName;
  linkPush?: LinkPush;
  storage?: Storage;
  remotePictures?: RemotePictures;
  wechatLogin?: WechatLogin;
  blacklist?: Blacklist;
  bus?: Bus;
  searchEngine?: SearchEngine;
  standby?: Standby;
  monotonicMs?: () => number;
  roll?: (sides: number) => number;
  /** Pools that outlive the context, which does not close them. */
  databases?: Databases;
  pay?: ReadonlyMap<string, PayChannel>;
}

const environment: Environment = {
  fetch,
  now: () => new Date(),
  nonce: () => randomBytes(16).toString('hex'),
};

const CHANNEL_CALLS = [
  'create',
  'query',
  'close',
  'refund',
  'refundState',
  'payout',
  'payoutState',
  'statement',
] as const;

/** The configured channels, each behind its own circuit breaker. */
function payChannels({ pay }: Config, keys: Keys, registry: VendorRegistry): ReadonlyMap<string, PayChannel> {
  const { alipay, wechat } = pay;
  const factories: Record<string, (() => PayChannel) | undefined> = {
    sandbox: () => sandboxChannel({ key: keys.sandbox }),
    alipay: alipay && (() => alipayChannel(alipay, environment)),
    wechat: wechat && (() => wechatChannel(wechat, environment)),
  };
  const channels = new Map<string, PayChannel>();
  for (const name of pay.providers) {
    const make = factories[name];
    if (!make) throw new Error(`设置有误：PAY_PROVIDERS 中的 ${name} 不存在`);
    const label = payChannelName(name);
    const state = name === 'sandbox' ? 'stand-in' : 'on';
    const vendor = registry.add({ key: `pay.${name}`, label, subject: '支付与打款', state });
    channels.set(name, guarded(make(), vendor, CHANNEL_CALLS));
  }
  return channels;
}

function storageFor({ storage, dataDir }: Config, keys: Keys): Storage {
  if (storage.kind === 'qiniu') return qiniuStorage(storage);
  if (storage.kind === 's3') return s3Storage(storage);
  return localStorage({ dir: `${dataDir}/uploads`, secret: keys.token });
}

const picturesFor = ({ pictureUrls }: Config): RemotePictures =>
  pictureUrls === 'off' ? noPictures() : httpsPictures({ isPlainAllowed: pictureUrls === 'http' });

function blacklistOf(config: Config): Blacklist | undefined {
  if (config.blacklist) return externalBlacklist(config.blacklist);
  return config.demo ? localBlacklist() : undefined;
}

/** Owned by one process; only effects use them. */
const RELAXED_CONNECTIONS = 10;

/** The log-in's role at run time. */
const role = 'youshi_app';

/** The pools of a context. */
export type Databases = Pick<Context, 'db' | 'pool' | 'relaxed' | 'relaxedPool'>;

/** Opens the pools of a database: at most `max` connections, and up to ten whose commits do not wait for the disk. */
export function openPools(options: Omit<DatabaseOptions, 'role' | 'isRelaxed'>): Databases {
  const { db, pool } = openDatabase({ ...options, role });
  if (options.isPooled === true) return { db, pool, relaxed: db, relaxedPool: pool };
  const max = Math.min(options.max, RELAXED_CONNECTIONS);
  const { db: relaxed, pool: relaxedPool } = openDatabase({ ...options, role, max, isRelaxed: true });
  return { db, pool, relaxed, relaxedPool };
}

/** The pools, the standby that belongs to them, and a factory for connections outside the pool, which a pooler would mix up. */
function openDatabases(config: Config, url: string, log: Logger, overrides: Overrides) {
  const { directUrl, isNamingStatements: isNaming, readUrl, readLagMs } = config.nodes;
  const max = config.databasePool;
  const isPooled = directUrl !== undefined;
  const { db, pool, relaxed, relaxedPool } = overrides.databases ?? openPools({ url, isPooled, isNaming, max, log });
  const openStandby = (readFrom: string): Standby =>
    watchStandby({
      primary: db,
      db: openDatabase({ url: readFrom, role, max, log }).db,
      maxLagMs: readLagMs,
      log,
    });
  const standby = overrides.standby ?? (readUrl === undefined ? undefined : openStandby(readUrl));
  return {
    db,
    relaxed,
    pool,
    relaxedPool,
    standby,
    openLine: () => new DedicatedConnection({ url: directUrl ?? url, role }),
  };
}

const openBus = ({ nodes }: Config, url: string, log: Logger): Bus =>
  nodes.busUrl === undefined
    ? localBus({ databaseUrl: nodes.directUrl ?? url, log })
    : redisBus({ url: nodes.busUrl, log });

/**
 * Builds the context over a migrated database. `overrides` is the only hook for tests.
 */
export async function createContext(config: Config, databaseUrl: string, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? openLog(config.logLevel);
  const { db, relaxed, pool, relaxedPool, standby, openLine } = openDatabases(config, databaseUrl, log, overrides);
  const lines: DedicatedConnection[] = [];
  const secrets = { secret: config.secret, previous: config.previousSecrets };
  const opened = await openKeys(db, secrets, { derived: config.demo });
  const { keys } = opened;
  const registry = createVendorRegistry();
  registry.listen({
    circuit: (vendor, state) => log.warn({ vendor, state }, 'the circuit of a vendor turned'),
  });
  const opening = { config, registry, environment, log };
  const bus = overrides.bus ?? openBus(config, databaseUrl, log);
  const caches = new Caches(bus);
  opened.follow(bus, log);
  const dir = await openDirectory({ db, bus, log, siteUrl: config.siteUrl });
  const blockedWords = await openWordFilter({ db, bus, log });
  const packageText = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const ctx: Context = heldInQuarantine({
    config,
    log,
    db,
    relaxed,
    pool,
    relaxedPool,
    standby,
    openDedicatedConnection() {
      const line = openLine();
      lines.push(line);
      return line;
    },
    keys,
    reloadKeys: () => opened.reload(),
    dir,
    blockedWords,
    bus,
    caches,
    imProvider: overrides.imProvider ?? (config.rongCloud && rongCloud(config.rongCloud)),
    sms: overrides.sms ?? openSms(opening),
    mail: overrides.mail ?? openMail(opening),
    push: overrides.push ?? openPush(opening, { key: keys.push, subject: config.siteUrl }),
    webhooks: overrides.webhooks ?? httpsWebhooks({ isLocalAllowed: config.demo && isLoopback(config.host) }),
    officialAccount: overrides.officialAccount ?? openOfficialAccount(opening, (name) => tokenStore(db, keys, name)),
    realName: overrides.realName ?? openRealName(opening),
    linkPush: overrides.linkPush ?? openLinkPush(opening),
    storage: overrides.storage ?? storageFor(config, keys),
    remotePictures: overrides.remotePictures ?? picturesFor(config),
    wechatLogin: overrides.wechatLogin ?? openWechatLogin(opening, keys.sandbox),
    blacklist: overrides.blacklist ?? blacklistOf(config),
    searchEngine: overrides.searchEngine ?? openSearchEngine(opening, config.nodes.searchUrl),
    pay: overrides.pay ?? payChannels(config, keys, registry),
    vendors: registry,
    version: (JSON.parse(packageText) as { version: string }).version,
    monotonicMs: overrides.monotonicMs ?? (() => performance.now()),
    roll: overrides.roll ?? ((sides) => randomInt(sides)),
    async close() {
      opened.close();
      caches.close();
      await dir.close();
      await blockedWords.close();
      await bus.close();
      await Promise.all(lines.map((line) => line.close()));
      await standby?.close();
      if (overrides.databases !== undefined) return;
      await Promise.all([db.destroy(), ...(relaxed === db ? [] : [relaxed.destroy()])]);
    },
  });
  caches.createFor(ctx);
  return ctx;
}
