/** Objects of any size in a bucket of S3 or of a compatible storage, for backups; unlike pictures they can be listed. */
import { s3Headers, type S3Keys } from './s3-sign.ts';

const TIMEOUT_MS = 300_000;
const TRIES = 4;
const FIRST_PAUSE_MS = 500;

export interface BucketOptions extends S3Keys {
  bucket: string;
  endpoint: string;
  /** The bucket is part of the path and not of the host. */
  pathStyle: boolean;
}

/** Objects by key. Each call is tried four times; all of them may be repeated. */
export interface Bucket {
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** undefined if there is no such object. */
  get(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /** Keys with a prefix, in order. */
  list(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of an XML element: decodes the five named entities and numeric characters. */
const unescaped = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (all, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point <= 0x10_ff_ff ? String.fromCodePoint(point) : all;
    },
  );

const valuesOf = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, value = '']) => unescaped(value));

/** @throws Error with the storage's own code if a call is rejected, or if all attempts to reach it fail */
export function bucketAt(options: BucketOptions): Bucket {
  const { origin, protocol, host } = new URL(options.endpoint);
  const base = options.pathStyle ? `${origin}/${options.bucket}` : `${protocol}//${options.bucket}.${host}`;

  const once = async (method: string, url: URL, body: Buffer | '', headers: Record<string, string>) =>
    await fetch(url, {
      method,
      headers: s3Headers(options, { method, url, headers, body, now: new Date() }),
      ...(body !== '' && { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  const send = async (method: string, path: string, body: Buffer | '' = '', headers: Record<string, string> = {}) => {
    for (let attempt = 1; ; attempt++) {
      const response = await once(method, new URL(`${base}${path}`), body, headers).catch((error: unknown) => {
        if (attempt === TRIES) throw new Error(`存储连不上：${String((error as Error).cause ?? error)}`);
        return undefined;
      });
      if (response && (response.status < 500 || attempt === TRIES)) return response;
      await response?.body?.cancel();
      await pause(FIRST_PAUSE_MS * 2 ** attempt);
    }
  };
  const must = async (response: Response, ...fine: number[]): Promise<Response> => {
    if (response.ok || fine.includes(response.status)) return response;
    const text = await response.text();
    throw new Error(`存储拒绝了请求：${response.status} ${valuesOf(text, 'Code')[0] ?? text.slice(0, 200)}`);
  };
  return {
    async put(key, body, contentType) {
      await must(await send('PUT', `/${key}`, body, { 'content-type': contentType }));
    },
    async get(key) {
      const response = await must(await send('GET', `/${key}`), 404);
      return response.status === 404 ? undefined : Buffer.from(await response.arrayBuffer());
    },
    has: async (key) => (await must(await send('HEAD', `/${key}`), 404)).status !== 404,
    async list(prefix) {
      const keys: string[] = [];
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix });
        if (token !== undefined) query.set('continuation-token', token);
        // Spaces never occur; '+' and '/' are encoded as in the signature.
        const xml = await (await must(await send('GET', `?${query.toString()}`))).text();
        keys.push(...valuesOf(xml, 'Key'));
        token = valuesOf(xml, 'IsTruncated')[0] === 'true' ? valuesOf(xml, 'NextContinuationToken')[0] : undefined;
      } while (token !== undefined);
      return keys.toSorted();
    },
    async remove(key) {
      await must(await send('DELETE', `/${key}`), 404);
    },
  };
}
