/** A market on several machines: what each role serves, reads on a standby, and connections through a pooler. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as board from '#subjects/back-office/contract/board.ts';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { saveSearchAlert } from '#subjects/offers/contract/alerts.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { endpoints } from '#contract/registry.ts';
import { inviteList, inviteStats } from '#subjects/orders/contract/invite.ts';
import { loadConfig } from '#server/config/config.ts';
import type { DB } from '#server/db/types.gen.ts';
import { pooledProblems } from '#server/db/pooled.ts';
import type { Standby } from '#server/db/standby.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { asSuperuser } from '#tests/support/database/database.ts';

describe('reads on a standby', () => {
  let t: TestApp;
  let reads = 0;
  let asOf: () => number | undefined = () => performance.now();
  let failures = 0;
  let isBroken = false;
  let readers: pg.Pool;

  beforeAll(async () => {
    // Reads the same database as the primary; what counts is which of the two was asked.
    const pool = {
      async connect() {
        if (isBroken) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
        reads += 1;
        return await readers.connect();
      },
      end: () => Promise.resolve(),
    };
    const standby: Standby = {
      db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as never }) }),
      asOf: () => asOf(),
      failed: () => (failures += 1),
      lagMs: () => 0,
      close: () => Promise.resolve(),
    };
    t = await testApp({ overrides: { standby } });
    // As a standby, it takes no write.
    readers = new pg.Pool({
      connectionString: t.ctx.config.databaseUrl,
      options: '-c default_transaction_read_only=on',
    });
  });
  afterAll(async () => {
    await readers.end();
    await t.close();
  });

  test('are made by reading calls only', () => {
    const lagging = endpoints.filter((endpoint: Endpoint) => endpoint.mayLag === true);
    expect(lagging.length).toBeGreaterThan(10);
    expect(lagging.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each([
    ['goods', getGoodsList, {}],
    ['invitations', inviteStats, {}],
    ['invited', inviteList, {}],
  ] as const)('read %s for a user', async (_name, endpoint, input) => {
    const { client } = await t.newUser();
    reads = 0;
    expect((await client.call(endpoint as Endpoint, input)).code).toBe(0);
    expect(reads).toBeGreaterThan(0);
  });

  test.each([
    ['trade', board.boardTrade],
    ['parts', board.boardParts],
    ['funnel', board.boardFunnel],
    ['disputes', board.boardDisputes],
    ['money', board.boardMoney],
    ['the record', auditList],
    ['withdrawals', staffWithdrawList],
    ['users', adminQueryUserList],
  ] as const)('read %s for staff', async (_name, endpoint) => {
    const { client } = await t.newStaff();
    reads = 0;
    expect((await client.call(endpoint as Endpoint, {})).code).toBe(0);
    expect(reads).toBeGreaterThan(0);
  });

  test('are not made while it lags more than allowed', async () => {
    const { client } = await t.newUser();
    asOf = () => undefined;
    reads = 0;
    expect((await client.call(inviteStats, {})).code).toBe(0);
    expect(reads).toBe(0);
    asOf = () => performance.now();
    expect((await client.call(inviteStats, {})).code).toBe(0);
    expect(reads).toBeGreaterThan(0);
  });

  test('are not made for a user who has just written', async () => {
    const { client } = await t.newUser();
    expect((await client.call(saveSearchAlert, { title: '测试', path: '/wares?k=1', keyWord: '测试' })).code).toBe(0);
    expect(client.jar.get('fresh')).toBe('1');
    reads = 0;
    await client.call(inviteStats, {});
    expect(reads).toBe(0);
    client.jar.delete('fresh');
    await client.call(inviteStats, {});
    expect(reads).toBeGreaterThan(0);
  });

  test('a reading call that writes is done on the primary, and the standby stays in use', async () => {
    const { client } = await t.newStaff();
    const { phone } = await t.newUser();
    failures = 0;
    const found = await client.call(adminQueryUserList, { keyWord: phone });
    expect([found.code, found.data.list.length, failures]).toEqual([0, 1, 0]);
  });

  test('the first read is stored by caches that read the primary', async () => {
    t.ctx.caches.close();
    const { client } = await t.newUser();
    expect((await client.call(getGoodsList, {})).code).toBe(0);
    isBroken = true;
    asOf = () => undefined;
    t.ctx.bus.publish('catalogue', {});
    t.ctx.bus.publish('prices', {});
    expect((await client.call(getGoodsList, {})).code).toBe(0);
    asOf = () => performance.now();
    isBroken = false;
  });

  test('the primary responds when it fails', async () => {
    const { client } = await t.newUser();
    isBroken = true;
    failures = 0;
    expect((await client.call(inviteStats, {})).code).toBe(0);
    expect(failures).toBe(1);
    isBroken = false;
  });
});

describe('roles of nodes', () => {
  test.each([
    ['worker', { '/readyz': 200, '/api/comm/gameList': 404, '/api/im/unreadCount': 404 }],
    ['chat', { '/readyz': 200, '/api/comm/gameList': 404, '/api/im/unreadCount': 401 }],
    ['web', { '/readyz': 200, '/api/comm/gameList': 200, '/api/im/unreadCount': 401 }],
  ] as const)('%s', async (role, answers) => {
    const t = await testApp({ env: { ROLE: role } });
    for (const [url, status] of Object.entries(answers))
      expect([url, (await t.client().raw({ method: 'GET', url })).statusCode]).toEqual([url, status]);
    await t.close();
  });

  test('only nodes with sockets accept an upgrade', async () => {
    for (const [role, listeners] of [
      ['web', 0],
      ['chat', 1],
    ] as const) {
      const t = await testApp({ env: { ROLE: role } });
      const own = t.app.http.server.listeners('upgrade').filter(({ name }) => name === 'onUpgrade');
      expect([role, own.length]).toEqual([role, listeners]);
      await t.close();
    }
  });

  test('the embedded database serves one process, and connections beside it need an external one', () => {
    expect(() => loadConfig({ ROLE: 'worker' })).toThrow(/DATABASE_URL/);
    expect(() => loadConfig({ DATABASE_READ_URL: 'postgres://x' })).toThrow(/DATABASE_URL/);
    expect(() => loadConfig({ BUS_URL: 'http://x' })).toThrow(/BUS_URL/);
  });
});

describe('a pooler by transaction', () => {
  test('is accepted when the role has its limits itself', async () => {
    const t = await testApp();
    const url = t.ctx.config.databaseUrl ?? '';
    const login = new URL(url).username;
    const missing = await pooledProblems(url, true);
    expect(missing).toHaveLength(3);
    expect(missing.join()).toContain(`alter role ${login} set statement_timeout`);
    const database = new URL(url).pathname.slice(1);
    for (const problem of missing) {
      const setting = / (set .*)$/.exec(problem)?.[1] ?? '';
      await asSuperuser(database, `alter role ${login} in database ${database} ${setting}`);
    }
    expect(await pooledProblems(url, true)).toEqual([]);
    await t.close();
  });
});
