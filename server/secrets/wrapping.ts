/** Wrapping keys with the installation's secret, and recognising a secret. */
import { createHmac } from 'node:crypto';
import { decryptWith, deriveKey, encryptWith, type KeyPurpose } from '#server/kernel/secrets/crypto.ts';

/** The secret that wraps from now on, and previous ones, which can still unwrap. Each has at least 32 bytes. */
export interface Secrets {
  readonly secret: Buffer;
  readonly previous: readonly Buffer[];
}

/** Identifies a secret without revealing it: 16 bytes of a keyed hash. */
export function secretMark(secret: Buffer): Buffer {
  return createHmac('sha256', deriveKey(secret, 'mark')).update('youshi secret').digest().subarray(0, 16);
}

/** The location of a wrapped key, to which it is bound like any encrypted value. */
export interface KeyPlace {
  purpose: KeyPurpose;
  id: number;
}

const location = ({ purpose, id }: KeyPlace): string => `data_key.wrapped:${purpose}:${id}`;

/** Wraps a key with the secret. */
export function wrapKey(secret: Buffer, keyContext: KeyPlace, key: Buffer): Buffer {
  return encryptWith(deriveKey(secret, 'wrap'), location(keyContext), key.toString('base64'));
}

/** The key wrapped by `wrapKey` with the same secret for the same location. Throws if it was modified or moved. */
export function unwrapKey(secret: Buffer, keyContext: KeyPlace, wrapped: Buffer): Buffer {
  return Buffer.from(decryptWith(deriveKey(secret, 'wrap'), location(keyContext), wrapped), 'base64');
}

/** The secret with this fingerprint; undefined when none has it. */
export function secretOf({ secret, previous }: Secrets, mark: Buffer): Buffer | undefined {
  return [secret, ...previous].find((one) => secretMark(one).equals(mark));
}
