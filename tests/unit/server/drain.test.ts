import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { drainOf } from '../../../server/kernel/drain.ts';

interface HttpResult {
  status: number;
  connection: string | undefined;
  error?: string | undefined;
}

function get(port: number, agent: Agent): Promise<HttpResult> {
  return new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
      );
    });
    // The system resets a connection that was not accepted when the socket closed: its client sees a refused connection, nothing was read.
    const rejected = (code: string | undefined) =>
      code === 'ECONNRESET' && !sent.reusedSocket ? 'ECONNREFUSED' : code;
    sent.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, connection: '', error: rejected(error.code) }),
    );
    sent.end();
  });
}

async function market() {
  const server = createServer((_request, response) => void setTimeout(() => response.end('是'), 5));
  const drain = drainOf(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, drain, port: (server.address() as AddressInfo).port };
}

test('an idle connection still gets a response to its next request during the stop, which then closes it', async () => {
  const { server, drain, port } = await market();
  const agent = new Agent({ keepAlive: true });
  expect(await get(port, agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
  const drained = drain();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await get(port, agent)).toMatchObject({ status: 200, connection: 'close' });
  expect(await get(port, agent)).toMatchObject({ status: 0, error: 'ECONNREFUSED' });
  await drained;
  server.close();
  agent.destroy();
});

test('busy clients get responses and refused connections, nothing else', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { server, drain, port } = await market();
    const agent = new Agent({ keepAlive: true });
    let isOver = false;
    const seen = new Map<string, number>();
    const worker = async (): Promise<void> => {
      while (!isOver) {
        const response = await get(port, agent);
        const name = response.error ?? String(response.status);
        seen.set(name, (seen.get(name) ?? 0) + 1);
      }
    };
    const workers = Array.from({ length: 16 }, worker);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await drain();
    await new Promise((resolve) => server.close(resolve));
    isOver = true;
    await Promise.all(workers);
    agent.destroy();
    expect([...seen.keys()].sort()).toEqual(['200', 'ECONNREFUSED']);
  }
});
