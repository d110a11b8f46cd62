/**
 * What must be right before a market outside the demo starts: one list, used by the server to refuse a start and printed by `npm run doctor`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { payChannelName, payerChannels, type VendorChannelName } from '#subjects/payments/rules/pay-channels.ts';
import { type Config, loadConfig } from './config.ts';
import { isPlainAcross } from './config-private.ts';
import { VENDOR_SWITCHES, type VendorsConfig } from './config-vendors.ts';
import {
  type DatabaseDetails,
  databaseDetails,
  type OwnerDetails,
  ownerDetails,
  searchDetails,
} from '../db/details.ts';
import { MigrationError, pendingMigrations } from '../db/migrate.ts';
import { versionProblem } from '../db/version.ts';
import { ROOT } from '../root.ts';
import { WrongSecret } from '../secrets/keyring.ts';
import { secretOf } from '../secrets/wrapping.ts';

/** One check; `problem` is a Chinese sentence that explains the problem and its solution; undefined if the check passes. */
export interface Check {
  readonly what: string;
  readonly problem: string | undefined;
}

const LOCAL = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

const check = (what: string, isRight: boolean, problem: string): Check => ({
  what,
  problem: isRight ? undefined : problem,
});

/** Whether a URL points to a fake on this machine. */
const isHere = (url: string): boolean => LOCAL.test(new URL(url).hostname);

/** Whether a vendor's address is on this machine, like that of a fake. */
function isFake(vendor: VendorsConfig[keyof VendorsConfig]): boolean {
  if ('base' in vendor) return isHere(vendor.base);
  if ('apiBase' in vendor) return isHere(vendor.apiBase);
  return 'host' in vendor && LOCAL.test(vendor.host);
}

const vendorsOf = ({ vendors }: Config) =>
  (Object.keys(VENDOR_SWITCHES) as (keyof VendorsConfig)[]).map((name) => ({
    ...VENDOR_SWITCHES[name],
    name,
    vendor: vendors[name],
  }));

/** Nobody can register, reset a password or confirm a withdrawal without codes by SMS, so it is the only one that cannot be off. */
const INDISPENSABLE: ReadonlySet<keyof VendorsConfig> = new Set(['sms']);

function vendorCheck({ name, env, label, kinds, vendor }: ReturnType<typeof vendorsOf>[number]): Check {
  const choices = kinds.map((kind) => `${env}=${kind}`);
  const canBeOff = !INDISPENSABLE.has(name);
  const right = `请设 ${[...choices, ...(canBeOff ? [`${env}=off（关闭）`] : [])].join(' 或 ')}`;
  if (vendor.kind === 'off' && !canBeOff)
    return check(label, false, `${label}不能关闭（${env}=off）：注册、找回密码和提现确认都靠验证码，${right}`);
  return check(label, vendor.kind !== 'stand-in', `${label}还是演示用的替身（${env}=stand-in），${right}`);
}

/** A trial uses only stand-ins: no real vendor may process its play money. */
function trialVendorCheck({ env, label, vendor }: ReturnType<typeof vendorsOf>[number]): Check {
  return check(
    label,
    vendor.kind === 'stand-in' || vendor.kind === 'off',
    `试运行不接真实服务商：请去掉 ${env} 的设置（用替身），或设 ${env}=off；要接真实的，先运行 npm run go-live 清除试运行的数据，再去掉 TRIAL=1`,
  );
}

function trialPayCheck({ providers }: Config['pay']): Check {
  return check(
    '支付',
    providers.length === 1 && providers[0] === 'sandbox',
    '试运行只用沙箱支付：请去掉 PAY_PROVIDERS 的设置；要接真实渠道，先运行 npm run go-live 清除试运行的数据，再去掉 TRIAL=1',
  );
}

function payCheck({ providers }: Config['pay']): Check {
  const channels: string[] = payerChannels.map(({ channel }) => channel);
  const unknown = providers.filter((name) => name !== 'sandbox' && !channels.includes(name));
  const right = `请设 PAY_PROVIDERS=${channels.join('、')} 或 ${channels.join(',')}`;
  if (providers.includes('sandbox'))
    return check('支付', false, `支付还是演示用的替身（PAY_PROVIDERS=sandbox），谁都能按「已付款」；${right}`);
  if (providers.length === 0 || providers.includes('off'))
    return check('支付', false, `支付不能关闭：没有支付渠道就不能交易；${right}`);
  return check('支付', unknown.length === 0, `支付渠道 ${unknown.join('、')} 不存在；${right}`);
}

/** Connections to other machines in plain text. */
function transportChecks({ databaseUrl, migrateUrl, nodes, privateNetworks }: Config): Check[] {
  const addresses = [
    ['DATABASE_URL', databaseUrl, '在地址后加 ?sslmode=verify-full'],
    ['MIGRATE_DATABASE_URL', migrateUrl, '在地址后加 ?sslmode=verify-full'],
    ['DATABASE_DIRECT_URL', nodes.directUrl, '在地址后加 ?sslmode=verify-full'],
    ['DATABASE_READ_URL', nodes.readUrl, '在地址后加 ?sslmode=verify-full'],
    ['BUS_URL', nodes.busUrl, '用 rediss:// 开头的地址'],
    ['SEARCH_URL', nodes.searchUrl, '用 https 的地址'],
  ] as const;
  return addresses.map(([name, address, right]) =>
    check(
      name,
      address === undefined || !isPlainAcross(address, privateNetworks),
      `${name} 连到另一台机器却没有加密，密码和数据会走明文：请${right}；确实只走内网的，用 PRIVATE_NETWORKS 写明它的主机名或网段`,
    ),
  );
}

/** Beyond this difference from the database's clock, orders are confirmed and money is released at the wrong time. */
const MAX_SKEW_MS = 10_000;

/** Whether files can be stored in the data folder: pictures, the staff audit record and, without SECRET, the secret. */
export function folderCheck(dataDir: string): Check {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
    return check('数据文件夹', true, '');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return check(
      '数据文件夹',
      false,
      `${dataDir} 不能写入（${code}）：图片和操作记录的存证存不下来，请改权限或用 DATA_DIR 另选目录`,
    );
  }
}

/** The differences of a trial: only stand-ins, and one process, since the codes that it shows are in its memory. */
const trialChecks = (config: Config): Check[] => [
  trialPayCheck(config.pay),
  ...vendorsOf(config).map(trialVendorCheck),
  check('ROLE', config.nodes.role === 'all', '试运行只用一个进程：请去掉 ROLE，验证码在这个进程的内存里'),
];

/** The settings of a market outside the demo. A trial may also run on names of this machine, where TLS is not needed. */
export function settingChecks(config: Config): Check[] {
  const site = new URL(config.siteUrl);
  const { backstageHost, trial } = config;
  const isLocalTrial = trial && LOCAL.test(site.hostname);
  return [
    ...(trial ? trialChecks(config) : [payCheck(config.pay), ...vendorsOf(config).map(vendorCheck)]),
    ...transportChecks(config),
    check('SECRET', config.isSecretSet, '没有设 SECRET：请生成一个至少 32 个字符的随机串，和数据分开保存'),
    check(
      'SITE_URL',
      isLocalTrial || (site.protocol === 'https:' && !LOCAL.test(site.hostname)),
      'SITE_URL 没有设，或不是外部的 https 地址：请写平台站的网址，如 SITE_URL=https://www.example.com',
    ),
    check(
      'BACKSTAGE_HOST',
      (isLocalTrial || !LOCAL.test(backstageHost)) && backstageHost !== site.hostname && !/[/:]/.test(backstageHost),
      'BACKSTAGE_HOST 没有设，或不能用：请写后台自己的域名，不带协议和端口，不同于平台站，如 BACKSTAGE_HOST=desk.example.com',
    ),
    check(
      'SECURE_COOKIES',
      config.secureCookies || (isLocalTrial && site.protocol === 'http:'),
      '登录 Cookie 会走明文：请在前面放好 TLS（见 docs/OPERATIONS.md），并设 SECURE_COOKIES=1',
    ),
  ];
}

/** The settings of a demo: no real vendor may process its play money. A fake on this machine may. */
export function demoChecks(config: Config): Check[] {
  const { alipay, wechat } = config.pay;
  const gateways: Record<VendorChannelName, string | undefined> = { alipay: alipay?.gateway, wechat: wechat?.base };
  return [
    ...Object.entries(gateways).flatMap(([channel, base]) => {
      const label = payChannelName(channel);
      return base === undefined
        ? []
        : [check(label, isHere(base), `演示模式不接真实渠道：${label}请从 PAY_PROVIDERS 去掉，或设 DEMO=0 正式运行`)];
    }),
    ...vendorsOf(config)
      .filter(({ vendor }) => vendor.kind !== 'stand-in' && vendor.kind !== 'off')
      .map(({ label, env, vendor }) =>
        check(label, isFake(vendor), `演示模式不接真实渠道：${label}请去掉 ${env} 的设置，或设 DEMO=0 正式运行`),
      ),
  ];
}

/** The database as visible to the server's log-in. */
export function databaseChecks(details: DatabaseDetails, config: Pick<Config, 'secret' | 'previousSecrets'>): Check[] {
  const secrets = { secret: config.secret, previous: config.previousSecrets };
  return [
    check(
      'PostgreSQL 版本',
      versionProblem(details.version, details.versionText) === undefined,
      versionProblem(details.version, details.versionText) ?? '',
    ),
    check(
      '时钟',
      Math.abs(details.aheadMs) <= MAX_SKEW_MS,
      `这台机器的时钟比数据库${details.aheadMs > 0 ? '快' : '慢'} ${Math.round(Math.abs(details.aheadMs) / 1000)} 秒：订单确认、放款和验证码会按错误的时间进行，请给两台机器对时（NTP）后再启动`,
    ),
    check('数据库编码', details.encoding === 'UTF8', `数据库编码是 ${details.encoding}：请建一个 UTF8 编码的数据库`),
    check(
      '数据库扩展',
      details.missingExtensions.length === 0,
      `数据库服务器没有扩展 ${details.missingExtensions.join('、')}：请安装 PostgreSQL 的 contrib 包`,
    ),
    check(
      '数据库权限',
      details.isMember,
      'DATABASE_URL 的登录不属于 youshi_app：请运行 grant youshi_app to 该登录（见 docs/OPERATIONS.md「Database」）',
    ),
    check(
      '账本的保护',
      details.privileges.length === 0,
      `DATABASE_URL 的登录${details.privileges.join('，')}，能绕过账本和审计记录的保护：请另建一个只属于 youshi_app 的登录`,
    ),
    check(
      '只增的记录',
      details.writable.length === 0,
      `youshi_app 能改写 ${details.writable.join('、')}：请用所有者重新运行 npm run migrate，并撤销多给的权限`,
    ),
    check(
      '数据库连接',
      details.keepsOptions,
      '连接丢了角色和时限的设置（多半经过按事务分配的连接池）：请让 DATABASE_URL 直连 PostgreSQL，或另设 DATABASE_DIRECT_URL',
    ),
    ...details.pooled.map((problem) => check('连接池', false, problem)),
    check(
      '数据库的密钥',
      details.marks.every((mark) => secretOf(secrets, mark) !== undefined),
      new WrongSecret().message,
    ),
  ];
}

/** The log-in that owns the tables. */
export function ownerChecks({ createsTables, hasRole }: OwnerDetails): Check[] {
  const right = '见 docs/OPERATIONS.md「Database」的建库语句';
  return [
    check('建表的权限', createsTables, `MIGRATE_DATABASE_URL 的登录不能在库里建表：它应当是数据库的所有者，${right}`),
    check(
      '建角色的权限',
      hasRole,
      `没有角色 youshi_app，MIGRATE_DATABASE_URL 的登录也不能建：请给它 CREATEROLE，${right}`,
    ),
  ];
}

/** Reads with `read` and checks; a failed connection is a failed check. */
async function reached<T>(name: string, read: () => Promise<T>, judge: (details: T) => Check[]): Promise<Check[]> {
  try {
    return judge(await read());
  } catch (error) {
    if (error instanceof MigrationError) return [check(name, false, error.message)];
    const { code = '', message } = error as { code?: string; message: string };
    return [
      check(
        name,
        false,
        `${name} 连不上（${code === '' ? message : code}）：请检查地址、用户名、密码，以及数据库是否在运行`,
      ),
    ];
  }
}

/** The connections besides DATABASE_URL: each responds, and the direct one keeps a session. */
async function directChecks({ directUrl, readUrl }: Config['nodes']): Promise<Check[]> {
  const direct =
    directUrl === undefined
      ? []
      : await reached(
          'DATABASE_DIRECT_URL',
          () => databaseDetails(directUrl),
          ({ keepsOptions }) => [
            check('直连数据库', keepsOptions, 'DATABASE_DIRECT_URL 也经过按事务分配的连接池：它必须直连 PostgreSQL'),
          ],
        );
  const read =
    readUrl === undefined
      ? []
      : await reached(
          'DATABASE_READ_URL',
          () => databaseDetails(readUrl),
          () => [],
        );
  return [...direct, ...read];
}

async function connectedChecks(config: Config, url: string): Promise<Check[]> {
  const { migrateUrl } = config;
  const owner =
    migrateUrl === undefined ? [] : await reached('MIGRATE_DATABASE_URL', () => ownerDetails(migrateUrl), ownerChecks);
  const server = await reached(
    'DATABASE_URL',
    () => databaseDetails(url, config.nodes),
    (details) => databaseChecks(details, config),
  );
  const direct = await directChecks(config.nodes);
  if (migrateUrl !== undefined || server.length === 1) return [...owner, ...server, ...direct];
  const pending = await reached(
    '数据库结构',
    () => pendingMigrations({ database: url, dir: join(ROOT, 'db/migrations') }),
    (missing) => [
      check(
        '数据库结构',
        missing.length === 0,
        `数据库结构还差 ${missing.length} 项：请先用所有者运行 MIGRATE_DATABASE_URL=… npm run migrate`,
      ),
    ],
  );
  return [...server, ...direct, ...pending];
}

/** The checks of an installation with these settings; changes nothing. Development has none. */
async function runStartChecks(config: Config): Promise<Check[]> {
  if (config.demo) return demoChecks(config);
  if (!config.production) return [];
  const { databaseUrl } = config;
  return [
    ...settingChecks(config),
    folderCheck(config.dataDir),
    ...(databaseUrl === undefined ? [] : await connectedChecks(config, databaseUrl)),
  ];
}

/** The search engine in addition to PostgreSQL. It does not prevent a start, since PostgreSQL answers in its place. */
async function searchChecks({ databaseUrl, nodes }: Config): Promise<Check[]> {
  if (nodes.searchUrl === undefined) return [];
  const [kind = '', ...rest] = nodes.searchUrl.split('+');
  const where = `搜索引擎 ${kind}`;
  try {
    // Any response will do: its index shows whether it knows us.
    await fetch(new URL(rest.join('+')).origin, { signal: AbortSignal.timeout(5_000) });
  } catch {
    return [check(where, false, `${where} 连不上，商品搜索现在由 PostgreSQL 应答：请检查 SEARCH_URL 和引擎`)];
  }
  if (databaseUrl === undefined) return [check(where, true, '')];
  return await reached(
    'DATABASE_URL',
    () => searchDetails(databaseUrl),
    ({ live, lagMs }) => [
      check(where, live !== null, `${where} 还没有可用的索引，商品搜索现在由 PostgreSQL 应答：等待后台任务建好`),
      check(
        `${where} 的延迟`,
        lagMs <= nodes.searchLagMs,
        `${where} 落后 ${Math.round(lagMs / 1000)} 秒，超过 SEARCH_LAG_MS，商品搜索现在由 PostgreSQL 应答`,
      ),
    ],
  );
}

/**
 * Every check of the installation described by an environment; the server need not run. The embedded database is not checked: this version
 * includes it, and its secret is compared when the keys are opened.
 */
export async function startChecks(source: NodeJS.ProcessEnv): Promise<Check[]> {
  let config: Config;
  try {
    config = loadConfig(source);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.split('\n').map((problem) => ({ what: '设置', problem }));
  }
  return [...(await runStartChecks(config)), ...(await searchChecks(config))];
}

/** Throws an Error that lists all problems, one Chinese sentence each. */
export async function refuseBadStart(config: Config): Promise<void> {
  const problems = (await runStartChecks(config)).flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) return;
  const list = problems.map((problem, i) => `  ${i + 1}. ${problem}`);
  throw new Error(
    `设置有误，不能启动，共 ${problems.length} 处：\n${list.join('\n')}\n运行 npm run doctor 可以逐项检查。`,
  );
}
