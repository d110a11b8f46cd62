import { createHash, createHmac } from 'node:crypto';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import { type Environment, requestVendor } from './vendor-request.ts';

/** An Aliyun API with our signing key. */
export interface AliyunApi {
  /** 'https://dysmsapi.aliyuncs.com', or the URL of a fake. */
  readonly base: string;
  readonly keyId: string;
  readonly keySecret: string;
  /** '2017-05-25' */
  readonly version: string;
}

interface AliyunRequest {
  action: string;
  /** Parameters in the URL. */
  query?: Readonly<Record<string, string>>;
  /** Parameters in the body, for values that must not appear in a URL. */
  form?: Readonly<Record<string, string>>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 3986: everything but letters, digits and `-_.~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Sorted and encoded, in the form used by both the URL and the signature. */
function queryText(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

/** The Authorization header of ACS3-HMAC-SHA256: method, query, all `headers` (lower case) and the hash of the body are signed. */
export function acs3Authorization(
  key: { keyId: string; keySecret: string },
  request: { method: string; query: string; headers: Readonly<Record<string, string>>; bodyHash: string },
): string {
  const names = Object.keys(request.headers).sort();
  const canonical = [
    request.method,
    '/',
    request.query,
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    request.bodyHash,
  ].join('\n');
  const signature = createHmac('sha256', key.keySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex');
  return `ACS3-HMAC-SHA256 Credential=${key.keyId},SignedHeaders=${names.join(';')},Signature=${signature}`;
}

/** Error codes of the gateway that apply to every API. */
function gatewayRejection(status: number, code: string): VendorRejected | undefined {
  if (status === 429 || code.startsWith('Throttling')) return new VendorRejected('busy', code || 'HTTP 429');
  if (status >= 400 && status < 500 && code !== '') return new VendorRejected('account', code);
  return undefined;
}

/**
 * Calls an RPC API of Aliyun and returns the fields of its response, whose own `Code` the caller checks. Throws VendorRejected when the gateway
 * rejects the request (keys, signature, load), VendorUnavailable, and UnknownResult without a usable response.
 */
export async function aliyun(
  api: AliyunApi,
  environment: Environment,
  { action, query = {}, form }: AliyunRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const body = form === undefined ? '' : new URLSearchParams(form).toString();
  const bodyHash = sha256(body);
  const search = queryText(query);
  const headers = {
    host: new URL(api.base).host,
    'x-acs-action': action,
    'x-acs-content-sha256': bodyHash,
    'x-acs-date': `${environment.now().toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': environment.nonce(),
    'x-acs-version': api.version,
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const authorization = acs3Authorization(api, { method: 'POST', query: search, headers, bodyHash });
  const { host: _host, ...sent } = headers;
  const url = search === '' ? `${api.base}/` : `${api.base}/?${search}`;
  const response = await requestVendor(environment, url, {
    method: 'POST',
    headers: { ...sent, authorization, accept: 'application/json' },
    body,
  });
  const fields = fieldsOf(response.body);
  const code = typeof fields?.Code === 'string' ? fields.Code : '';
  const rejection = gatewayRejection(response.status, code);
  if (rejection) throw rejection;
  if (response.status !== 200 || fields === undefined)
    throw new UnknownResult(`${action}: HTTP ${response.status} ${code}`);
  return fields;
}

function fieldsOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
