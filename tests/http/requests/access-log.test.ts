/** The log entry of a request, and its request number. */
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  t = await testApp({ env: { ACCESS_LOG: '1', TRUST_PROXY: '1', METRICS_TOKEN: 'a-token' }, overrides: { log } });
});
afterAll(async () => await t.close());

const requests = () => lines.filter(({ msg }) => msg === 'request');

test('writes one line per request, without its content and the client’s address', async () => {
  lines.length = 0;
  const response = await t.app.http.inject({
    url: '/api/goods/getGoodsList?keyWord=13800138000&smsCode=998877',
    headers: { host: 'localhost', 'x-request-id': 'proxy-0001' },
    remoteAddress: '203.0.113.77',
  });
  expect(response.headers['x-request-id']).toBe('proxy-0001');
  expect(requests()).toMatchObject([
    { id: 'proxy-0001', method: 'GET', route: '/api/goods/getGoodsList', status: 200, site: 'youshi', who: 'visitor' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/998877|13800138000|203\.0\.113\.77|keyWord/);
});

test('names the user, skips probes, and creates a request id where none is valid', async () => {
  lines.length = 0;
  const user = await t.newUser();
  await user.client.ok(userInfo, {});
  expect(requests().map(({ who }) => who)).toContain('user');
  lines.length = 0;
  const probe = await t.app.http.inject({
    url: '/healthz',
    headers: { host: 'localhost', 'x-request-id': 'bad id\n' },
  });
  expect(probe.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(requests()).toEqual([]);
});
