/** A seller's own program that receives events: keeps what came, and answers as a test wishes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The status that is answered from now on; 0 = none, the connection is cut. */
  answer: number;
  /** The header Retry-After of the answer; none when empty. */
  retryAfter: string;
  close(): Promise<void>;
}

/** Opens a receiver on this machine. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      if (receiver.answer === 0) return request.socket.destroy();
      if (receiver.answer === 302) response.setHeader('location', 'http://127.0.0.1:1/inside');
      if (receiver.retryAfter !== '') response.setHeader('retry-after', receiver.retryAfter);
      response.statusCode = receiver.answer;
      return response.end('thanks');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/events`,
    received,
    answer: 200,
    retryAfter: '',
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return receiver;
}
