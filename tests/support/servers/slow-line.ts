/** A line on which the market's pages arrive piece by piece, as on a phone with a weak signal. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

const PIECE_BYTES = 4000;
/** Longer than a frame, so that the browser paints between two pieces. */
const PAUSE_MS = 25;

async function sendInPieces(page: Buffer, answer: ServerResponse): Promise<void> {
  for (let at = 0; at < page.length && !answer.destroyed; at += PIECE_BYTES) {
    answer.write(page.subarray(at, at + PIECE_BYTES));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  answer.end();
}

function pass(from: IncomingMessage, answer: ServerResponse): void {
  const { 'content-length': _, ...headers } = from.headers;
  if (!String(headers['content-type']).startsWith('text/html')) {
    answer.writeHead(from.statusCode ?? 502, from.headers);
    from.pipe(answer);
    return;
  }
  const parts: Buffer[] = [];
  from.on('data', (part: Buffer) => parts.push(part));
  from.on('end', () => {
    answer.writeHead(from.statusCode ?? 502, headers);
    void sendInPieces(Buffer.concat(parts), answer);
  });
}

/** Opens a proxy to `market` on a free port of this machine; its address, and what closes it. */
export async function openSlowLine(market: string): Promise<{ address: string; close: () => Promise<void> }> {
  const { hostname, port, host, origin } = new URL(market);
  const server: Server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host, 'accept-encoding': 'identity' };
    const up = request({ hostname, port, path: asked.url, method: asked.method, headers }, (from) =>
      pass(from, answer),
    );
    up.on('error', () => answer.destroy());
    asked.pipe(up);
  });
  // The chat's connection. The market refuses an origin that is not its own.
  server.on('upgrade', ({ url, headers }: IncomingMessage, socket: Duplex, head: Buffer) => {
    const up = connect(Number(port), hostname, () => {
      const lines = Object.entries({ ...headers, host, origin }).map(([name, value]) => `${name}: ${String(value)}`);
      up.write([`GET ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      up.write(head);
      up.pipe(socket).pipe(up);
    });
    for (const one of [up, socket])
      one.on('error', () => one.destroy()).on('close', () => [up, socket].forEach((e) => e.destroy()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}
