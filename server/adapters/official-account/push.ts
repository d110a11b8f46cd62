import { createDecipheriv, createHash } from 'node:crypto';
import { sameText } from '#server/kernel/secrets/crypto.ts';
import type { AccountPush, PushRequest } from '#server/ports/official-account.ts';

const MAX_SKEW_SECONDS = 600;

export interface PushKeys {
  appId: string;
  /** The token entered with our address in WeChat's console. */
  token: string;
  /** EncodingAESKey, 43 characters; undefined in plain mode. */
  aesKey: string | undefined;
}

/** WeChat's signature of pushes: SHA-1 over its parts in their order by name. */
export const pushSignature = (parts: readonly string[]): string =>
  createHash('sha1')
    .update([...parts].sort((a, b) => (a < b ? -1 : 1)).join(''))
    .digest('hex');

/**
 * Decrypts a push (AES-256-CBC, PKCS #7 with blocks of 32): 16 random bytes, the length, the message, our id. undefined when it is not
 * meant for us.
 */
export function decryptPush(encrypted: string, keys: { appId: string; aesKey: string }): string | undefined {
  try {
    const key = Buffer.from(`${keys.aesKey}=`, 'base64');
    const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(Buffer.from(encrypted, 'base64')), decipher.final()]);
    const padding = padded.at(-1) ?? 0;
    if (padding < 1 || padding > 32) return undefined;
    const plain = padded.subarray(0, padded.length - padding);
    const end = 20 + plain.readUInt32BE(16);
    return plain.subarray(end).toString() === keys.appId ? plain.subarray(20, end).toString() : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of a push, in JSON or in flat XML; no entities, no nesting, nothing is resolved. */
export function pushFields(text: string): Readonly<Record<string, string>> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    try {
      const entries = Object.entries(JSON.parse(trimmed) as Record<string, unknown>);
      return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
    } catch {
      return {};
    }
  }
  const fields = [...trimmed.matchAll(/<(\w+)>(?:<!\[CDATA\[([^\]]*)\]\]>|([^<]*))<\/\1>/g)];
  return Object.fromEntries(fields.map(([, name = '', data, plain]) => [name, data ?? plain ?? '']));
}

const isRecent = (timestamp: string, now: Date): boolean =>
  Math.abs(Number(timestamp) - now.getTime() / 1000) <= MAX_SKEW_SECONDS;

/** Whether the query is signed by WeChat, and not long ago. */
export function isPushQuery(keys: PushKeys, query: PushRequest['query'], now: Date): boolean {
  const { signature = '', timestamp = '', nonce = '' } = query;
  return isRecent(timestamp, now) && sameText(signature, pushSignature([keys.token, timestamp, nonce]));
}

/** A push's message: signed, and decrypted if encryption is configured; plain messages are then rejected. */
function messageOf(keys: PushKeys, { query, body }: PushRequest, now: Date): string | undefined {
  if (keys.aesKey === undefined) return isPushQuery(keys, query, now) ? body : undefined;
  const { msg_signature: signature = '', timestamp = '', nonce = '' } = query;
  const { Encrypt: encrypted = '' } = pushFields(body);
  const expected = pushSignature([keys.token, timestamp, nonce, encrypted]);
  if (!isRecent(timestamp, now) || !sameText(signature, expected)) return undefined;
  return decryptPush(encrypted, { appId: keys.appId, aesKey: keys.aesKey });
}

/** The content of a push; undefined when it is not from WeChat. */
export function readPush(keys: PushKeys, request: PushRequest, now: Date): AccountPush | undefined {
  const message = messageOf(keys, request, now);
  if (message === undefined) return undefined;
  const { MsgType: type, Event: event, EventKey: key = '', FromUserName: openId = '' } = pushFields(message);
  if (type !== 'event' || openId === '') return { kind: 'other' };
  if (event === 'unsubscribe') return { kind: 'unfollow', openId };
  // A new follower's scene has a prefix; an existing follower's has none.
  if (event === 'subscribe' && key.startsWith('qrscene_')) return { kind: 'follow', openId, scene: key.slice(8) };
  return event === 'SCAN' && key !== '' ? { kind: 'follow', openId, scene: key } : { kind: 'other' };
}
