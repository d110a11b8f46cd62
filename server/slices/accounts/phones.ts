import { blindIndex, type Keys, decrypt, encrypt } from '#server/kernel/crypto.ts';

/** What finds a user by phone without the number being stored in the clear. */
export function phoneIndex(keys: Keys, phone: string): Buffer {
  return blindIndex(keys, 'phone', phone);
}

const place = (userId: number): string => `app_user.phone_enc:${userId}`;

/** Encrypts a phone for its user's row; it opens nowhere else. */
export function sealPhone(keys: Keys, userId: number, phone: string): Buffer {
  return encrypt(keys, place(userId), phone);
}

/** The number of a user's row. */
export function openPhone(keys: Keys, userId: number, sealed: Buffer): string {
  return decrypt(keys, place(userId), sealed);
}
