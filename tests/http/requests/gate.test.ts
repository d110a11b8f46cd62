/** The server's admission control, by real sockets of several addresses of this machine. */
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
/** The clock that the ages of bodies are told by: it stands still, since on a busy machine sixty connections may take longer than one is young. */
let nowMs = 0;
let port: number;
const opened: Socket[] = [];

beforeAll(async () => {
  t = await testApp({
    env: { IP_LIMIT_FACTOR: '100', METRICS_TOKEN: 'a-token' },
    overrides: { monotonicMs: () => nowMs },
    // Bodies that do not arrive stay until a test is through with them.
    gate: { bodyMs: 60_000 },
  });
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (t.app.http.server.address() as AddressInfo).port;
});
afterAll(async () => {
  for (const socket of opened) socket.destroy();
  await t.close();
});

/** A connection from one of this machine's own addresses; what it heard so far is in `heard`. */
async function from(
  address: string,
  to = port,
): Promise<{ socket: Socket; received: () => string; closed: () => boolean }> {
  let text = '';
  let isClosed = false;
  const socket = connect({ port: to, host: '127.0.0.1', localAddress: address });
  opened.push(socket);
  socket
    .on('data', (part) => (text += part.toString()))
    .on('error', () => undefined)
    .on('close', () => (isClosed = true));
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return { socket, received: () => text, closed: () => isClosed };
}

const head = (line: string, more = ''): string => `${line} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;
const SLOW = `${head('POST /api/user/login', 'content-type: application/json\r\ncontent-length: 5000\r\n')}{`;

async function statusOf(address: string, request: string): Promise<number> {
  const { socket, received } = await from(address);
  socket.write(request);
  await expect.poll(received).toContain('\r\n\r\n');
  socket.destroy();
  return Number(received().split(' ')[1] ?? 0);
}

/** How many bodies are in transfer. */
async function bodies(): Promise<number> {
  const { body } = await t.app.http.inject({ url: '/metrics', headers: { authorization: 'Bearer a-token' } });
  return Number(/^http_admission\{what="bodies"\} (\d+)$/m.exec(body)?.[1]);
}

describe('D1: request bodies that do not arrive', () => {
  test('from one address block no other, whatever their number; the oldest are closed', async () => {
    const slow = await Promise.all(Array.from({ length: 60 }, () => from('127.0.0.2')));
    for (const { socket } of slow) socket.write(SLOW);
    const answers = () => [...new Set(slow.map(({ received }) => received().split('\r\n')[0]))];
    await expect.poll(async () => [await bodies(), ...answers()]).toEqual([60, '']);
    // Young bodies of a crowd behind one address are no slow ones.
    expect(slow.filter(({ closed }) => closed())).toHaveLength(0);
    nowMs += 1_001;
    const next = await from('127.0.0.2');
    next.socket.write(SLOW);
    await expect.poll(() => slow.filter(({ closed }) => !closed()).length).toBe(19);
    const list = head('GET /api/comm/gameList');
    expect(await statusOf('127.0.0.2', list)).toBe(200);
    expect(slow.filter(({ closed }) => !closed())).toHaveLength(19);
    const notice = `${head('POST /api/pay/notify/sandbox', 'content-type: application/json\r\ncontent-length: 2\r\n')}{}`;
    for (const address of ['127.0.0.2', '127.0.0.3']) {
      expect(await statusOf(address, list)).toBe(200);
      expect(await statusOf(address, notice)).not.toBe(503);
    }
    // A form that comes in two pieces is served as one that comes whole.
    const halves = await from('127.0.0.2');
    halves.socket.write(
      head(
        'POST /api/comm/client/sms',
        'content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n',
      ),
    );
    await expect.poll(halves.received).toMatch(/^HTTP\/1.1 100/);
    halves.socket.write('{}');
    await expect.poll(halves.received).toMatch(/\nHTTP\/1.1 422/);
  });

  test('from one address are limited to two hundred, however recent', async () => {
    const crowd = await Promise.all(Array.from({ length: 230 }, () => from('127.0.0.8')));
    for (const { socket } of crowd) socket.write(SLOW);
    await expect.poll(() => crowd.filter(({ closed }) => !closed()).length).toBe(200);
    expect(await statusOf('127.0.0.8', head('GET /api/comm/gameList'))).toBe(200);
    expect(crowd.filter(({ closed }) => !closed())).toHaveLength(200);
  });

  test('end after a few seconds', async () => {
    const usual = await createApp(t.ctx);
    await usual.http.listen({ port: 0, host: '127.0.0.1' });
    const { socket, received, closed } = await from('127.0.0.4', (usual.http.server.address() as AddressInfo).port);
    socket.write(SLOW);
    await expect.poll(() => [received().split('\r\n')[0], closed()]).toEqual(['HTTP/1.1 408 Request Timeout', true]);
    await usual.http.close();
  });
});

describe('D5: pipelined requests', () => {
  test('get their responses in order, one after the other', async () => {
    const { socket, received } = await from('127.0.0.5');
    socket.write(head('GET /api/comm/gameList').repeat(10) + head('GET /api/comm/nothing'));
    await expect.poll(received).toContain('HTTP/1.1 404');
    expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual([...Array<string>(10).fill('HTTP/1.1 200'), 'HTTP/1.1 404']);
  });

  test('beyond the limit close the connection', async () => {
    const { socket, closed } = await from('127.0.0.5');
    socket.write(head('GET /api/comm/gameList').repeat(100));
    await expect.poll(closed).toBe(true);
  });

  test('do not delay those of another address', async () => {
    const narrow = await createApp(t.ctx, {
      gate: { queue: { most: 8, least: 8, maxWaitMs: 60_000, giveUpMs: 60_000 } },
    });
    await narrow.http.listen({ port: 0, host: '127.0.0.1' });
    const at = (narrow.http.server.address() as AddressInfo).port;
    try {
      const crowd = await Promise.all(Array.from({ length: 60 }, () => from('127.0.0.6', at)));
      const other = await from('127.0.0.7', at);
      const goods = head('GET /api/goods/getGoodsList');
      const answered = (): number =>
        crowd.reduce((sum, { received }) => sum + (received().match(/HTTP\/1\.1 /g) ?? []).length, 0);
      for (const { socket } of crowd) socket.write(goods.repeat(20));
      await expect.poll(answered).toBeGreaterThan(0);
      const before = answered();
      other.socket.write(goods);
      while (!other.received().includes('\r\n\r\n')) await new Promise(setImmediate);
      expect(other.received()).toMatch(/^HTTP\/1\.1 200/);
      // Twelve hundred questions came before it; a place was left for it, and it waited for a few dozen at most.
      expect(answered() - before).toBeLessThan(200);
    } finally {
      await narrow.http.close();
    }
  });
});
