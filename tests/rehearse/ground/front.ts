/**
 * The TLS before everything: the operator's proxy before the market's nodes, and the vendors' own hosts. A browser that is
 * sent to a channel finds its page here, clicks, and is sent back, while the channel tells the market as it would.
 */
import { request as plainRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, request as tlsRequest, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Vendors } from './vendors.ts';
import { HOSTS } from './vendors.ts';

const H5_HOST = 'wx.tenpay.com';
const FROM = 'x-rehearse-from';
const NODE = 'x-rehearse-node';

const hostOf = (request: IncomingMessage): string => (request.headers.host ?? '').replace(/:\d+$/, '');

/** Whether a browser asks for Alipay's page, or clicks on it; everything else there is for programs. */
const isPage = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' ? url.startsWith('/gateway.do?') : url.startsWith('/pay?');

/** A channel's page: what is paid, and the button. */
function channelPage(title: string, action: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title>
<h1>${title}</h1><form method="post" action="${action.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"><button>确认付款</button></form>`;
}

export class Front {
  readonly #vendors: Vendors;
  readonly #nodes: readonly number[];
  readonly #server: Server;
  readonly #tls: { key: string; cert: string };
  readonly #site: string;

  /** `nodes` are the ports of the market's processes; `site` is the host that channels notify. */
  constructor(options: {
    vendors: Vendors;
    nodes: readonly number[];
    tls: { key: string; cert: string };
    site: string;
  }) {
    this.#vendors = options.vendors;
    this.#nodes = options.nodes;
    this.#tls = options.tls;
    this.#site = options.site;
    this.#server = createServer(options.tls, (request, response) => void this.#take(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.#upgrade(request, socket));
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #nodeOf({ headers }: IncomingMessage): number {
    return this.#nodes[Number(headers[NODE] ?? 0)] ?? 0;
  }

  /** Returns the headers that the proxy sends to the market: the request's origin, and none of the client's claims. */
  #headersOf({ headers }: IncomingMessage): Record<string, string | string[] | undefined> {
    const { [FROM]: from = '203.0.113.1', [NODE]: _node, ...rest } = headers;
    return { ...rest, 'x-forwarded-for': from, 'x-forwarded-proto': 'https' };
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = hostOf(request);
    try {
      if (host === H5_HOST) return await this.#wechatPage(request, response);
      if (host === HOSTS.alipay && isPage(request)) return await this.#alipayPage(request, response);
      const vendor = this.#vendors.ports.get(host);
      if (vendor !== undefined)
        return this.#pass(request, response, vendor, { ...request.headers, 'x-forwarded-proto': 'https' });
      this.#pass(request, response, this.#nodeOf(request), this.#headersOf(request));
    } catch (error) {
      response.writeHead(500, { 'content-type': 'text/plain;charset=utf-8' }).end(String(error));
    }
  }

  #pass(
    request: IncomingMessage,
    response: ServerResponse,
    port: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const { method, url: path } = request;
    const onward = plainRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    request.pipe(onward);
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const onward = plainRequest({
      host: '127.0.0.1',
      port: this.#nodeOf(request),
      path: request.url,
      headers: this.#headersOf(request),
    });
    onward.on('upgrade', (answer, inner) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      inner.pipe(socket).on('error', () => inner.destroy());
      socket.pipe(inner).on('error', () => socket.destroy());
    });
    onward.on('response', (answer) => socket.end(`HTTP/1.1 ${answer.statusCode} No\r\n\r\n`));
    onward.on('error', () => socket.destroy());
    onward.end();
  }

  /** WeChat's page for payments from a phone's browser. */
  async #wechatPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { wechat } = this.#vendors;
    const url = new URL(request.url ?? '/', `https://${H5_HOST}`);
    if (request.method === 'POST') {
      const trade = wechat.pay(url.searchParams.get('no') ?? '');
      const { body, headers } = wechat.notice(wechat.transaction(trade));
      await this.#notify('/api/pay/notify/wechat', body, headers);
      return void response.writeHead(303, { location: url.searchParams.get('back') ?? '' }).end();
    }
    const { referer, 'user-agent': agent = '' } = request.headers;
    const opened = wechat.openH5(url.href, { referer, agent });
    if (typeof opened === 'string') throw new Error(opened);
    const action = `/pay?${new URLSearchParams(opened).toString()}`;
    response.writeHead(200, { 'content-type': 'text/html;charset=utf-8' }).end(channelPage('微信支付', action));
  }

  /** Alipay's page, for phones and for computers. */
  async #alipayPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { alipay } = this.#vendors;
    const url = new URL(request.url ?? '/', `https://${HOSTS.alipay}`);
    if (request.method === 'POST') {
      const no = url.searchParams.get('no') ?? '';
      alipay.pay(no);
      const form = new URLSearchParams(alipay.notice(no)).toString();
      await this.#notify('/api/pay/notify/alipay', form, { 'content-type': 'application/x-www-form-urlencoded' });
      return void response.writeHead(303, { location: url.searchParams.get('back') ?? '' }).end();
    }
    const opened = alipay.openPage(url.href, request.headers['user-agent']);
    if (typeof opened === 'string') throw new Error(opened);
    const action = `/pay?${new URLSearchParams(opened).toString()}`;
    response.writeHead(200, { 'content-type': 'text/html;charset=utf-8' }).end(channelPage('支付宝', action));
  }

  /** A channel calls the market, from outside and over TLS. */
  async #notify(path: string, body: string, headers: Record<string, string>): Promise<void> {
    const address = this.#server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await new Promise<void>((resolve, reject) => {
      const call = tlsRequest(
        {
          host: '127.0.0.1',
          port,
          path,
          method: 'POST',
          ca: this.#tls.cert,
          servername: this.#site,
          headers: { ...headers, host: this.#site, 'content-length': Buffer.byteLength(body) },
        },
        (answer) => {
          answer.resume();
          if (answer.statusCode === 200 || answer.statusCode === 204) answer.once('end', resolve);
          else reject(new Error(`the market answered ${answer.statusCode} to ${path}`));
        },
      );
      call.once('error', reject);
      call.end(body);
    });
  }
}
