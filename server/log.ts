import pino, { type Logger } from 'pino';

/** Fields that never reach a log, wherever they stand. */
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

/** A whole phone number of the mainland that no other digit touches. */
const PHONE = /(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g;

/** The line with the middle of every phone number out of sight. */
export const withoutPhones = (line: string): string => line.replace(PHONE, '$1****$2');

/**
 * The log of the process: JSON lines on standard output, or to `write`. What is named as a secret is left out, and a phone number is masked
 * wherever it stands, also in a text that somebody else's code put together.
 */
export function openLog(level: string, write?: (line: string) => void): Logger {
  const options = { level, redact: REDACTED, hooks: { streamWrite: withoutPhones } };
  return write ? pino(options, { write }) : pino(options);
}
