/** How a key is wrapped by the installation's secret, and how a secret is recognised. */
import { createHmac } from 'node:crypto';
import { decryptWith, deriveKey, encryptWith, type KeyPurpose } from '#server/kernel/crypto.ts';

/** The secret that wraps from now on, and those before it, which still open. Each has at least 32 bytes. */
export interface Secrets {
  readonly secret: Buffer;
  readonly previous: readonly Buffer[];
}

/** Names a secret without telling it: 16 bytes of a keyed hash. */
export function secretMark(secret: Buffer): Buffer {
  return createHmac('sha256', deriveKey(secret, 'mark')).update('youshi secret').digest().subarray(0, 16);
}

/** The place of a wrapped key; bound to it like any encrypted value. */
export interface KeyPlace {
  purpose: KeyPurpose;
  id: number;
}

const location = ({ purpose, id }: KeyPlace): string => `data_key.wrapped:${purpose}:${id}`;

/** Wraps a key by the secret. */
export function wrapKey(secret: Buffer, keyContext: KeyPlace, key: Buffer): Buffer {
  return encryptWith(deriveKey(secret, 'wrap'), location(keyContext), key.toString('base64'));
}

/** The key that `wrapKey` wrapped by the same secret for the same place. Throws when it was modified or moved. */
export function unwrapKey(secret: Buffer, keyContext: KeyPlace, wrapped: Buffer): Buffer {
  return Buffer.from(decryptWith(deriveKey(secret, 'wrap'), location(keyContext), wrapped), 'base64');
}

/** The secret with this fingerprint; undefined when none has it. */
export function secretOf({ secret, previous }: Secrets, mark: Buffer): Buffer | undefined {
  return [secret, ...previous].find((one) => secretMark(one).equals(mark));
}
