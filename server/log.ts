import pino, { type Logger } from 'pino';

/** Fields that are never logged, at any nesting depth. */
export const REDACTED = [
  '*.password',
  '*.passWord',
  '*.payPassword',
  '*.smsCode',
  '*.idCard',
  '*.authorization',
  '*.cookie',
  'req.headers',
];

/** A mainland phone number not adjacent to other digits. */
const PHONE = /(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g;

/** Masks the middle of every phone number in a line. */
export const withoutPhones = (line: string): string => line.replace(PHONE, '$1****$2');

/**
 * The process's log: JSON lines on standard output, or to `write`. Secret fields are removed and phone numbers are masked, even inside
 * texts produced by a library.
 */
export function openLog(level: string, write?: (line: string) => void): Logger {
  const options = { level, redact: REDACTED, hooks: { streamWrite: withoutPhones } };
  return write ? pino(options, { write }) : pino(options);
}
