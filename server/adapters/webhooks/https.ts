import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { EventOutcome, OutgoingEvent, Webhooks } from '#server/ports/webhooks.ts';
import { ForbiddenAddress, publicLookup } from '../public-lookup.ts';

const LIMIT_MS = 5_000;
/** The part of a response that is stored for its owner. */
const HEAD_CHARS = 1_500;
const MAX_BYTES = 4_096;
const PORTS: readonly string[] = ['', '443', '8443'];

/** The reason for a failed request, as a message for the address's owner. */
function failureOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return '域名指向内网地址，已拒绝';
  const { code, name } = error as { code?: string; name?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return `${LIMIT_MS / 1000} 秒内没有响应`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return '域名无法解析';
  if (code === 'ECONNREFUSED') return '连接被拒绝';
  if (code === 'ECONNRESET' || code === 'EPIPE') return '连接被中断';
  if (code !== undefined && /CERT|SELF_SIGNED|TLS|SSL|UNABLE_TO|ALTNAME/.test(code)) return '证书不受信任';
  return '无法连接';
}

/** The beginning of a response: status, headers and the first part of its body. */
async function loadHead(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  response.destroy();
  const names = ['content-type', 'server', 'location', 'retry-after'];
  const lines = names.flatMap((name) => {
    const value = response.headers[name];
    return value === undefined ? [] : [`${name}: ${String(value)}`];
  });
  const body = Buffer.concat(chunks).toString('utf8').toWellFormed().replaceAll('\0', '');
  return [`HTTP ${response.statusCode ?? 0}`, ...lines, '', body].join('\n').slice(0, HEAD_CHARS).toWellFormed().trim();
}

/** The header Retry-After in seconds from now: a number of seconds or a date (RFC 9110, 10.2.3); undefined for anything else. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

async function send(event: OutgoingEvent, isLocalAllowed: boolean): Promise<EventOutcome> {
  const url = new URL(event.url);
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...event.headers, 'content-length': String(Buffer.byteLength(event.body)), connection: 'close' },
    agent: false,
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(!isLocalAllowed && { lookup: publicLookup }),
  };
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const sent = (isSecure ? httpsRequest : httpRequest)(url, options, done);
    sent.on('error', fail);
    sent.end(event.body);
  });
  const retryAfterSeconds = retryAfterOf(response.headers['retry-after'], Date.now());
  return { status: response.statusCode ?? 0, head: await loadHead(response), failure: undefined, retryAfterSeconds };
}

/**
 * Webhooks over HTTPS to public names only: no IP addresses, no other ports, no redirects, each connection to the checked address, five seconds
 * and four kilobytes. `isLocalAllowed` allows a program on this machine to receive them, in the demo market.
 */
export function httpsWebhooks({ isLocalAllowed }: { isLocalAllowed: boolean }): Webhooks {
  const isOwn = (url: URL): boolean => isLocalAllowed && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  const problemOf = (input: string): string | undefined => {
    if (!URL.canParse(input)) return '请填写完整的地址，如 https://example.com/youshi';
    const url = new URL(input);
    if (url.username !== '' || url.password !== '') return '地址里不能带用户名和密码';
    if (isOwn(url) && /^https?:$/.test(url.protocol)) return undefined;
    if (url.protocol !== 'https:') return '地址必须以 https:// 开头';
    const host = url.hostname;
    if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return '请填写域名，不能是 IP 地址';
    if (!host.includes('.') || /\.(localhost|local|internal|lan|home|arpa)$/.test(host))
      return '请填写公网可以访问的域名';
    if (!PORTS.includes(url.port)) return '端口只能是 443 或 8443';
    return undefined;
  };
  return {
    problemOf,
    async send(event) {
      const problem = problemOf(event.url);
      if (problem !== undefined) return { status: undefined, head: '', failure: problem };
      try {
        return await send(event, isOwn(new URL(event.url)));
      } catch (error) {
        return { status: undefined, head: '', failure: failureOf(error) };
      }
    },
  };
}
