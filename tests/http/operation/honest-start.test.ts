/** Production is honest: everything simulated, missing or wrong stops the start with its sentence, all of them together. */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { openDatabase } from '#server/db/client.ts';
import { databaseDetails, ownerDetails } from '#server/db/details.ts';
import { openKeys } from '#server/secrets/keyring.ts';
import { databaseChecks, folderCheck, ownerChecks, refuseBadStart, startChecks } from '#server/config/start-checks.ts';
import { testApp } from '#tests/support/servers/build.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';

const SECRET = 'a secret of tests, long enough to be taken';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
let database: TestDatabase;
let other: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'youshi-honest-'));
  [database, other] = [await createTestDatabase(), await createTestDatabase()];
  for (const [{ url }, secret] of [
    [database, SECRET],
    [other, 'a secret of another installation long enough'],
  ] as const) {
    const { db } = openDatabase({ url, role: 'youshi_app', max: 1, log: pino({ level: 'silent' }) });
    await openKeys(db, { secret: Buffer.from(secret), previous: [] }, { derived: false });
    await db.destroy();
  }
});
afterAll(async () => {
  await database.drop();
  await other.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Settings under which nothing is wrong. */
const good = (): Record<string, string> => ({
  NODE_ENV: 'production',
  DEMO: '0',
  DATA_DIR: dataDir,
  DATABASE_URL: database.url,
  MIGRATE_DATABASE_URL: database.ownerUrl,
  SECRET,
  SITE_URL: 'https://www.market.example',
  BACKSTAGE_HOST: 'desk.market.example',
  SECURE_COOKIES: '1',
  SMS: 'aliyun',
  ALIYUN_SMS_KEY_ID: 'id',
  ALIYUN_SMS_KEY_SECRET: 'key',
  ALIYUN_SMS_SIGN: '市场',
  ALIYUN_SMS_TEMPLATES: 'code=SMS_1,notice=SMS_2',
  MAIL: 'off',
  REAL_NAME: 'off',
  WECHAT_LOGIN: 'off',
  OFFICIAL_ACCOUNT: 'off',
  LINK_PUSH: 'off',
  PAY_PROVIDERS: 'alipay',
  PAY_ORIGIN: 'https://www.market.example',
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_SELLER_ID: '2088000000000001',
  ALIPAY_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ALIPAY_PUBLIC_KEY: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
});

const without = (...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(good()).filter(([name]) => !names.includes(name)));

const problemsOf = async (env: Record<string, string>): Promise<string[]> =>
  (await startChecks(env)).flatMap(({ problem }) => problem ?? []);

describe('outside the demo', () => {
  it('starts when everything is valid, with real names, mail and WeChat switched off by name', async () => {
    expect(await problemsOf(good())).toEqual([]);
    await expect(refuseBadStart(loadConfig(good()))).resolves.toBeUndefined();
  });

  it.each<[string, Record<string, string | undefined>, RegExp]>([
    ['play money', { PAY_PROVIDERS: undefined }, /^支付还是演示用的替身/],
    ['no way to pay', { PAY_PROVIDERS: 'off' }, /^支付不能关闭/],
    ['an unknown way to pay', { PAY_PROVIDERS: 'alipay,paypal' }, /^支付渠道 paypal 不存在/],
    [
      'SMS that go nowhere',
      { SMS: undefined },
      /^短信还是演示用的替身（SMS=stand-in），请设 SMS=aliyun 或 SMS=tencent$/,
    ],
    ['no SMS', { SMS: 'off' }, /^短信不能关闭/],
    ['mail that goes nowhere', { MAIL: undefined }, /^邮件还是演示用的替身.*MAIL=off（关闭）$/],
    ['no check of real names', { REAL_NAME: undefined }, /^实名认证还是演示用的替身.*REAL_NAME=off/],
    ['a simulated phone', { WECHAT_LOGIN: undefined }, /^微信登录还是演示用的替身.*WECHAT_LOGIN=off/],
    [
      'messages without a channel',
      { OFFICIAL_ACCOUNT: undefined },
      /^公众号消息还是演示用的替身.*OFFICIAL_ACCOUNT=off/,
    ],
    [
      'pages that no search engine is told of',
      { LINK_PUSH: undefined },
      /^搜索引擎推送还是演示用的替身.*LINK_PUSH=off/,
    ],
    ['open cookies', { SECURE_COOKIES: undefined }, /SECURE_COOKIES=1/],
    ['no site', { SITE_URL: undefined }, /^SITE_URL 没有设/],
    ['a site without TLS', { SITE_URL: 'http://www.market.example' }, /^SITE_URL 没有设，或不是外部的 https/],
    ['a site on this machine', { SITE_URL: 'https://localhost' }, /^SITE_URL 没有设，或不是外部的 https/],
    ['no host for staff', { BACKSTAGE_HOST: undefined }, /^BACKSTAGE_HOST 没有设/],
    ['staff on the public host', { BACKSTAGE_HOST: 'www.market.example' }, /^BACKSTAGE_HOST 没有设，或不能用/],
    ['half a vendor', { ALIYUN_SMS_SIGN: undefined }, /SMS=aliyun 还需要 ALIYUN_SMS_SIGN/],
  ])('rejects %s', async (_what, planted, sentence) => {
    const env = { ...good(), ...planted };
    const set = Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined));
    const problems = await problemsOf(set);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.replace(/^设置有误：/, '')).toMatch(sentence);
  });

  it('does not start without SECRET, also when a file could store it', async () => {
    expect(await problemsOf(without('SECRET'))).toEqual([expect.stringContaining('必须设置 SECRET')]);
    const embedded = await problemsOf(without('SECRET', 'DATABASE_URL', 'MIGRATE_DATABASE_URL'));
    expect(embedded).toEqual([expect.stringMatching(/^没有设 SECRET/)]);
  });

  it('is production when no mode is set', () => {
    expect(loadConfig(without('NODE_ENV')).production).toBe(true);
    expect(loadConfig({ DATA_DIR: dataDir }).production).toBe(false);
  });

  it('rejects another secret than the database’s, unless that is given as the previous one', async () => {
    const env = { ...good(), DATABASE_URL: other.url, MIGRATE_DATABASE_URL: other.ownerUrl };
    expect(await problemsOf(env)).toEqual([expect.stringMatching(/^SECRET 不是填充这个数据库的那一个/)]);
    const changing = { ...env, SECRET_PREVIOUS: 'a secret of another installation long enough' };
    expect(await problemsOf(changing)).toEqual([]);
  });

  it('lists every incomplete setting in one run', async () => {
    const problems = await problemsOf({ ...without('ALIYUN_SMS_SIGN', 'ALIPAY_APP_ID'), MAIL: 'smtp' });
    expect(problems).toHaveLength(3);
  });

  it('rejects a role that owns the tables, and a database that does not respond', async () => {
    const owner = await problemsOf({ ...good(), DATABASE_URL: database.ownerUrl });
    expect(owner).toContainEqual(expect.stringMatching(/^DATABASE_URL 的登录.*能绕过账本/));
    const nowhere = new URL(database.url);
    nowhere.port = '1';
    const problems = await problemsOf({ ...without('MIGRATE_DATABASE_URL'), DATABASE_URL: nowhere.href });
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_URL 连不上（ECONNREFUSED）/)]);
    expect(problems.join('')).not.toContain(nowhere.password || '@');
  });
});

it('a data folder that cannot be written is named with the way out', () => {
  expect(folderCheck(join(dataDir, 'new')).problem).toBeUndefined();
  writeFileSync(join(dataDir, 'taken'), '');
  expect(folderCheck(join(dataDir, 'taken/inside')).problem).toMatch(
    /taken\/inside 不能写入（\w+）.*DATA_DIR 另选目录$/,
  );
});

describe('a database', () => {
  const config = { secret: Buffer.from(SECRET), previousSecrets: [] };
  const problems = (checks: ReturnType<typeof databaseChecks>): string[] =>
    checks.flatMap(({ problem }) => problem ?? []);

  it.each([
    ['older than 16', { version: 150_018, versionText: '15.18' }, /^PostgreSQL 15.18 太旧：需要 16/],
    ['behind this clock', { aheadMs: 864_000_000 }, /^这台机器的时钟比数据库快 864000 秒/],
    ['ahead of this clock', { aheadMs: -20_000 }, /^这台机器的时钟比数据库慢 20 秒/],
    ['of another encoding', { encoding: 'SQL_ASCII' }, /^数据库编码是 SQL_ASCII/],
    ['without an extension', { missingExtensions: ['pg_trgm'] }, /没有扩展 pg_trgm/],
    ['whose role is not a member', { isMember: false }, /不属于 youshi_app/],
    ['behind a pooler by transaction', { keepsOptions: false }, /^连接丢了角色和时限/],
  ])('%s is rejected', async (_what, planted, sentence) => {
    const details = await databaseDetails(database.url);
    expect(problems(databaseChecks(details, config))).toEqual([]);
    expect(problems(databaseChecks({ ...details, ...planted }, config))).toEqual([expect.stringMatching(sentence)]);
  });

  it('is rejected when any role may write its ledger', async () => {
    const loose = await createTestDatabase();
    try {
      await asSuperuser(loose.name, 'grant insert, update on ledger_entry to youshi_app');
      const found = problems(databaseChecks(await databaseDetails(loose.url), config));
      expect(found).toEqual([expect.stringMatching(/^youshi_app 能改写 ledger_entry/)]);
    } finally {
      await loose.drop();
    }
  });

  it('needs an owner that can create tables and the role', async () => {
    expect(problems(ownerChecks(await ownerDetails(database.ownerUrl)))).toEqual([]);
    expect(problems(ownerChecks(await ownerDetails(database.url)))).toEqual([expect.stringMatching(/不能在库里建表/)]);
    expect(problems(ownerChecks({ createsTables: true, hasRole: false }))).toEqual([
      expect.stringMatching(/没有角色 youshi_app.*CREATEROLE/),
    ]);
  });
});

describe('a demo', () => {
  const demo = { DATA_DIR: mkdtempSync(join(tmpdir(), 'youshi-demo-checks-')) };
  afterAll(() => rmSync(demo.DATA_DIR, { recursive: true, force: true }));
  it('accepts simulated adapters and fakes on this machine, and no real channel', async () => {
    expect(await problemsOf(demo)).toEqual([]);
    const { NODE_ENV: _env, DEMO: _demo, DATABASE_URL: _url, MIGRATE_DATABASE_URL: _owner, ...real } = good();
    const found = await problemsOf({ ...real, ...demo });
    expect(found).toEqual([
      expect.stringMatching(/^演示模式不接真实渠道：支付宝/),
      expect.stringMatching(/^演示模式不接真实渠道：短信/),
    ]);
    const here = { ALIPAY_GATEWAY: 'http://127.0.0.1:1/gateway.do', ALIYUN_SMS_BASE: 'http://127.0.0.1:1' };
    expect(await problemsOf({ ...real, ...demo, ...here })).toEqual([]);
  });
});

it('exits with all messages together', async () => {
  const env = { ...without('SECURE_COOKIES', 'SITE_URL', 'SMS'), PATH: process.env.PATH ?? '', PORT: '0' };
  const child = spawn(process.execPath, ['server/main.ts'], { env });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(1);
  expect(said).toMatch(/不能启动，共 3 处：\n {2}1\. 短信还是.*\n {2}2\. SITE_URL 没有设.*\n {2}3\. 登录 Cookie/);
});

it('serves no host name of this machine in production, whatever the table of hosts contains', async () => {
  const t = await testApp({ env: { NODE_ENV: 'production' } });
  try {
    const { db } = t.ctx;
    await db.insertInto('dist_host').values({ dist_id: 1, host: 'www.market.example' }).execute();
    await t.ctx.dir.reload();
    const status = async (host: string): Promise<number> =>
      (await t.client({ host }).raw({ method: 'GET', url: '/api/games/list' })).statusCode;
    for (const host of ['localhost', 'moon.localhost', '127.0.0.1', '[::1]']) expect(await status(host)).toBe(421);
    expect(await status('www.market.example')).not.toBe(421);
  } finally {
    await t.close();
  }
});
