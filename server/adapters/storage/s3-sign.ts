import { createHash, createHmac } from 'node:crypto';

/** Credentials of one bucket's region. */
export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hex = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** 20240101T190405Z */
export function amzDate(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

const scopeOf = (keys: S3Keys, date: string): string => `${date.slice(0, 8)}/${keys.region}/s3/aws4_request`;

function signature(keys: S3Keys, date: string, text: string): string {
  const day = hmac(`AWS4${keys.secretAccessKey}`, date.slice(0, 8));
  const signing = hmac(hmac(hmac(day, keys.region), 's3'), 'aws4_request');
  return createHmac('sha256', signing).update(text).digest('hex');
}

/** RFC 3986, as the canonical request has it. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Headers of a request with its signature (AWS Signature Version 4, header form). `body` is whole, '' for none. */
export function s3Headers(
  keys: S3Keys,
  request: { method: string; url: URL; headers?: Readonly<Record<string, string>>; body: Buffer | string; now: Date },
): Record<string, string> {
  const date = amzDate(request.now);
  const sum = hex(request.body);
  const headers: Record<string, string> = { ...request.headers, 'x-amz-content-sha256': sum, 'x-amz-date': date };
  const all = Object.entries({ ...headers, host: request.url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = all.map(([name]) => name).join(';');
  const query = [...request.url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const canonical = [
    request.method,
    request.url.pathname,
    query,
    ...all.map(([name, value]) => `${name}:${value}`),
    '',
    signed,
    sum,
  ].join('\n');
  const scope = scopeOf(keys, date);
  const sign = signature(keys, date, [ALGORITHM, date, scope, hex(canonical)].join('\n'));
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${keys.accessKeyId}/${scope},SignedHeaders=${signed},Signature=${sign}`,
  };
}

/**
 * The fields of a form that a browser may post to a bucket: one key, a size of 1 to `maxBytes`, one type (or any picture where several
 * are allowed), until `expiresAt`.
 */
export function s3PostFields(
  keys: S3Keys,
  request: {
    bucket: string;
    key: string;
    maxBytes: number;
    mimeTypes: readonly string[];
    expiresAt: Date;
    now: Date;
  },
): Record<string, string> {
  const date = amzDate(request.now);
  const [only, ...others] = request.mimeTypes;
  const type = others.length === 0 ? { 'Content-Type': only ?? '' } : ['starts-with', '$Content-Type', 'image/'];
  const fields = {
    bucket: request.bucket,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${keys.accessKeyId}/${scopeOf(keys, date)}`,
    'X-Amz-Date': date,
    key: request.key,
  };
  const policy = JSON.stringify({
    expiration: `${request.expiresAt.toISOString().slice(0, 19)}Z`,
    conditions: [
      ['content-length-range', 1, request.maxBytes],
      type,
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
    ],
  });
  const encodedPolicy = Buffer.from(policy).toString('base64');
  return {
    ...fields,
    ...(others.length === 0 && { 'Content-Type': only ?? '' }),
    Policy: encodedPolicy,
    'X-Amz-Signature': signature(keys, date, encodedPolicy),
  };
}
