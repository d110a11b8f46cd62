/** The defences before any business rule: cross-site requests, hosts, headers, budgets, faults, rights. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { codes } from '#contract/codes.ts';
import { submitCertificate } from '#subjects/verification/contract/identity.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { getScaleConf } from '#subjects/orders/contract/site-figures.ts';
import { endpoint } from '#contract/endpoint.ts';
import { certificateCheck } from '#subjects/guarantees/contract/guarantee.ts';
import { endpoints } from '#contract/registry.ts';
import { changeUserUsualInfo, login, qqLogin, register, userInfo } from '#subjects/accounts/contract/user.ts';
import { loadConfig } from '#server/config/config.ts';
import { Server } from '#server/http/serve.ts';
import { cookieName, anonymous } from '#server/access/session.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { contentSecurityPolicy } from '#server/ssr/ssr-headers.ts';
import { BACKSTAGE_HOST, newPhone, type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame } from '#tests/support/goods/goods.ts';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';

const PASSWORD = 'Correct-horse-9';
const FORM = 'application/x-www-form-urlencoded';

let t: TestApp;
let logged = '';

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) });
  t = await testApp({ overrides: { log } });
  await addGame(t.ctx, { handover: true });
});
afterAll(async () => await t.close());

describe("a request from another site with a user's cookies and session", () => {
  let user: TestUser;
  let csrf: string;
  beforeEach(async () => {
    user = await t.newUser({ nickName: '原来的名字' });
    csrf = user.client.jar.get('csrfToken') ?? '';
  });

  /** Requests a change of the nickname; returns status and code, and whether the name has changed. */
  async function rename(headers: Record<string, string>, body = 'nickName=hijacked', type = FORM) {
    const response = await user.client.raw({
      method: 'POST',
      url: changeUserUsualInfo.path,
      headers: { 'content-type': type, ...headers },
      payload: body,
    });
    const { nickName } = await user.client.ok(userInfo, {});
    return [response.statusCode, response.json<{ code: number }>().code, nickName];
  }

  const rejected = [403, codes.CSRF[0], '原来的名字'];

  test.each([
    ['without the value that only our pages can read', { 'x-csrf-token': '' }],
    ['with a wrong value', { 'x-csrf-token': 'x'.repeat(43) }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['from an origin that begins like ours', { origin: 'http://localhost.evil.example' }],
    ['from a sister host', { origin: 'http://moon.localhost' }],
    ['marked cross-site by the browser', { 'sec-fetch-site': 'cross-site' }],
    ['marked same-site by the browser', { 'sec-fetch-site': 'same-site' }],
  ])('%s', async (_, headers: Record<string, string>) => {
    expect(await rename(headers)).toEqual(rejected);
  });

  test("is rejected with another user's value, or one planted as a cookie", async () => {
    const stranger = await t.newUser();
    expect(await rename({ 'x-csrf-token': stranger.client.jar.get('csrfToken') ?? '' })).toEqual(rejected);
    user.client.jar.set('csrfToken', 'planted');
    expect(await rename({ 'x-csrf-token': 'planted' })).toEqual(rejected);
  });

  test('is rejected as the plain text that a form of another site can send', async () => {
    expect((await rename({}, '{"nickName":"hijacked"}', 'text/plain')).slice(0, 2)).toEqual([
      415,
      codes.UNSUPPORTED_TYPE[0],
    ]);
  });

  test('while our own pages are accepted', async () => {
    const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf };
    expect(await rename(own, 'nickName=renamed')).toEqual([200, 0, 'renamed']);
  });

  test('no write is possible by GET, and no other method replaces POST', async () => {
    const served = new Set(t.app.server.served());
    const posts = endpoints.filter(
      (e) => e.method === 'POST' && served.has(`POST ${e.path}`) && !served.has(`GET ${e.path}`),
    );
    expect(posts.length).toBeGreaterThan(30);
    for (const { path } of posts) {
      const headers = {
        'x-http-method-override': 'POST',
        host: path.startsWith('/api/backstage') ? BACKSTAGE_HOST : 'localhost',
      };
      const response = await user.client.raw({ method: 'GET', url: `${path}?_method=POST`, headers });
      expect([path, response.statusCode]).toEqual([path, 405]);
    }
  });

  test('gets no permission to read a response', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost'])
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await user.client.raw({ method, url: userInfo.path, headers: { origin } });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
  });
});

describe('sessions', () => {
  test('a planted session value is never accepted', async () => {
    const phone = newPhone();
    await t.newUser({ phone, password: PASSWORD });
    const client = t.client();
    const planted = 'A'.repeat(43);
    client.jar.set(cookieName(t.ctx.config, false), planted);
    const answer = await client.ok(login, { username: phone, password: PASSWORD });
    const sid = client.jar.get(cookieName(t.ctx.config, false));
    expect(sid).toMatch(/^[\w-]{43}$/);
    expect(sid).not.toBe(planted);
    client.jar.set(cookieName(t.ctx.config, false), planted);
    client.token = answer.token;
    expect((await client.call(userInfo, {})).status).toBe(401);
  });

  test('a session value in the URL is ignored', async () => {
    const { client } = await t.newUser();
    const stranger = t.client();
    for (const query of [`token=${client.token}`, `authorization=${client.token}`])
      expect((await stranger.raw({ method: 'GET', url: `${userInfo.path}?${query}` })).statusCode).toBe(401);
  });

  test('behind TLS the cookies are bound to the host and to TLS', async () => {
    const secure = await testApp({ env: { SECURE_COOKIES: '1' } });
    try {
      const phone = newPhone();
      await secure.newUser({ phone, password: PASSWORD });
      const payload = new URLSearchParams({ username: phone, password: PASSWORD }).toString();
      const headers = { 'content-type': FORM };
      const response = await secure.client().raw({ method: 'POST', url: login.path, headers, payload });
      const cookies = [response.headers['set-cookie']].flat().map(String);
      expect(cookies).toHaveLength(3);
      for (const name of ['__Host-sid', '__Host-bid']) {
        const cookie = cookies.find((line) => line.startsWith(`${name}=`));
        for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag);
        expect(cookie).not.toContain('Domain=');
      }
      expect(cookies.find((line) => line.startsWith('csrfToken='))).toContain('Secure');
      expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    } finally {
      await secure.close();
    }
  });
});

describe('hosts, addresses and headers', () => {
  test('an unknown host gets no site, whatever a proxy header says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
    const response = await t.client().raw({ method: 'GET', url: '/api/dist/homeConf', headers });
    expect([response.statusCode, response.json().code]).toEqual([421, codes.UNKNOWN_SITE[0]]);
  });

  test('a forwarded address set by the client does not change the rate limit; our own proxy is trusted for one hop', async () => {
    const rounds = async (app: TestApp, header: (i: number) => Record<string, string>) => {
      const visitor = app.client({ ip: '198.51.100.7' });
      const statuses: number[] = [];
      for (let i = 0; i < 61; i++) statuses.push((await visitor.call(qqLogin, {}, { headers: header(i) })).status);
      return statuses.filter((status) => status === 429).length;
    };
    const forged = (i: number) => ({ 'x-forwarded-for': `203.0.113.${i}`, 'x-real-ip': `203.0.113.${i}` });
    expect(await rounds(t, forged)).toBe(1);
    const last = await t.client({ ip: '198.51.100.7' }).call(qqLogin, {});
    expect(last).toMatchObject({ status: 429, code: codes.RATE_LIMITED[0] });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    const behind = await testApp({ env: { TRUST_PROXY: '1' } });
    try {
      // The last entry is the proxy's own; those before it came with the request.
      expect(await rounds(behind, (i) => ({ 'x-forwarded-for': `203.0.113.${i}, 192.0.2.1` }))).toBe(1);
      expect(await rounds(behind, (i) => ({ 'x-forwarded-for': `203.0.113.1, 192.0.2.${i + 2}` }))).toBe(0);
    } finally {
      await behind.close();
    }
  });

  test('the addresses of one IPv6 network share a rate limit, which pages count against too', async () => {
    const rejected = async (ip: (i: number) => string) => {
      const statuses: number[] = [];
      for (let i = 0; i < 61; i++) statuses.push((await t.client({ ip: ip(i) }).call(qqLogin, {})).status);
      return statuses.filter((status) => status === 429).length;
    };
    expect(await rejected((i) => `2001:db8:7:7::${(i + 1).toString(16)}`)).toBe(1);
    expect(await rejected((i) => `2001:db8:8:${i + 1}::1`)).toBe(0);
    expect(await rejected((i) => (i % 2 ? '::ffff:198.51.100.9' : '198.51.100.9'))).toBe(1);
    const page = { ctx: t.ctx, dist: t.ctx.dir.platform(), caller: anonymous, ip: '203.0.113.9', isOwn: false };
    const call = { ...page, agent: '', origin: '', idem: undefined, http: undefined };
    const guess = () => t.app.server.runForPage(certificateCheck, { no: 'ABCDEFGH' }, call);
    for (let i = 0; i < 30; i++) await expect(guess()).rejects.not.toMatchObject({ error: 'RATE_LIMITED' });
    await expect(guess()).rejects.toMatchObject({ error: 'RATE_LIMITED' });
    await expect(t.app.server.runForPage(getScaleConf, {}, call)).resolves.toBeDefined();
  });

  test('P15: a search by a page counts like one by a call; pages, cards and direct uploads have their own rate limits', async () => {
    const page = { ctx: t.ctx, dist: t.ctx.dir.platform(), caller: anonymous, ip: '203.0.113.77', isOwn: false };
    const call = { ...page, agent: '', origin: '', idem: undefined, http: undefined };
    const search = () => t.app.server.runForPage(getGoodsList, {}, call);
    for (let i = 0; i < 120; i++) await search();
    await expect(search()).rejects.toMatchObject({ error: 'RATE_LIMITED' });
    expect((await t.client({ ip: '203.0.113.77' }).call(getGoodsList, {})).status).toBe(429);
    const { limiter } = t.app;
    for (const [name, max] of [
      ['page', 300],
      ['draw', 30],
      ['direct', 60],
      ['picture', 3_000],
    ] as const) {
      const take = (address: string) => limiter.take(name, { account: undefined, address });
      for (let i = 0; i < max; i++) take('203.0.113.78');
      expect(() => take('203.0.113.78')).toThrow();
      expect(() => take('203.0.113.79')).not.toThrow();
    }
  });

  test('every response of a call names its type and is not cacheable', async () => {
    for (const url of ['/api/dist/homeConf', '/api/user/userInfo', '/api/not/here']) {
      const { headers } = await t.client().raw({ method: 'GET', url });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
    }
  });

  test('metrics need their token', async () => {
    expect((await t.client().raw({ method: 'GET', url: '/metrics' })).statusCode).toBe(404);
    expect(
      (await t.client().raw({ method: 'GET', url: '/metrics', headers: { authorization: 'Bearer ' } })).statusCode,
    ).toBe(404);
  });

  test('pages run only scripts of their own response; on pages of money or chat also in old browsers', () => {
    const policy = (path: string) =>
      contentSecurityPolicy({ nonce: 'N', url: new URL(`https://youshi.example${path}`), dev: false });
    for (const path of ['/', '/detail/YS1234567', '/wares/']) {
      expect(policy(path)).toContain(
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-src 'none'; frame-ancestors 'none'",
      );
      expect(policy(path)).toContain("script-src 'self' 'nonce-N' 'strict-dynamic';");
      expect(policy(path)).not.toContain('unsafe-eval');
    }
    for (const path of [
      '/center',
      '/center/mywallets',
      '/chatSystem',
      '/login',
      '/register',
      '/backstage',
      '/goods/X/pay',
      '/wares/X/pay',
    ])
      expect([path, policy(path)]).toEqual([path, expect.stringContaining("script-src 'nonce-N' 'strict-dynamic';")]);
  });

  test('a distributor’s statistics services are allowed only on public pages', () => {
    const policy = (path: string) =>
      contentSecurityPolicy({
        nonce: 'N',
        url: new URL(`https://youshi.example${path}`),
        dev: false,
        statisticsHosts: ['https://hm.baidu.com'],
      });
    expect(policy('/wares')).toMatch(
      /img-src [^;]*https:\/\/hm\.baidu\.com;.*connect-src [^;]*https:\/\/hm\.baidu\.com;/,
    );
    for (const path of ['/center', '/login', '/wares/X/pay']) expect(policy(path)).not.toContain('baidu');
  });
});

describe('leaks', () => {
  test('an internal error is logged completely and answered in one sentence', async () => {
    const broken = vi.spyOn(t.ctx.dir, 'setting').mockImplementation(() => {
      throw new Error('relation "hidden_table" at /srv/inner/file.ts');
    });
    const response = await t.client().call(getScaleConf, {});
    broken.mockRestore();
    expect(response).toMatchObject({ status: 500, code: codes.INTERNAL[0], msg: codes.INTERNAL[2], data: null });
    expect(logged).toContain('hidden_table');
  });

  test('no log contains a number, a code, a password, an identity or a credential', async () => {
    const visitor = t.client();
    const phone = newPhone();
    await visitor.raw({
      method: 'POST',
      url: '/api/comm/client/sms',
      headers: { 'content-type': FORM },
      payload: `phone=${phone}&type=register`,
    });
    const smsCode = t.lastCode(phone);
    const { token } = await visitor.ok(register, { phone, smsCode, passWord: PASSWORD, agree: true });
    visitor.token = token;
    const idCard = idCardFrom17('11010119900307655');
    await visitor.ok(submitCertificate, { realName: '欧阳明月', idCard });
    await t.client().call(login, { username: phone, password: 'Wrong-horse-9' });
    const source = t.ctx.realName;
    if (!source) throw new Error('no source of real names');
    const broken = vi.spyOn(source, 'verify').mockRejectedValue(new Error('source away'));
    const other = await t.newUser({ verified: false });
    expect(
      (await other.client.call(submitCertificate, { realName: '欧阳明月', idCard: idCardFrom17('11010119900307666') }))
        .status,
    ).toBe(503);
    broken.mockRestore();
    expect(logged).toContain('source away');
    const sid = visitor.jar.get(cookieName(t.ctx.config, false)) ?? '';
    for (const secret of [phone, smsCode, PASSWORD, 'Wrong-horse-9', idCard, '欧阳明月', token, sid])
      expect([secret, logged.includes(secret)]).toEqual([secret, false]);
  });
});

test('a response is reduced to the schema of its call', async () => {
  const declared = endpoint({
    method: 'GET',
    path: '/api/test/cut',
    auth: 'public',
    summary: '测试',
    input: z.object({}),
    data: z.object({ shown: z.string(), list: z.array(z.object({ shown: z.string() })) }),
  });
  const server = new Server({ publicCacheTtlMs: 0 });
  const row = { shown: 'yes', password_hash: 'argon2id' };
  server.serve(declared, () => Promise.resolve({ ...row, list: [row] }));
  const call = {
    ctx: t.ctx,
    dist: t.ctx.dir.platform(),
    caller: anonymous,
    ip: '',
    isOwn: false,
    agent: '',
    origin: '',
  };
  const response = await server.run(declared, {}, { ...call, idem: undefined, http: undefined });
  expect(response).toEqual({ shown: 'yes', list: [{ shown: 'yes' }] });
});

test('the generated secret is readable only by its owner and stays the same', () => {
  const dir = mkdtempSync(join(tmpdir(), 'youshi-secret-'));
  const env = { NODE_ENV: 'test', DATA_DIR: dir };
  const { secret } = loadConfig(env);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(statSync(join(dir, 'secret')).mode & 0o777).toBe(0o600);
  expect(loadConfig(env).secret.equals(secret)).toBe(true);
  rmSync(dir, { recursive: true });
});

describe('sealed credentials', () => {
  test('decrypt only in their own row and column', () => {
    const sealed = encrypt(t.ctx.keys, 'sealed_credential.body_enc:1:1', 'secret');
    expect(decrypt(t.ctx.keys, 'sealed_credential.body_enc:1:1', sealed)).toBe('secret');
    expect(() => decrypt(t.ctx.keys, 'sealed_credential.body_enc:2:1', sealed)).toThrow();
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    expect(() => decrypt(t.ctx.keys, 'sealed_credential.body_enc:1:1', sealed)).toThrow();
  });
});

test("the application's role can neither move money past the ledger nor change records", async () => {
  const outcome = async (statement: string): Promise<unknown> =>
    await sql
      .raw(statement)
      .execute(t.ctx.db)
      .then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
  for (const statement of [
    "update ledger_account set balance = 1 where key like 'user:%'",
    'delete from ledger_entry',
    "insert into ledger_transfer (code) values ('topup')",
    "update audit_log set act = 'nothing'",
    'delete from audit_log',
    "update order_process set explain = ''",
    'delete from orders',
    'delete from chat_message',
    'create table escape (id int)',
    'alter table orders disable trigger all',
  ])
    expect([statement, await outcome(statement)]).toEqual([statement, '42501']);
});
