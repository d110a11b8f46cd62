import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';
import type { Push, PushTarget } from '#server/ports/push.ts';

const CURVE = 'prime256v1';
const RECORD_BYTES = 4096;
const TIMEOUT_MS = 8_000;
const LIFE_SECONDS = 86_400;
const TOKEN_SECONDS = 12 * 3600;

/** The push services of the browsers there are. Addresses come from users, so no other host is ever asked. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
  /^([a-z0-9-]+\.)?web\.push\.apple\.com$/,
];

const b64 = (bytes: Buffer): string => bytes.toString('base64url');
const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/**
 * A message encrypted for one browser (RFC 8291 over RFC 8188, one record). `ephemeral` and `salt` are of chance; only a test gives
 * them.
 */
export function encrypt(
  target: Pick<PushTarget, 'p256dh' | 'auth'>,
  plain: Buffer,
  chosen: { ephemeral?: Buffer; salt?: Buffer } = {},
): Buffer {
  const theirs = Buffer.from(target.p256dh, 'base64url');
  const own = createECDH(CURVE);
  if (chosen.ephemeral) own.setPrivateKey(chosen.ephemeral);
  else own.generateKeys();
  const point = own.getPublicKey();
  const salt = chosen.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, point]);
  const secret = derive(own.computeSecret(theirs), Buffer.from(target.auth, 'base64url'), info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The octet 2 ends the last record.
  const body = Buffer.concat([
    cipher.update(Buffer.concat([plain, Buffer.from([2])])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const head = Buffer.alloc(21);
  salt.copy(head);
  head.writeUInt32BE(RECORD_BYTES, 16);
  head.writeUInt8(point.length, 20);
  return Buffer.concat([head, point, body]);
}

/** Pushes by the protocol of the web (RFC 8030), signed by a key of ours (RFC 8292). `key` is 32 bytes of secret. */
export function webPush(options: { key: Buffer; subject: string; fetch?: typeof fetch }): Push {
  const ask = options.fetch ?? fetch;
  const pair = createECDH(CURVE);
  pair.setPrivateKey(options.key);
  const point = pair.getPublicKey();
  const jwk = { kty: 'EC', crv: 'P-256', x: b64(point.subarray(1, 33)), y: b64(point.subarray(33, 65)) };
  const privateKey = createPrivateKey({ key: { ...jwk, d: b64(options.key) }, format: 'jwk' });

  const token = (endpoint: string): string => {
    const claims = {
      aud: new URL(endpoint).origin,
      exp: Math.floor(Date.now() / 1000) + TOKEN_SECONDS,
      sub: options.subject,
    };
    const part = (value: object): string => b64(Buffer.from(JSON.stringify(value)));
    const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
    return `${text}.${b64(sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }))}`;
  };

  return {
    name: 'web',
    publicKey: b64(point),
    accepts(endpoint) {
      if (!URL.canParse(endpoint)) return false;
      const { protocol, hostname, port, username } = new URL(endpoint);
      return protocol === 'https:' && port === '' && username === '' && SERVICES.some((host) => host.test(hostname));
    },
    async send(target, message) {
      const response = await ask(target.endpoint, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `vapid t=${token(target.endpoint)}, k=${b64(point)}`,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(LIFE_SECONDS),
          urgency: 'normal',
          // A waiting message of the same topic is replaced: a repeat does not arrive beside the first.
          topic: message.tag.slice(0, 32),
        },
        body: new Uint8Array(encrypt(target, Buffer.from(JSON.stringify(message)))),
      });
      if (response.status === 404 || response.status === 410) return 'gone';
      if (!response.ok) throw new Error(`the push service answered ${response.status}`);
      return 'sent';
    },
  };
}
