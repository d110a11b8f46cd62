/** A trial (TRIAL=1): as production but for its vendors, shown only to staff, marked in the database, cleared by one command. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trialMessages } from '#subjects/back-office/contract/trial.ts';
import { clientSms } from '#subjects/accounts/contract/sms.ts';
import { localSms } from '#server/adapters/sms/local.ts';
import { loadConfig } from '#server/config/config.ts';
import { openPools } from '#server/context.ts';
import { registerCrawlers } from '#server/site-files/crawlers.ts';
import { refuseBadStart, settingChecks } from '#server/config/start-checks.ts';
import { endTrial, NotATrial, trialFigures } from '#server/trial-end.ts';
import { holdTrialMark } from '#subjects/back-office/server/system/trial-mark.ts';
import { newPhone, type TestApp, testApp } from '#tests/support/servers/build.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';

const log = pino({ level: 'silent' });
const dataDir = mkdtempSync(join(tmpdir(), 'youshi-trial-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  NODE_ENV: 'production',
  TRIAL: '1',
  DATA_DIR: dataDir,
  SECRET: 'a secret of tests, long enough to be taken',
  SITE_URL: 'https://trial.market.example',
  BACKSTAGE_HOST: 'desk.market.example',
  SECURE_COOKIES: '1',
  ...more,
});
const problemsOf = (more: Record<string, string> = {}): string[] =>
  settingChecks(loadConfig(settings(more))).flatMap(({ problem }) => problem ?? []);
const REAL_SMS = {
  SMS: 'aliyun',
  ALIYUN_SMS_KEY_ID: 'id',
  ALIYUN_SMS_KEY_SECRET: 'key',
  ALIYUN_SMS_SIGN: '市场',
  ALIYUN_SMS_TEMPLATES: 'code=SMS_1',
};

describe('settings', () => {
  it('start with the address, the host of the back office and a secret only, also on this machine without TLS', async () => {
    expect(problemsOf()).toEqual([]);
    const local = { SITE_URL: 'http://localhost:3000', BACKSTAGE_HOST: 'backstage.localhost', SECURE_COOKIES: '0' };
    expect(problemsOf(local)).toEqual([]);
    const config = loadConfig(settings(local));
    expect([config.host, loadConfig(settings()).host]).toEqual(['127.0.0.1', '0.0.0.0']);
    expect([config.demo, config.trial, config.production, config.staffPasskeys]).toEqual([false, true, true, true]);
    await expect(refuseBadStart(config)).resolves.toBeUndefined();
    expect(loadConfig(settings({ STAFF_PASSKEYS: '0' })).staffPasskeys).toBe(false);
    expect(loadConfig({ ...settings({ STAFF_PASSKEYS: '0' }), TRIAL: '0', DEMO: '0' }).staffPasskeys).toBe(true);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a real SMS vendor', REAL_SMS, /^试运行不接真实服务商：请去掉 SMS 的设置/],
    ['a site without TLS on a public name', { SITE_URL: 'http://trial.market.example' }, /^SITE_URL 没有设/],
    ['open cookies behind TLS', { SECURE_COOKIES: '0' }, /SECURE_COOKIES=1/],
    ['the same host for staff', { BACKSTAGE_HOST: 'trial.market.example' }, /^BACKSTAGE_HOST 没有设，或不能用/],
    [
      'several processes',
      { ROLE: 'web', BUS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: 'postgres://u@127.0.0.1/m' },
      /^试运行只用一个进程/,
    ],
  ])('refuse %s', (_what, more, sentence) => {
    expect(problemsOf(more)).toEqual([expect.stringMatching(sentence)]);
  });

  it('refuse a demo and a trial together; a market without TRIAL refuses stand-ins as before', () => {
    expect(() => loadConfig(settings({ DEMO: '1' }))).toThrow(/TRIAL=1 .*不能与演示市场/);
    const real = settingChecks(loadConfig({ ...settings(), TRIAL: '0', DEMO: '0' })).flatMap(
      ({ problem }) => problem ?? [],
    );
    expect(real.filter((problem) => problem.includes('演示用的替身'))).toHaveLength(7);
  });
});

describe('a running trial', () => {
  let t: TestApp;
  let real: TestApp;
  const sink = localSms({ sink: undefined, log, shownAt: '后台「试运行」' });
  beforeAll(async () => {
    t = await testApp({ env: { TRIAL: '1', DEMO: '0', LIMIT_FACTOR: '1000' }, overrides: { sms: sink } });
    real = await testApp({ env: { DEMO: '0' } });
  });
  afterAll(async () => {
    await t.close();
    await real.close();
  });

  it('shows codes to administrators of the platform, and to nobody else', async () => {
    const phone = newPhone();
    const asked = await t.client().call(clientSms, { phone, type: 'register' });
    expect(asked.code).toBe(0);
    const code = sink.recent?.()[0]?.code ?? 'none';
    expect(code).toMatch(/^\d{6}$/);
    expect(JSON.stringify(asked)).not.toContain(code);
    const admin = await t.newStaff({ role: 'admin' });
    expect((await admin.client.ok(trialMessages, {})).codes[0]).toMatchObject({ phone, code });
    const service = await t.newStaff({ role: 'service' });
    const outside = [service.client, (await t.newUser()).client, t.client(), t.client({ host: 'backstage.localhost' })];
    for (const client of outside) {
      const result = await client.call(trialMessages, {});
      expect([401, 403, 404]).toContain(result.status);
      expect(JSON.stringify(result)).not.toContain(code);
    }
  });

  it('does not exist in a market that is no trial', async () => {
    const admin = await real.newStaff({ role: 'admin' });
    expect((await admin.client.call(trialMessages, {})).status).toBe(404);
  });

  it('is not indexed: a header on every response, robots.txt, no sitemap', async () => {
    const get = (app: TestApp, url: string) => app.app.http.inject({ url, headers: { host: 'localhost' } });
    expect((await get(t, '/healthz')).headers['x-robots-tag']).toBe('noindex, nofollow');
    expect((await get(t, '/api/common/gameList')).headers['x-robots-tag']).toBe('noindex, nofollow');
    expect((await get(real, '/healthz')).headers['x-robots-tag']).toBeUndefined();
    const http = Fastify();
    registerCrawlers(http, t.ctx, {
      dist: () => t.ctx.dir.platform(),
      isBackstage: () => false,
      publicPaths: () => Promise.resolve(['/']),
    });
    const robots = await http.inject({ url: '/robots.txt', headers: { host: 'localhost' } });
    expect(robots.body).toBe('User-agent: *\nDisallow: /\n');
    for (const url of ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-goods-1.xml'])
      expect((await http.inject({ url, headers: { host: 'localhost' } })).statusCode).toBe(404);
  });
});

describe('the mark, and the end', () => {
  let database: TestDatabase;
  let pools: ReturnType<typeof openPools>;
  const trial = loadConfig(settings());
  const market = loadConfig({ ...settings(REAL_SMS), TRIAL: '0', DEMO: '0', PAY_PROVIDERS: 'sandbox' });
  const close = async () => await Promise.all([pools.db.destroy(), pools.relaxed.destroy()]);
  const open = () => {
    pools = openPools({ url: database.url, max: 2, log });
    return pools.db;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => await database.drop());
  const end = (name: string) =>
    endTrial({ ownerUrl: database.ownerUrl, name, dataDir, auditHeads: join(dataDir, 'heads.jsonl'), log });

  it('keeps trial and market apart, also of two that start at once', async () => {
    const db = open();
    await holdTrialMark({ config: market, db });
    await expect(trialFigures(database.ownerUrl)).rejects.toThrow(NotATrial);
    await Promise.all([holdTrialMark({ config: trial, db }), holdTrialMark({ config: trial, db })]);
    await expect(holdTrialMark({ config: market, db })).rejects.toThrow(/试运行的.*go-live/);
    await sql`update setup_state set finished_at = now()`.execute(db);
    await holdTrialMark({ config: trial, db });
    await close();
    const used = await createTestDatabase();
    await asSuperuser(used.name, 'update setup_state set finished_at = now()');
    const other = openPools({ url: used.url, max: 1, log });
    await expect(holdTrialMark({ config: trial, db: other.db })).rejects.toThrow(/已有正式的市场/);
    await Promise.all([other.db.destroy(), other.relaxed.destroy()]);
    await expect(
      endTrial({ ownerUrl: used.ownerUrl, name: '游市', dataDir, auditHeads: join(dataDir, 'x'), log }),
    ).rejects.toThrow(/不是试运行的/);
    await used.drop();
  });

  it('refuses a wrong name, a running server and money of a real channel; nothing is cleared', async () => {
    mkdirSync(join(dataDir, 'uploads'), { recursive: true });
    writeFileSync(join(dataDir, 'uploads/a.jpg'), 'x');
    writeFileSync(join(dataDir, 'heads.jsonl'), '{}\n');
    const { name } = await trialFigures(database.ownerUrl);
    await expect(end(`${name}2`)).rejects.toThrow(/名称不一致/);
    await expect(trialFigures(database.url)).rejects.toThrow(/MIGRATE_DATABASE_URL/);
    await sql`select 1`.execute(open());
    await expect(end(name)).rejects.toThrow(/请先停掉服务器/);
    await close();
    await asSuperuser(
      database.name,
      `insert into payment (pay_rand, inter_sn, dist_id, user_id, purpose, channel, pay_mode, amount_fen, expires_at)
       values ('r', 's', 1, 1, 'topup', 'alipay', 1, 100, now())`,
    );
    await expect(end(name)).rejects.toThrow(/真实渠道（alipay）/);
    await asSuperuser(database.name, 'delete from payment');
    expect(existsSync(join(dataDir, 'uploads/a.jpg'))).toBe(true);
    expect(await trialFigures(database.ownerUrl)).toEqual({ name, users: 0, orders: 0 });
    // The account in whose name the platform recycles is no user (makePlatform).
    await asSuperuser(
      database.name,
      `with made as (insert into app_user (dist_id, phone_hash, phone_enc, phone_mask, nick_name, union_num, invite_code)
         select 1, decode(md5(n), 'hex'), ''::bytea, '100****0052', n, 'U' || left(md5(n), 7), left(md5(n), 6)
         from unnest(array['平台回收', '试用买家']) n returning id, nick_name)
       insert into recycler (user_id, dist_id, name, day_limit_fen, status, is_platform)
         select id, 1, nick_name, 100, 1, true from made where nick_name = '平台回收'`,
    );
    expect(await trialFigures(database.ownerUrl)).toMatchObject({ users: 1 });
  });

  it('clears everything, and a real market starts on what is left', async () => {
    const { name } = await trialFigures(database.ownerUrl);
    await asSuperuser(database.name, `update distributor set conf = '{"rehearsed":true}' where id = 1`);
    await end(name);
    expect([existsSync(join(dataDir, 'uploads')), existsSync(join(dataDir, 'heads.jsonl'))]).toEqual([false, false]);
    const db = open();
    await holdTrialMark({ config: market, db });
    const { rows } = await sql<{ isFresh: boolean }>`select trial_since is null and finished_at is null
      and not exists (select from distributor where conf ? 'rehearsed') as "isFresh" from setup_state`.execute(db);
    expect(rows).toEqual([{ isFresh: true }]);
    await close();
    await expect(trialFigures(database.ownerUrl)).rejects.toThrow(/不是试运行的/);
  });
});
