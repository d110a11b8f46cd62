import { createHmac } from 'node:crypto';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import { base32 } from '#server/kernel/secrets/totp.ts';

/** The second factor of a demo member of staff: derived from this installation's own secret, so that knowing this file is not enough. */
export function demoTotpSecret(keys: Keys, login: string): string {
  return base32(createHmac('sha256', keys.token).update(`demo staff ${login}`).digest().subarray(0, 20));
}
