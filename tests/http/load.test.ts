import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameList } from '#contract/common.ts';
import { type TestApp, testApp } from '#tests/support/build.ts';

let t: TestApp;
let port: number;

beforeAll(async () => {
  t = await testApp();
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (t.app.http.server.address() as AddressInfo).port;
});
afterAll(() => t.close());

/** Begins a request and goes away before it is whole. */
async function giveUp(): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /api/comm/client/sms HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
      );
      setTimeout(() => {
        socket.destroy();
        resolve();
      }, 20);
    });
    socket.on('error', () => resolve());
  });
}

test('people who go away before their answer never fill the house', async () => {
  for (let round = 0; round < 12; round++) await Promise.all(Array.from({ length: 100 }, giveUp));
  await sleep(100);
  expect((await t.client().call(gameList, {})).code).toBe(0);
});

test('far too much at once: some are refused at once with when to come again, the others are served', async () => {
  const answers = await Promise.all(Array.from({ length: 900 }, () => t.client().call(gameList, {})));
  const refused = answers.filter((a) => a.status === 503);
  expect(answers.every((a) => a.status === 200 || (a.status === 503 && a.headers['retry-after'] === '1'))).toBe(true);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(320);
  expect((await t.client().call(gameList, {})).code).toBe(0);
});
