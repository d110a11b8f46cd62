import { blindIndex, type Keys, decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';

/** The hash that finds a user by phone; the number itself is stored encrypted. */
export function phoneIndex(keys: Keys, phone: string): Buffer {
  return blindIndex(keys, 'phone', phone);
}

const phoneAad = (userId: number): string => `app_user.phone_enc:${userId}`;

/** Encrypts a phone for its user's row; it can be decrypted only with the same user id. */
export function encryptPhone(keys: Keys, userId: number, phone: string): Buffer {
  return encrypt(keys, phoneAad(userId), phone);
}

/** Decrypts the number of a user's row. */
export function decryptPhone(keys: Keys, userId: number, encrypted: Buffer): string {
  return decrypt(keys, phoneAad(userId), encrypted);
}
