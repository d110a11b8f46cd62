import { chinaClock } from '#contract/rules/time/china-time.ts';
import { randomBytes, randomInt } from 'node:crypto';

/**
 * Order number: date and time in China and six random digits, which do not reveal the number of orders. The caller retries on a
 * collision.
 */
export function orderSn(now: Date): string {
  const time = chinaClock(now).slice(2).replace(/\D/g, '');
  return time + String(randomInt(1_000_000)).padStart(6, '0');
}

/** Number of a payment or withdrawal at a channel: prefix, seconds and random digits; letters and digits only. */
export function channelNo(prefix: string, now: Date): string {
  return (
    prefix +
    Math.floor(now.getTime() / 1000)
      .toString(36)
      .toUpperCase() +
    randomBytes(6).toString('hex').toUpperCase()
  );
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A short code for reading aloud, without 0, O, 1 and I. */
export function readableCode(length: number): string {
  let out = '';
  for (let i = 0; i < length; i++) out += alphabet.charAt(randomInt(alphabet.length));
  return out;
}
