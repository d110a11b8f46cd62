import { AppError } from '#server/kernel/errors.ts';

/** A hyphen occurs only in the field that mail programs post (RFC 8058). */
const KEY = /^[A-Za-z_][\w-]{0,63}$/;
const MAX_FIELDS = 100;
const MAX_DEPTH = 20;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bad(): never {
  throw new AppError('BAD_REQUEST');
}

/** Text that needs no decoding: ASCII without percent and plus. */
const LITERAL = /^[\0-$&-*,-\x7f]*$/;
const HEX = /^[0-9a-fA-F]{2}$/;

/**
 * Percent-decodes valid UTF-8 only: overlong sequences and lone surrogates are rejected, not repaired. Each character of `text` is one
 * byte.
 */
function decode(text: string): string {
  if (LITERAL.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x25) {
      const hex = text.slice(i + 1, i + 3);
      if (!HEX.test(hex)) bad();
      bytes[length++] = Number.parseInt(hex, 16);
      i += 2;
    } else bytes[length++] = c === 0x2b ? 0x20 : c;
  }
  try {
    return fatal.decode(bytes.subarray(0, length));
  } catch {
    return bad();
  }
}

/** Parses a form body or a query string: flat, each key once, plain keys, no NUL (reliability.md b.25). Throws BAD_REQUEST. */
export function parseForm(raw: Buffer | string): Record<string, string> {
  const source = typeof raw === 'string' ? Buffer.from(raw, 'utf8').toString('latin1') : raw.toString('latin1');
  const out: Record<string, string> = {};
  if (source === '') return out;
  const parts = source.split('&');
  if (parts.length > MAX_FIELDS) bad();
  for (const part of parts) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const key = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : decode(part.slice(at + 1));
    if (!KEY.test(key) || FORBIDDEN.has(key) || Object.hasOwn(out, key) || value.includes('\0')) bad();
    out[key] = value;
  }
  return out;
}

function check(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) bad();
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) bad();
  } else if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (FORBIDDEN.has(key)) bad();
      check(item, depth + 1);
    }
  } else if (typeof value === 'number' && !Number.isFinite(value)) bad();
}

/** Parses a JSON body: valid UTF-8, an object, limited depth, no prototype keys. Throws BAD_REQUEST. */
export function parseJson(raw: Buffer): Record<string, unknown> {
  // Depth is checked on the text first, because deep nesting would exhaust the stack.
  let depth = 0;
  for (const byte of raw) {
    if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > MAX_DEPTH) bad();
  }
  let value: unknown;
  try {
    value = JSON.parse(fatal.decode(raw), (key, item: unknown) => (FORBIDDEN.has(key) ? bad() : item));
  } catch {
    bad();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) bad();
  check(value, 0);
  return value as Record<string, unknown>;
}
