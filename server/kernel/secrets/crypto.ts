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

/** The keys that encrypt values, by number; each value starts with the number of its key. */
export interface KeyRing {
  /** The key that encrypts new values. */
  current(): { readonly id: number; readonly key: Buffer };
  /** Throws BUSY for a key that this process has not loaded yet. */
  byId(id: number): Buffer;
}

/**
 * Keys of one installation, each for one purpose. They are stored in the database, wrapped by the installation's secret
 * (server/secrets/keyring.ts), so that the secret can change while everything they index or sign stays valid.
 */
export interface Keys {
  readonly encrypt: KeyRing;
  readonly blind: Buffer;
  /** Created once, like the next field: every request derives from it, and creating it is five times as expensive as deriving. */
  readonly token: KeyObject;
  readonly fingerprint: KeyObject;
  readonly sandbox: Buffer;
  /** Private key on P-256 that signs push messages. Browsers must subscribe again when it changes. */
  readonly push: Buffer;
}

/** The purposes of keys. The first has several keys over time, the others have one. */
export const keyPurposes = ['encrypt', 'blind', 'token', 'fingerprint', 'sandbox', 'push'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/** A key of 32 bytes for one purpose, derived from a secret of at least 32 bytes. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'youshi', purpose, 32));
}

/** The keys of a demo market, and of an installation that was filled before keys were stored; all derived from the secret. */
export function derivedKeyOf(secret: Buffer, purpose: KeyPurpose): Buffer {
  return deriveKey(secret, purpose === 'encrypt' ? 'seal' : purpose);
}

/** The keys in usable form: `ring` encrypts, the others are used unchanged. */
export function keysOf(ring: KeyRing, keyOf: (purpose: KeyPurpose) => Buffer): Keys {
  return {
    encrypt: ring,
    blind: keyOf('blind'),
    token: createSecretKey(keyOf('token')),
    fingerprint: createSecretKey(keyOf('fingerprint')),
    sandbox: keyOf('sandbox'),
    push: keyOf('push'),
  };
}

/** The derived keys of a secret without a database: for tools that know the secret of a demo market. */
export function deriveKeys(secret: Buffer): Keys {
  const only = { id: 1, key: derivedKeyOf(secret, 'encrypt') };
  const ring: KeyRing = {
    current: () => only,
    byId(id) {
      if (id !== only.id) throw new Error(`unknown key id ${id}: only the derived key is available`);
      return only.key;
    },
  };
  return keysOf(ring, (purpose) => derivedKeyOf(secret, purpose));
}

/**
 * Encrypts text bound to its location (`table.column:row`) by AES-256-GCM: number of the key, 12-byte IV, ciphertext, tag. Columns with such values
 * must be listed in server/encrypted-tables.ts, or a key rotation skips them.
 */
export function encrypt(keys: Keys, location: string, plain: string): Buffer {
  const { id, key } = keys.encrypt.current();
  return encryptWith(key, location, plain, id);
}

/** Decrypts the result of `encrypt` for the same location. Throws when it was modified or moved. */
export const decrypt = (keys: Keys, location: string, ciphertext: Buffer): string =>
  decryptWith(keys.encrypt.byId(ciphertext[0] ?? 0), location, ciphertext);

/** A new data key, 32 bytes. */
export const newDataKey = (): Buffer => randomBytes(32);

/** Like `encrypt`, with a separate data key; `id` is that key's number. */
export function encryptWith(key: Buffer, location: string, plain: string, id = 1): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(location));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([id]), iv, body, cipher.getAuthTag()]);
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
