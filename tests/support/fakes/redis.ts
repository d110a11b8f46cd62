/** As much of Redis as the bus uses, on loopback: HELLO, PING, SUBSCRIBE and PUBLISH in the protocol's third version. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A Redis whose connections a test can cut. */
export interface FakeRedis {
  readonly url: string;
  /** Cuts all connections and refuses new ones until `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** Takes the complete commands off the front of what was received; each is an array of bulk strings. */
function commandsIn(buffer: Buffer): { commands: string[][]; rest: Buffer } {
  const commands: string[][] = [];
  let at = 0;
  const line = (from: number): { text: string; next: number } | undefined => {
    const end = buffer.indexOf('\r\n', from);
    return end < 0 ? undefined : { text: buffer.toString('utf8', from + 1, end), next: end + 2 };
  };
  for (;;) {
    const head = line(at);
    if (!head) break;
    const words: string[] = [];
    let next = head.next;
    for (let i = 0; i < Number(head.text); i++) {
      const size = line(next);
      if (!size || size.next + Number(size.text) + 2 > buffer.length) return { commands, rest: buffer.subarray(at) };
      words.push(buffer.toString('utf8', size.next, size.next + Number(size.text)));
      next = size.next + Number(size.text) + 2;
    }
    commands.push(words);
    at = next;
  }
  return { commands, rest: buffer.subarray(at) };
}

/** Starts one on a free port. */
export async function fakeRedis(): Promise<FakeRedis> {
  const sockets = new Set<Socket>();
  const subscribers = new Map<string, Set<Socket>>();
  let isPaused = false;

  const answer = (socket: Socket, [name = '', ...args]: string[]): void => {
    const [channel = '', text = ''] = args;
    switch (name.toUpperCase()) {
      case 'HELLO':
        socket.write(`%1\r\n${bulk('proto')}:3\r\n`);
        break;
      case 'PING':
        socket.write('+PONG\r\n');
        break;
      case 'SUBSCRIBE': {
        const listeners = subscribers.get(channel) ?? new Set();
        subscribers.set(channel, listeners.add(socket));
        socket.write(`>3\r\n${bulk('subscribe')}${bulk(channel)}:1\r\n`);
        break;
      }
      case 'PUBLISH': {
        const listeners = subscribers.get(channel) ?? new Set();
        for (const listener of listeners) listener.write(`>3\r\n${bulk('message')}${bulk(channel)}${bulk(text)}`);
        socket.write(`:${listeners.size}\r\n`);
        break;
      }
      default:
        socket.write('+OK\r\n');
    }
  };

  const server = createServer((socket) => {
    if (isPaused) return void socket.destroy();
    sockets.add(socket);
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const { commands, rest } = commandsIn(Buffer.concat([received, chunk]));
      received = rest;
      for (const command of commands) answer(socket, command);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      for (const listeners of subscribers.values()) listeners.delete(socket);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pause() {
      isPaused = true;
      cut();
    },
    resume() {
      isPaused = false;
    },
    async close() {
      cut();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
