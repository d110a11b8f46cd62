import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Keys of one installation, each derived for one purpose from the secret in the data folder or the environment. */
export interface Keys {
  readonly encrypt: Buffer;
  readonly blind: Buffer;
  /** Created once: every request derives from it, and creating it costs five times as much as deriving. */
  readonly token: KeyObject;
  readonly fingerprint: Buffer;
  readonly sandbox: Buffer;
  /** Private key on P-256 that signs push messages. Browsers must subscribe again when the secret changes. */
  readonly push: Buffer;
}

/** Derives the keys; `secret` is at least 32 bytes. */
export function deriveKeys(secret: Buffer): Keys {
  const one = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'youshi', purpose, 32));
  return {
    encrypt: one('seal'),
    blind: one('blind'),
    token: createSecretKey(one('token')),
    fingerprint: one('fingerprint'),
    sandbox: one('sandbox'),
    push: one('push'),
  };
}

/** Encrypts text bound to its location (`table.column:row`) by AES-256-GCM: version, 12-byte IV, ciphertext, tag. */
export const encrypt = (keys: Keys, location: string, plain: string): Buffer =>
  encryptWith(keys.encrypt, location, plain);

/** Decrypts the result of `encrypt` for the same location. Throws when it was modified or moved. */
export const decrypt = (keys: Keys, location: string, ciphertext: Buffer): string =>
  decryptWith(keys.encrypt, location, ciphertext);

/** A new data key, 32 bytes. */
export const newDataKey = (): Buffer => randomBytes(32);

/** `encrypt` under a separate data key. */
export function encryptWith(key: Buffer, location: string, plain: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(location));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([1]), iv, body, cipher.getAuthTag()]);
}

/** Decrypts the result of `encryptWith` under the same key for the same location. Throws when it was modified or moved. */
export function decryptWith(key: Buffer, location: string, ciphertext: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(1, 13)).setAAD(Buffer.from(location));
  decipher.setAuthTag(ciphertext.subarray(ciphertext.length - 16));
  return Buffer.concat([decipher.update(ciphertext.subarray(13, ciphertext.length - 16)), decipher.final()]).toString(
    'utf8',
  );
}

/** Keyed hash for looking up a value that is stored encrypted. */
export function blindIndex(keys: Keys, purpose: string, value: string): Buffer {
  return createHmac('sha256', keys.blind).update(`${purpose}:${value}`).digest();
}

/** Keyed hash of a game account: the key of the account passport (domain.md 4). */
export function accountFingerprint(keys: Keys, gameId: number, serverId: number | null, accountNo: string): Buffer {
  const normal = accountNo.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  return createHmac('sha256', keys.fingerprint)
    .update(`${gameId}:${serverId ?? 0}:${normal}`)
    .digest();
}

/** Value derived from a session token: useless by itself, and different for each use ('hdr', 'csrf'). */
export function derivedToken(keys: Keys, sid: string, use: string): string {
  return createHmac('sha256', keys.token).update(`${use}:${sid}`).digest('base64url');
}

/** SHA-256 of text or bytes, 32 bytes. */
export const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();

/** Random text for a cookie, a one-time ticket or a public number that must not be guessable. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** Compares two texts in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
