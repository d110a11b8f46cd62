import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** A clock may be one step before or behind. */
const SKEW = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Text of a secret as authenticator apps read it (RFC 4648, no padding). */
export function base32(bytes: Buffer): string {
  let out = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      out += BASE32.charAt((value >>> (bits - 5)) & 31);
      bits -= 5;
    }
    value &= 0xff;
  }
  return bits > 0 ? out + BASE32.charAt((value << (5 - bits)) & 31) : out;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of text.toUpperCase().replace(/[\s=-]/g, '')) {
    const digit = BASE32.indexOf(char);
    if (digit < 0) throw new Error('not a base32 secret');
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bytes.push((value >>> (bits - 8)) & 0xff);
      bits -= 8;
    }
  }
  return Buffer.from(bytes);
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const at = (digest[digest.length - 1] ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The code that an authenticator shows for a base32 secret at a moment in ms (RFC 6238: SHA-1, 30 s, 6 digits). */
export function totpCode(secret: string, timeMs: number): string {
  return codeOf(fromBase32(secret), Math.floor(timeMs / STEP_MS));
}

/** The step whose code this is, newest first, within one step of the moment; undefined when it is none of theirs. */
export function totpStep(secret: string, code: string, timeMs: number): number | undefined {
  const key = fromBase32(secret);
  const now = Math.floor(timeMs / STEP_MS);
  for (let step = now + SKEW; step >= now - SKEW; step--) if (codeOf(key, step) === code) return step;
  return undefined;
}

/**
 * The first code after `lastStep`, the step that was used last: of the present step, else of a later one. It is taken in
 * `waitSeconds` (mostly 0, a clock may be ahead) and gives way to another in `secondsLeft`.
 */
export function nextTotp(
  secret: string,
  lastStep: number,
  timeMs: number,
): { code: string; waitSeconds: number; secondsLeft: number } {
  const step = Math.max(Math.floor(timeMs / STEP_MS), lastStep + 1);
  const secondsTo = (at: number): number => Math.max(0, Math.ceil((at * STEP_MS - timeMs) / 1000));
  return {
    code: codeOf(fromBase32(secret), step),
    waitSeconds: secondsTo(step - SKEW),
    secondsLeft: secondsTo(step + 1),
  };
}
