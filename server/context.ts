import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type pg from 'pg';
import { externalBlacklist } from './adapters/blacklist/external.ts';
import { localBlacklist } from './adapters/blacklist/local.ts';
import { localBus } from './adapters/bus/local.ts';
import { localMail } from './adapters/mail/local.ts';
import { localOfficialAccount } from './adapters/official-account/local.ts';
import { alipayChannel } from './adapters/pay/alipay.ts';
import type { Environment } from './adapters/pay/vendor-request.ts';
import { sandboxChannel } from './adapters/pay/sandbox.ts';
import { wechatChannel } from './adapters/pay/wechat.ts';
import { webPush } from './adapters/push/web.ts';
import { localRealName } from './adapters/real-name/local.ts';
import { rongCloud } from './adapters/im/rongcloud.ts';
import { localSms } from './adapters/sms/local.ts';
import { localStorage } from './adapters/storage/local.ts';
import { qiniuStorage } from './adapters/storage/qiniu.ts';
import { s3Storage } from './adapters/storage/s3.ts';
import { localWechatLogin } from './adapters/wechat-login/local.ts';
import { officialAccountLogin } from './adapters/wechat-login/official-account.ts';
import type { Config } from './config.ts';
import { type Db, DedicatedConnection, openDatabase } from './db/client.ts';
import { openLog } from './log.ts';
import { deriveKeys, type Keys } from './kernel/crypto.ts';
import type { Blacklist } from './ports/blacklist.ts';
import type { Bus } from './ports/bus.ts';
import type { Mail } from './ports/mail.ts';
import type { OfficialAccount } from './ports/official-account.ts';
import type { PayChannel } from './ports/pay.ts';
import type { Push } from './ports/push.ts';
import type { RealName } from './ports/real-name.ts';
import type { ImProvider } from './ports/im.ts';
import type { Sms } from './ports/sms.ts';
import type { Storage } from './ports/storage.ts';
import type { WechatLogin } from './ports/wechat-login.ts';
import { ROOT } from './root.ts';
import { type Directory, openDirectory } from './directory.ts';

/** Everything that a service may use. Built once by hand, read top to bottom. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Opens a database connection outside the pool; it is closed with the context. */
  line(): DedicatedConnection;
  readonly keys: Keys;
  /** Distributors and settings, in memory. */
  readonly dir: Directory;
  readonly bus: Bus;
  /** Delivers chat messages to devices for the distributors that use such a service. Undefined when only our own gateway is used. */
  readonly imProvider: ImProvider | undefined;
  readonly sms: Sms;
  readonly mail: Mail;
  readonly push: Push;
  readonly officialAccount: OfficialAccount;
  readonly realName: RealName;
  readonly storage: Storage;
  readonly wechatLogin: WechatLogin;
  /** The external blacklist; undefined when none is configured. */
  readonly blacklist: Blacklist | undefined;
  /** The channels on offer, by name; the first is the default. */
  readonly pay: ReadonlyMap<string, PayChannel>;
  readonly version: string;
  close(): Promise<void>;
}

export interface Overrides {
  log?: Logger;
  imProvider?: ImProvider;
  sms?: Sms;
  mail?: Mail;
  push?: Push;
  officialAccount?: OfficialAccount;
  realName?: RealName;
  storage?: Storage;
  wechatLogin?: WechatLogin;
  blacklist?: Blacklist;
  bus?: Bus;
  pay?: ReadonlyMap<string, PayChannel>;
}

const environment: Environment = {
  fetch,
  now: () => new Date(),
  nonce: () => randomBytes(16).toString('hex'),
};

function payChannels({ pay }: Config, keys: Keys): ReadonlyMap<string, PayChannel> {
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
    channels.set(name, make());
  }
  return channels;
}

function storageFor({ storage, dataDir }: Config, keys: Keys): Storage {
  if (storage.kind === 'qiniu') return qiniuStorage(storage);
  if (storage.kind === 's3') return s3Storage(storage);
  return localStorage({ dir: `${dataDir}/uploads`, secret: keys.token });
}

function blacklistOf(config: Config): Blacklist | undefined {
  if (config.blacklist) return externalBlacklist(config.blacklist);
  return config.demo ? localBlacklist() : undefined;
}

/**
 * Builds the context over a migrated database. `overrides` is the one seam for tests.
 */
export async function createContext(config: Config, databaseUrl: string, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? openLog(config.logLevel);
  const database = { url: databaseUrl, role: 'youshi_app' };
  const { db, pool } = openDatabase({ ...database, max: config.databasePool, log });
  const lines: DedicatedConnection[] = [];
  const keys = deriveKeys(config.secret);
  const bus = overrides.bus ?? localBus({ databaseUrl, log });
  const packageText = readFileSync(join(ROOT, 'package.json'), 'utf8');
  return {
    config,
    log,
    db,
    pool,
    line() {
      const line = new DedicatedConnection(database);
      lines.push(line);
      return line;
    },
    keys,
    dir: await openDirectory({ db, bus, log, siteUrl: config.siteUrl }),
    bus,
    imProvider: overrides.imProvider ?? (config.rongCloud && rongCloud(config.rongCloud)),
    sms: overrides.sms ?? localSms({ sink: config.smsSink, log, show: config.demo }),
    mail: overrides.mail ?? localMail({ sink: config.mailSink, log, show: config.demo }),
    push: overrides.push ?? webPush({ key: keys.push, subject: config.siteUrl }),
    officialAccount: overrides.officialAccount ?? localOfficialAccount({ show: config.demo }),
    realName: overrides.realName ?? localRealName(),
    storage: overrides.storage ?? storageFor(config, keys),
    wechatLogin:
      overrides.wechatLogin ??
      (config.wechatLogin ? officialAccountLogin(config.wechatLogin) : localWechatLogin({ key: keys.sandbox })),
    blacklist: overrides.blacklist ?? blacklistOf(config),
    pay: overrides.pay ?? payChannels(config, keys),
    version: (JSON.parse(packageText) as { version: string }).version,
    async close() {
      await bus.close();
      await Promise.all(lines.map((line) => line.close()));
      await db.destroy();
    },
  };
}
