/** A seller's own program: signs as the documentation says, with a key made in the centre. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { apiKeyCreate } from '#subjects/open-api/contract/open-keys.ts';
import type { Data, Endpoint, Envelope, Input } from '#contract/endpoint.ts';
import { API_SCOPES } from '#subjects/open-api/rules/api-keys.ts';
import type { TestApp, TestUser } from '../servers/build.ts';

export interface TestKey {
  keyId: number;
  publicId: string;
  secret: string;
}

/** A key of a seller whose session has proved its owner. */
export async function newKey(seller: TestUser, input: Partial<Input<typeof apiKeyCreate>> = {}): Promise<TestKey> {
  const { key, secret } = await seller.client.ok(apiKeyCreate, {
    name: '库存同步',
    scopes: [...API_SCOPES],
    days: 90,
    maxDropPercent: 30,
    ...input,
  });
  return { keyId: key.keyId, publicId: key.publicId, secret };
}

/** Changes that a forger makes to a request before or after signing. */
export interface Tampering {
  timestamp?: number;
  nonce?: string;
  /** Signed instead of what is sent. */
  signedTarget?: string;
  signedBody?: string;
  signature?: string;
  ip?: string;
  idempotencyKey?: string;
}

interface Reply<T> {
  status: number;
  code: number;
  msg: string;
  field: string | undefined;
  data: T;
}

/** Sends a signed call. */
export async function signedCall<E extends Endpoint>(
  t: TestApp,
  key: TestKey,
  endpoint: E,
  input: Input<E>,
  tampering: Tampering = {},
): Promise<Reply<Data<E>>> {
  const isRead = endpoint.method === 'GET';
  const query = new URLSearchParams(
    Object.entries(isRead ? (input as Record<string, unknown>) : {}).map(([name, value]) => [name, String(value)]),
  ).toString();
  const target = query === '' ? endpoint.path : `${endpoint.path}?${query}`;
  const body = isRead ? '' : JSON.stringify(input);
  const timestamp = String(tampering.timestamp ?? Math.floor(Date.now() / 1000));
  const nonce = tampering.nonce ?? randomBytes(16).toString('hex');
  const bodyHash = createHash('sha256')
    .update(tampering.signedBody ?? body)
    .digest('hex');
  const text = ['HMAC-SHA256', endpoint.method, tampering.signedTarget ?? target, timestamp, nonce, bodyHash].join(
    '\n',
  );
  const signature = tampering.signature ?? createHmac('sha256', key.secret).update(text).digest('hex');
  const response = await t.client(tampering.ip === undefined ? {} : { ip: tampering.ip }).raw({
    method: endpoint.method,
    url: target,
    headers: {
      'x-api-key': key.publicId,
      'x-api-timestamp': timestamp,
      'x-api-nonce': nonce,
      'x-api-signature': signature,
      ...(isRead ? {} : { 'content-type': 'application/json' }),
      ...(tampering.idempotencyKey !== undefined && { 'idempotency-key': tampering.idempotencyKey }),
    },
    ...(isRead ? {} : { payload: body }),
  });
  const envelope = response.json<Envelope<Data<E>>>();
  return {
    status: response.statusCode,
    code: envelope.code,
    msg: envelope.msg,
    field: envelope.field,
    data: envelope.data as Data<E>,
  };
}
