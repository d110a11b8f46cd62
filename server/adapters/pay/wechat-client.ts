import type { WechatPayConfig } from '#server/config/config-pay.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import { requestVendor, type Environment } from '../vendor-request.ts';
import { isProbe, isSigned, signatureHeaders, signLines } from './wechat-sign.ts';

export interface WechatResponse {
  status: number;
  /** The vendor's error code; '' on success. */
  code: string;
  fields: Readonly<Record<string, unknown>>;
}

/** The Authorization header: a signature over method, path with query, time, nonce and raw body. */
export function authorization(
  config: Pick<WechatPayConfig, 'mchid' | 'serial' | 'privateKey'>,
  call: { method: string; path: string; body: string; timestamp: string; nonce: string },
): string {
  const { method, path, body, timestamp, nonce } = call;
  const signature = signLines([method, path, timestamp, nonce, body], config.privateKey);
  const parts = { mchid: config.mchid, serial_no: config.serial, timestamp, nonce_str: nonce, signature };
  return `WECHATPAY2-SHA256-RSA2048 ${Object.entries(parts)
    .map(([k, v]) => `${k}="${v}"`)
    .join(',')}`;
}

/** Sends a signed request and returns the raw response. `url` may be a download URL from WeChat Pay, for a statement. */
export async function signedRequest(
  config: WechatPayConfig,
  environment: Environment,
  call: { method: 'GET' | 'POST'; url: string; body?: string; headers?: Record<string, string> },
  limits: { ms?: number; bytes?: number } = {},
) {
  const { pathname, search } = new URL(call.url);
  const timestamp = String(Math.floor(environment.now().getTime() / 1000));
  const body = call.body ?? '';
  const auth = { method: call.method, path: pathname + search, body, timestamp, nonce: environment.nonce() };
  const headers = {
    authorization: authorization(config, auth),
    accept: 'application/json',
    'user-agent': 'youshi',
    ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...call.headers,
  };
  const init = { method: call.method, headers, ...(call.method === 'POST' ? { body } : {}) };
  return await requestVendor(environment, call.url, init, limits);
}

const unknownOutcome =
  /SYSTEM_ERROR|FREQUENCY|RATELIMIT|BIZERR_NEED_RETRY|SIGN_ERROR|NO_AUTH|INVALID_REQUEST_TIMESTAMP/;

/**
 * Calls API v3. A success is accepted only with WeChat Pay's signature over the raw bytes; an error response is not signed and is only a
 * hint. Throws UnknownResult when the response is missing, forged, stale, or reports an unknown outcome.
 */
export async function wechat(
  config: WechatPayConfig,
  environment: Environment,
  call: { method: 'GET' | 'POST'; path: string; body?: Record<string, unknown>; headers?: Record<string, string> },
): Promise<WechatResponse> {
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  const send = () => signedRequest(config, environment, { ...call, url: `${config.base}${call.path}`, body });
  let response = await send();
  // WeChat Pay tests clients with responses that carry a false signature. A call can be repeated under the same number.
  if (isProbe(signatureHeaders((name) => response.headers.get(name)))) response = await send();
  const what = `${call.method} ${call.path.split('?')[0]}`;
  if (response.status >= 200 && response.status < 300) {
    const signature = signatureHeaders((name) => response.headers.get(name));
    if (!isSigned(signature, response.body, config.publicKeys, environment.now()))
      throw new UnknownResult(`${what}: not WeChat Pay's signature`);
    return { status: response.status, code: '', fields: fieldsOf(response.body, what) };
  }
  const fields = fieldsOf(response.body, what);
  const code = typeof fields.code === 'string' ? fields.code : '';
  if (
    response.status >= 500 ||
    response.status === 429 ||
    response.status === 401 ||
    code === '' ||
    unknownOutcome.test(code)
  )
    throw new UnknownResult(`${what}: HTTP ${response.status} ${code}`);
  return { status: response.status, code, fields };
}

function fieldsOf(body: Buffer, what: string): Record<string, unknown> {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the error below.
  }
  throw new UnknownResult(`${what}: the response is not an object`);
}
