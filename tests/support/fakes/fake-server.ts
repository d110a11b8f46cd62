/** Base of every fake vendor: a real HTTP server on loopback, faults by script, and a record of what was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * refuse: the connection dies before anything is done. lost: the work is done and the answer is lost. hang: no answer ever.
 * error500, busy429, malformed, forged, unsigned: the work is not done (500, 429) or is, and the answer is bad.
 */
export type FaultKind = 'refuse' | 'lost' | 'hang' | 'error500' | 'busy429' | 'malformed' | 'forged' | 'unsigned';

interface Fault {
  about: RegExp;
  kind: FaultKind;
  times: number;
}

export interface FakeRequest {
  method: string;
  /** Path with query, as it was sent. */
  target: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface FakeReply {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** Where the asker reached the vendor: by itself, or through the TLS before it. */
export const originOf = ({ headers }: FakeRequest): string =>
  `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${headers.host}`;

export abstract class FakeServer {
  /** Every request's short name, oldest first. */
  readonly requests: string[] = [];
  /** The body of the newest request. */
  lastBody = '';
  readonly #faults: Fault[] = [];
  #server: Server | undefined;
  /** The vendor's clock. */
  now: () => Date = () => new Date();

  /** Names the operation of a request, for faults and records: 'alipay.trade.query', 'POST /v3/refund/domestic/refunds'. */
  protected abstract nameOf(request: FakeRequest): string;
  /** Does the work and answers as the vendor would; `bad` asks for an answer whose signature is forged or missing. */
  protected abstract respond(request: FakeRequest, bad: 'forged' | 'unsigned' | undefined): FakeReply;

  /** The next `times` requests about a subject fail. */
  fail(about: RegExp, kind: FaultKind, times = 1): void {
    this.#faults.push({ about, kind, times });
  }

  /** The vendor works again. */
  mend(): void {
    this.#faults.length = 0;
  }

  count(about: RegExp): number {
    return this.requests.filter((name) => about.test(name)).length;
  }

  async listen(port = 0): Promise<string> {
    if (process.env.NODE_ENV === 'production') throw new Error('a fake does not run in production');
    const server = createServer((request, response) => void this.#take(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #fault(name: string): FaultKind | undefined {
    const fault = this.#faults.find((f) => f.times > 0 && f.about.test(name));
    if (fault) fault.times -= 1;
    return fault?.kind;
  }

  async #take(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const target = message.url ?? '/';
    const url = new URL(target, 'http://fake');
    const request = {
      method: message.method ?? '',
      target,
      url,
      headers: message.headers,
      body: Buffer.concat(chunks),
    };
    const name = this.nameOf(request);
    this.requests.push(name);
    this.lastBody = request.body.toString();
    const fault = this.#fault(name);
    if (fault === 'refuse') return void message.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'error500') return void response.writeHead(500).end('oops');
    if (fault === 'busy429')
      return void response.writeHead(429).end('{"code":"FREQUENCY_LIMITED","message":"slow down"}');
    const reply = this.respond(request, fault === 'forged' || fault === 'unsigned' ? fault : undefined);
    if (fault === 'lost') return void message.socket.destroy();
    response.writeHead(reply.status, reply.headers).end(fault === 'malformed' ? '{"half":' : reply.body);
  }
}
