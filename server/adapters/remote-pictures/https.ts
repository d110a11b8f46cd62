import type { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';
import { isPublicAddress } from '#server/kernel/network.ts';
import type { FetchedPicture, RemotePictures } from '#server/ports/remote-pictures.ts';
import { ForbiddenAddress, lookupOf } from '../public-lookup.ts';

/** For a picture with all its redirects. */
const LIMIT_MS = 10_000;
const REDIRECTS = 3;
/** An address is part of an index, whose limit is in bytes, not characters. */
const MAX_BYTES = 1000;
const SECURE_PORTS = ['', '443', '8443'];
const PLAIN_PORTS = ['', '80', '8080'];

/** A rejection with its message for the seller. */
class Refused extends Error {}

/** Replaced in tests: the name look-up, and which addresses count as public. */
interface Surroundings {
  resolve?: typeof systemLookup;
  isPublic?: (address: string) => boolean;
  /** Additional ports. */
  ports?: readonly string[];
  limitMs?: number;
}

/** The reason for a failed request, as a message for the seller. */
function failureOf(error: unknown, limitMs: number): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof ForbiddenAddress) return '图片的域名指向内网地址，已拒绝';
  const { code, name } = error as { code?: string; name?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return `图片 ${Math.round(limitMs / 1000)} 秒内没有下载完`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return '图片的域名无法解析';
  if (code !== undefined && /CERT|SELF_SIGNED|TLS|SSL|UNABLE_TO|ALTNAME/.test(code)) return '图片网站的证书不受信任';
  return '连不上图片的网站';
}

/** The body, up to the maximum size of an uploaded picture. The declared length is not trusted. */
async function readBody(response: IncomingMessage): Promise<Buffer> {
  const tooLarge = new Refused(`图片超过 ${IMAGE_MAX_BYTES / 1024 / 1024}M`);
  if (Number(response.headers['content-length'] ?? 0) > IMAGE_MAX_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > IMAGE_MAX_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  if (size === 0) throw new Refused('图片的网址没有内容');
  return Buffer.concat(chunks);
}

type LookUp = NonNullable<RequestOptions['lookup']>;

/** Sends one request without following redirects. */
async function open(url: URL, lookup: LookUp, signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions = {
    lookup,
    signal,
    agent: false,
    headers: {
      accept: 'image/*',
      'accept-encoding': 'identity',
      'user-agent': 'Youshi-Pictures/1',
      connection: 'close',
    },
  };
  return await new Promise((done, fail) => {
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, done);
    sent.on('error', fail);
    sent.end();
  });
}

/**
 * Loads pictures over HTTPS from public host names. Rejects IP addresses as hosts, other ports and user names; connects to the address that was
 * checked, checks every redirect again, and allows ten seconds and the size of an upload. It does not check that the bytes are a picture: the
 * caller that stores them does. `isPlainAllowed` also accepts http.
 */
export function httpsPictures(
  { isPlainAllowed }: { isPlainAllowed: boolean },
  around: Surroundings = {},
): RemotePictures {
  const { isPublic = isPublicAddress, ports = [], limitMs = LIMIT_MS } = around;
  const lookup = lookupOf(isPublic, around.resolve);
  const problemOf = (input: string): string | undefined => {
    if (Buffer.byteLength(input) > MAX_BYTES) return '图片的网址太长';
    if (!URL.canParse(input)) return '图片的网址不完整';
    const { protocol, username, password, hostname, port } = new URL(input);
    if (protocol !== 'https:' && !(isPlainAllowed && protocol === 'http:'))
      return `图片的网址必须以 https://${isPlainAllowed ? ' 或 http://' : ''} 开头`;
    if (username !== '' || password !== '') return '图片的网址里不能带用户名和密码';
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return '图片的网址要写域名，不能是 IP 地址';
    if (!hostname.includes('.') || /\.(localhost|local|internal|lan|home|arpa)\.?$/.test(hostname))
      return '图片的域名不是公网可以访问的';
    if (![...(protocol === 'https:' ? SECURE_PORTS : PLAIN_PORTS), ...ports].includes(port))
      return `图片的网址用了 ${port} 端口，只能用默认端口`;
    return undefined;
  };
  const follow = async (input: string, signal: AbortSignal): Promise<Buffer> => {
    let address = input;
    for (let turn = 0; turn <= REDIRECTS; turn++) {
      const problem = problemOf(address);
      if (problem !== undefined)
        throw new Refused(turn === 0 ? problem : `图片的网址跳转到了不能访问的地方：${problem}`);
      const url = new URL(address);
      const response = await open(url, lookup, signal);
      try {
        const { statusCode: status = 0, headers } = response;
        if (status >= 300 && status < 400 && headers.location !== undefined) {
          if (!URL.canParse(headers.location, url)) throw new Refused('图片的网址跳转有误');
          address = new URL(headers.location, url).href;
          continue;
        }
        if (status !== 200) throw new Refused(`图片的网站返回了 HTTP ${status}`);
        return await readBody(response);
      } finally {
        response.destroy();
      }
    }
    throw new Refused('图片的网址跳转次数过多');
  };
  return {
    problemOf,
    async fetch(url): Promise<FetchedPicture> {
      const signal = AbortSignal.timeout(limitMs);
      try {
        return { body: await follow(url, signal), failure: undefined };
      } catch (error) {
        // A body that is cut off by the time limit ends with an error of the connection.
        return { body: undefined, failure: failureOf(signal.aborted ? signal.reason : error, limitMs) };
      }
    },
  };
}

/** Fetches nothing; used if the operator has switched fetching off. */
export function noPictures(): RemotePictures {
  const problem = '本站不从网址下载图片，请上传图片文件';
  return { problemOf: () => problem, fetch: () => Promise.resolve({ body: undefined, failure: problem }) };
}
