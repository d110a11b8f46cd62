/** A RongCloud of our own on loopback: checks what the real one checks and can be set to fail. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RongCall {
  path: string;
  form: URLSearchParams;
}

const SKEW_MS = 5 * 60_000;

export class RongFake {
  readonly appKey = 'test-app';
  readonly secret = 'test-secret';
  readonly calls: RongCall[] = [];
  readonly rejected: string[] = [];
  readonly groups = new Map<string, Set<string>>();
  /** Answers to give before it works again: an HTTP status each. */
  readonly failures: number[] = [];
  readonly #server: Server;
  readonly #nonces = new Set<string>();

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  of(path: string): URLSearchParams[] {
    return this.calls.filter((call) => call.path === path).map((call) => call.form);
  }

  sign(nonce: string, timestamp: string): string {
    return createHash('sha1').update(`${this.secret}${nonce}${timestamp}`).digest('hex');
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: Record<string, unknown> }> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const broken = this.failures.shift();
    if (broken !== undefined) return { status: broken, body: { code: broken === 429 ? 1008 : 1000 } };
    const problem = this.#problem(request, text);
    if (problem) {
      this.rejected.push(problem);
      return { status: 401, body: { code: 1004, errorMessage: problem } };
    }
    const path = (request.url ?? '').replace(/\.json$/, '');
    const form = new URLSearchParams(text);
    const wrong = this.#apply(path, form);
    if (wrong) {
      this.rejected.push(`${path} ${wrong}`);
      return { status: 400, body: { code: 1002, errorMessage: wrong } };
    }
    this.calls.push({ path, form });
    return {
      status: 200,
      body: { code: 200, ...(path === '/user/getToken' && { token: `t-${form.get('userId')}@x;1` }) },
    };
  }

  #problem({ method, headers }: IncomingMessage, text: string): string | undefined {
    const of = (name: string) => String(headers[name] ?? '');
    const [nonce, timestamp] = [of('nonce'), of('timestamp')];
    if (method !== 'POST' || !of('content-type').startsWith('application/x-www-form-urlencoded')) return 'form';
    if (of('app-key') !== this.appKey) return 'app key';
    if (nonce.length === 0 || nonce.length > 18 || this.#nonces.has(nonce)) return `nonce ${nonce}`;
    if (!/^\d{10}(\d{3})?$/.test(timestamp)) return 'timestamp';
    if (Math.abs(Date.now() - Number(timestamp.padEnd(13, '0'))) > SKEW_MS) return 'skew';
    if (of('signature') !== this.sign(nonce, timestamp)) return 'signature';
    this.#nonces.add(nonce);
    return text.length > 200_000 ? 'length' : undefined;
  }

  #apply(path: string, form: URLSearchParams): string | undefined {
    const ids = form.getAll('userId');
    const group = form.get('groupId') ?? form.get('toGroupId') ?? '';
    if (ids.some((id) => !/^[\w+=-]{1,64}$/.test(id)) || ids.length > 1000) return 'userId';
    if (path === '/user/getToken') return form.get('name') ? undefined : 'name';
    if (!/^[A-Za-z0-9]{1,64}$/.test(group)) return 'groupId';
    const members = this.groups.get(group);
    if (path === '/group/create') {
      this.groups.set(group, new Set([...(members ?? []), ...ids]));
      return form.get('groupName') ? undefined : 'groupName';
    }
    if (!members) return 'no such group';
    if (path === '/group/quit') {
      for (const id of ids) members.delete(id);
      return undefined;
    }
    if (path !== '/message/group/publish') return 'no such call';
    const name = form.get('objectName') ?? '';
    const known = ['RC:TxtMsg', 'RC:ImgMsg', 'RC:InfoNtf'].includes(name);
    if (name.length > 32 || (name.startsWith('RC:') && !known)) return 'objectName';
    const content = form.get('content') ?? '';
    if (Buffer.byteLength(content) > 128 * 1024) return 'content';
    return typeof JSON.parse(content) === 'object' ? undefined : 'content';
  }
}
