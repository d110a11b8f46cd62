/** The first start: one address, one administrator, steps that can be left and resumed, and an end. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffInfo, staffLogin } from '#subjects/back-office/contract/sign-in.ts';
import * as c from '#subjects/back-office/contract/setup.ts';
import { codes } from '#contract/codes.ts';
import { base32, totpCode } from '#server/kernel/secrets/totp.ts';
import { openSetup } from '#subjects/back-office/server/service.ts';
import { checkList, type SetupDetails } from '#subjects/back-office/server/setup/rules.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { BACKSTAGE_HOST, type TestApp, testApp } from '#tests/support/servers/build.ts';
import type { CallResult, TestClient } from '#tests/support/servers/client.ts';

const PASSWORD = 'First-start-2026';
const errorOf = ({ code }: CallResult<unknown>): string =>
  Object.entries(codes).find(([, [number]]) => number === code)?.[0] ?? (code === 0 ? 'OK' : String(code));

let t: TestApp;
const office = (): TestClient => t.client({ host: BACKSTAGE_HOST });
const printed = async (): Promise<string> => (await openSetup(t.ctx))?.address.split('#')[1] ?? '';

async function claim(
  token: string,
  login: string,
): Promise<{ result: CallResult<unknown>; client: TestClient; secret: string }> {
  const client = office();
  const open = await client.call(c.setupOpen, { token });
  const secret = open.data?.secret ?? 'GEZDGNBVGY3TQOJQ';
  const result = await client.call(c.setupAdmin, {
    token,
    login,
    name: '首位管理员',
    newPassword: PASSWORD,
    code: totpCode(secret, Date.now()),
  });
  if (result.code === 0) client.token = (result.data as { token: string }).token;
  return { result, client, secret };
}

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
});
afterAll(async () => await t.close());

let admin: TestClient;

describe('the printed address', () => {
  test('is new at each start, stored as a hash, and not found on other hosts', async () => {
    const [first, second] = [await printed(), await printed()];
    expect(first).not.toBe(second);
    const { rows } = await sql<{ text: string }>`select k::text as text from setup_token k`.execute(t.ctx.db);
    expect(rows.some(({ text }) => text.includes(first))).toBe(false);
    expect(errorOf(await t.client().call(c.setupOpen, { token: first }))).toBe('NOT_FOUND');
    expect(errorOf(await office().call(c.setupOpen, { token: 'x'.repeat(43) }))).toBe('INVITE_GONE');
  });

  test('A11: its second factor cannot be computed from the address, and stays the same while it is open', async () => {
    const token = await printed();
    const offered = async () => (await office().ok(c.setupOpen, { token })).secret;
    const secret = await offered();
    expect(await offered()).toBe(secret);
    const derived = createHmac('sha256', token).update('setup second factor').digest().subarray(0, 20);
    expect(secret).not.toBe(base32(derived));
    const other = await office().ok(c.setupOpen, { token: await printed() });
    expect(other.secret).not.toBe(secret);
  });

  test('expires after a day', async () => {
    const token = await printed();
    await passTime(t.ctx.db, 'setup_token', {}, { until: 'expires_at' });
    expect(errorOf(await office().call(c.setupOpen, { token }))).toBe('INVITE_GONE');
  });

  test('returns field errors, and creates no user', async () => {
    const token = await printed();
    const good = { token, login: 'admin', name: '甲', newPassword: PASSWORD, code: '000000' };
    const wrong = async (over: object) => {
      const result = await office().call(c.setupAdmin, { ...good, ...over });
      return [errorOf(result), result.field];
    };
    expect(await wrong({ login: '1' })).toEqual(['BAD_INPUT', 'login']);
    expect(await wrong({ name: ' ' })).toEqual(['BAD_INPUT', 'name']);
    expect(await wrong({ newPassword: '1234567890' })).toEqual(['BAD_INPUT', 'newPassword']);
    expect(await wrong({})).toEqual(['SECOND_FACTOR_WRONG', 'code']);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from staff where id > 0`.execute(t.ctx.db);
    expect(rows[0]?.n).toBe(0);
  });

  test('eight concurrent uses of two addresses create one administrator; then no address is printed', async () => {
    const tokens = [await printed(), await printed()];
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(tokens[i % 2] ?? '', `admin${i}`)));
    expect(results.map(({ result }) => errorOf(result)).toSorted()).toEqual([
      ...Array<string>(7).fill('INVITE_GONE'),
      'OK',
    ]);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from staff where id > 0`.execute(t.ctx.db);
    expect(rows[0]?.n).toBe(1);
    const winner = results.find(({ result }) => result.code === 0);
    if (!winner) throw new Error('nobody won');
    admin = winner.client;
    expect((await admin.ok(staffInfo, {})).role).toBe('admin');
    expect(await openSetup(t.ctx)).toBeUndefined();
    // The code that bound the second factor opens nothing more.
    const login = results.findIndex(({ result }) => result.code === 0);
    const again = { login: `admin${login}`, password: PASSWORD, code: totpCode(winner.secret, Date.now()) };
    expect(errorOf(await office().call(staffLogin, again))).toBe('SECOND_FACTOR_WRONG');
  });
});

describe('the steps', () => {
  test('start with the name, which is on the site immediately', async () => {
    expect(await admin.ok(c.setupInfo, {})).toMatchObject({ next: 'name', done: [], isFinished: false });
    const short = await admin.call(c.setupName, { name: '短' });
    expect([errorOf(short), short.field]).toEqual(['BAD_INPUT', 'name']);
    await admin.ok(c.setupName, { name: '新市场', serviceNum: '400-1', icpNum: '京ICP备1号' });
    const { distBaseConf, bottomVerInfo } = t.ctx.dir.platform().conf;
    expect(distBaseConf.websiteName).toBe('新市场');
    // Texts shipped with the default name contain the new one.
    expect([distBaseConf.watermark, distBaseConf.hdrBarWelceWord, bottomVerInfo.copyright]).toEqual([
      '新市场',
      '欢迎来到新市场，钱由平台托管，号到手再放款',
      '新市场',
    ]);
    expect(await admin.ok(c.setupInfo, {})).toMatchObject({
      next: 'hosts',
      platform: { name: '新市场', serviceNum: '400-1', icpNum: '京ICP备1号' },
    });
  });

  test('give the platform a host, once', async () => {
    const wrong = await admin.call(c.setupHost, { host: 'https://www.example.com' });
    expect([errorOf(wrong), wrong.field]).toEqual(['BAD_INPUT', 'host']);
    await admin.ok(c.setupHost, { host: 'WWW.Market.cn' });
    expect(t.ctx.dir.byHost('www.market.cn')?.id).toBe(1);
    const twice = await admin.call(c.setupHost, { host: 'www.market.cn' });
    expect([errorOf(twice), twice.field]).toEqual(['BAD_INPUT', 'host']);
    await admin.ok(c.setupGoOn, { step: 'hosts' });
  });

  test('load games of the catalogue; repeated, nothing changes; an unknown one loads none', async () => {
    const unknown = await admin.call(c.setupGames, { codes: ['wzry', 'nothing'] });
    expect([errorOf(unknown), unknown.field]).toEqual(['BAD_INPUT', 'codes']);
    const loaded = async () =>
      (await admin.ok(c.setupInfo, {})).games.filter(({ isLoaded }) => isLoaded).map(({ code }) => code);
    expect(await loaded()).toEqual([]);
    expect(await admin.ok(c.setupGames, { codes: ['wzry', 'lol'] })).toEqual({ loaded: 2 });
    expect((await loaded()).toSorted()).toEqual(['lol', 'wzry']);
    expect(await admin.ok(c.setupGames, { codes: ['wzry'] })).toEqual({ loaded: 0 });
  });

  test('end with a list of open tasks, each with its page', async () => {
    await admin.ok(c.setupGoOn, { step: 'vendors' });
    const { next, checks } = await admin.ok(c.setupInfo, {});
    expect(next).toBeNull();
    const stateOf = (key: string) => checks.find((item) => item.key === key)?.isDone;
    expect(['name', 'hosts', 'games', 'admins', 'finance'].map(stateOf)).toEqual([true, true, true, false, false]);
    const open = ['texts', 'backup', 'watch', 'order', 'fees'];
    expect(open.map(stateOf)).toEqual(open.map(() => false));
    // The real name is checked by a stand-in here, so it is left.
    expect(checks.some(({ key, isDone }) => key.startsWith('vendor.') && !isDone)).toBe(true);
    expect(checks.every(({ to, text }) => to.startsWith('/backstage/') && text !== '')).toBe(true);
  });

  test('respond to eight concurrent finishes, make one record, and close the page', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => admin.call(c.setupGoOn, { step: 'finish' })));
    expect(results.map(errorOf).every((error) => error === 'OK' || error === 'NOT_FOUND')).toBe(true);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from audit_log where act = 'setup.finish'`.execute(t.ctx.db);
    expect(rows[0]?.n).toBe(1);
    expect(errorOf(await admin.call(c.setupInfo, {}))).toBe('NOT_FOUND');
    expect(errorOf(await admin.call(c.setupName, { name: '又一个名' }))).toBe('NOT_FOUND');
  });
});

describe('the check list', () => {
  const at = new Date('2026-11-29T20:00:00Z');
  const details = (more: Partial<SetupDetails>): SetupDetails => ({
    isNamed: true,
    publicHosts: 1,
    games: 1,
    admins: 2,
    service: 1,
    reviewers: 1,
    finance: 2,
    vendors: [],
    trialOf: () => undefined,
    backups: 0,
    hasOwnTexts: false,
    completedOrders: 0,
    mailsAudit: false,
    hasMetrics: false,
    isTrial: false,
    ...more,
  });
  const sms = { key: 'sms.aliyun', label: '阿里云短信', subject: '短信' };
  const vendorOf = (state: 'on' | 'off' | 'stand-in', result?: { ok: boolean; at: Date }) =>
    checkList(details({ vendors: [{ ...sms, state }], trialOf: (key) => (key === sms.key ? result : undefined) })).find(
      ({ key }) => key === 'vendor.sms.aliyun',
    );

  test('a vendor is done after a trial that succeeded, and open after none or one that failed', () => {
    expect(vendorOf('on')).toMatchObject({ isDone: false, text: '短信：阿里云短信，还没有试过', canTry: true });
    expect(vendorOf('on', { ok: false, at })).toMatchObject({
      isDone: false,
      text: expect.stringContaining('试用失败'),
    });
    expect(vendorOf('on', { ok: true, at })).toMatchObject({
      isDone: true,
      text: '短信：阿里云短信，2026-11-30 试用成功',
    });
    expect(vendorOf('off')).toMatchObject({ isDone: true, canTry: false });
    expect(vendorOf('stand-in', { ok: true, at })).toMatchObject({ isDone: false });
    const inTrial = checkList(details({ isTrial: true, vendors: [{ ...sms, state: 'stand-in' }] }));
    expect(inTrial.find(({ key }) => key === 'vendor.sms.aliyun')).toMatchObject({ isDone: true, canTry: true });
  });

  test('backup, own texts, a test order and the watch are done when they were made', () => {
    const made = { backups: 1, hasOwnTexts: true, completedOrders: 1, mailsAudit: true, hasMetrics: true };
    const stateOf = (list: ReturnType<typeof checkList>) =>
      Object.fromEntries(list.map(({ key, isDone }) => [key, isDone]));
    expect(stateOf(checkList(details(made)))).toMatchObject({ backup: true, texts: true, order: true, watch: true });
    expect(stateOf(checkList(details({ ...made, mailsAudit: false })))).toMatchObject({ watch: false });
  });
});
