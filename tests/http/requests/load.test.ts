import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameList } from '#subjects/games/contract/games.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
let port: number;

beforeAll(async () => {
  t = await testApp({ env: { IP_LIMIT_FACTOR: '100' } });
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

test('clients that disconnect before their response free their capacity', async () => {
  for (let round = 0; round < 12; round++) await Promise.all(Array.from({ length: 100 }, giveUp));
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}${gameList.path}`)).status).toBe(200);
});

test('under overload, requests that cannot be served in time get a retry time, the others are served', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 900 });
  const send = async (): Promise<{ status: number; retry: string | undefined }> =>
    await new Promise((resolve, reject) => {
      http
        .get({ port, host: '127.0.0.1', agent, path: gameList.path, headers: { host: 'localhost' } }, (response) => {
          response
            .resume()
            .on('end', () => resolve({ status: response.statusCode ?? 0, retry: response.headers['retry-after'] }));
        })
        .on('error', reject);
    });
  const responses = await Promise.all(Array.from({ length: 900 }, send));
  const rejected = responses.filter((a) => a.status === 503);
  expect(responses.every((a) => a.status === 200 || (a.status === 503 && a.retry === '1'))).toBe(true);
  // How many are served in time is the machine's affair; so many run beside each other however busy it is.
  expect(responses.length - rejected.length).toBeGreaterThanOrEqual(12);
  expect((await send()).status).toBe(200);
  agent.destroy();
});
