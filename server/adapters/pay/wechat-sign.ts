import { createDecipheriv, type KeyObject, sign, verify } from 'node:crypto';

const SKEW_SECONDS = 300;
const TAG_BYTES = 16;

/** RSA-SHA256 over lines that each end in a line feed, Base64: the signature of API v3. */
export function signLines(lines: readonly string[], key: KeyObject): string {
  return sign('sha256', Buffer.from(`${lines.join('\n')}\n`), key).toString('base64');
}

export interface SignatureHeaders {
  timestamp: string | undefined;
  nonce: string | undefined;
  serial: string | undefined;
  signature: string | undefined;
}

/** The four headers of a response or a notification that carry WeChat Pay's signature. */
export function signatureHeaders(header: (name: string) => string | null | undefined): SignatureHeaders {
  const of = (name: string): string | undefined => header(`wechatpay-${name}`) ?? undefined;
  return { timestamp: of('timestamp'), nonce: of('nonce'), serial: of('serial'), signature: of('signature') };
}

/** Whether a signature is one of WeChat Pay's tests of its clients, which is never valid. */
export const isProbe = ({ signature }: SignatureHeaders): boolean =>
  signature?.startsWith('WECHATPAY/SIGNTEST/') === true;

/**
 * Whether WeChat Pay signed these exact bytes within the last five minutes, with the key that the serial names. Probes whose signature
 * begins with WECHATPAY/SIGNTEST fail like any other invalid one.
 */
export function isSigned(
  headers: SignatureHeaders,
  body: Buffer,
  keys: ReadonlyMap<string, KeyObject>,
  now: Date,
): boolean {
  const { timestamp, nonce, serial, signature } = headers;
  const key = serial === undefined ? undefined : keys.get(serial);
  if (!key || timestamp === undefined || nonce === undefined || signature === undefined) return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > SKEW_SECONDS) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  const text = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')]);
  return verify('sha256', text, key, Buffer.from(signature, 'base64'));
}

/** Decrypts a notification's resource. undefined when it was not encrypted with our API v3 key. */
export function decryptResource(
  v3Key: string,
  resource: { ciphertext?: unknown; nonce?: unknown; associated_data?: unknown },
): string | undefined {
  const { ciphertext, nonce, associated_data: aad } = resource;
  if (typeof ciphertext !== 'string' || typeof nonce !== 'string') return undefined;
  try {
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(v3Key), Buffer.from(nonce), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(typeof aad === 'string' ? aad : ''));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const head = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES));
    return Buffer.concat([head, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
