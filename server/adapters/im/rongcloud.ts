import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { type ImMessage, ImProviderError, type ImProviderNotice, type ImProvider } from '#server/ports/im.ts';

/**
 * RongCloud's server API. Every call is signed with its own nonce and time; repeatable calls go to the next
 * host after a network error or a 5xx.
 */
export interface RongCloudOptions {
  appKey: string;
  secret: string;
  /** Hosts in the order in which they are tried. */
  hosts: readonly string[];
  dists: readonly string[];
  now?: () => number;
}

const TIMEOUT_MS = 10_000;
/** Maximum number of members in one call. */
const MEMBERS_A_CALL = 1000;
const NONCE_DIGITS = 1e15;
/** Callbacks further than this from our clock are rejected. */
const SKEW_MS = 5 * 60_000;
const OK = 200;
/** Our custom message type for content without a built-in type; must not begin with 'RC:'. */
const OWN_TYPE = 'YS:News';

/** hex(sha1(secret + nonce + timestamp)). */
export function rongSignature(secret: string, nonce: string, timestamp: string): string {
  return createHash('sha1').update(`${secret}${nonce}${timestamp}`).digest('hex');
}

type Fields = Record<string, string | number | readonly string[]>;

function formOf(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [String(value)]) form.append(name, one);
  return form.toString();
}

function isEqual(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/** Content as a device shows it: built-in types for texts and images, a grey line for system messages, our own type for the rest. */
function contentOf(m: ImMessage): { objectName: string; content: Record<string, unknown> } {
  const extra = JSON.stringify({ groupId: m.groupId, seq: m.seq });
  if (m.kind === 'text') return { objectName: 'RC:TxtMsg', content: { content: m.text, extra } };
  if (m.kind === 'image') return { objectName: 'RC:ImgMsg', content: { content: '', imageUri: m.imageUri, extra } };
  if (m.kind === 'card') return { objectName: 'RC:InfoNtf', content: { message: m.text, extra } };
  return { objectName: OWN_TYPE, content: { kind: m.kind, extra } };
}

/** The sequence number in our own copies; undefined in messages written on another client. */
function ownSeq(content: Record<string, unknown>): number | undefined {
  try {
    const seq = (JSON.parse(String(content.extra)) as { seq?: unknown }).seq;
    return typeof seq === 'number' ? seq : undefined;
  } catch {
    return undefined;
  }
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Parses the routing callback. Its signature does not cover the body, so the content is authorised again as an action of the sender. */
function noticeOf(form: Record<string, string>): ImProviderNotice | null {
  const content = parsed(form.content);
  const { fromUserId: sender = '', toUserId: groupId = '', msgUID: uid = '', objectName } = form;
  if (form.channelType !== 'GROUP' || sender === '' || !/^\d{1,15}$/.test(groupId)) return null;
  // The built-in typing message is for one-to-one chats; clients in groups send our hint. One with `extra` is our own copy.
  if (objectName === OWN_TYPE)
    return content.kind === 'typing' && content.extra === undefined ? { kind: 'typing', sender, groupId } : null;
  if (objectName !== 'RC:TxtMsg' || ownSeq(content) !== undefined) return null;
  const text = typeof content.content === 'string' ? content.content : '';
  return /^[\w-]{1,60}$/.test(uid) && text ? { kind: 'text', sender, groupId, uid, text } : null;
}

/** A call of the server API, tried at the hosts in turn until one is reached; a rejection is final. */
type ApiCall = (path: string, fields: Fields) => Promise<Record<string, unknown>>;

function apiClient({ appKey, secret, hosts, now = Date.now }: RongCloudOptions): ApiCall {
  async function callOnce(host: string, path: string, fields: Fields): Promise<Record<string, unknown>> {
    const nonce = String(randomInt(NONCE_DIGITS / 1e4)) + String(randomInt(1e4));
    const timestamp = String(now());
    const response = await fetch(`${host}${path}.json`, {
      method: 'POST',
      headers: {
        'App-Key': appKey,
        Nonce: nonce,
        Timestamp: timestamp,
        Signature: rongSignature(secret, nonce, timestamp),
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      },
      body: formOf(fields),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = parsed(await response.text());
    const code = typeof body.code === 'number' ? body.code : 0;
    if (code !== OK)
      throw new ImProviderError(response.status >= 500 ? 0 : code, `${path}: ${response.status} ${code}`);
    return body;
  }

  return async (path, fields) => {
    let last: unknown;
    for (const host of hosts) {
      try {
        return await callOnce(host, path, fields);
      } catch (error) {
        if (error instanceof ImProviderError && error.code !== 0) throw error;
        last = error;
      }
    }
    throw last instanceof ImProviderError ? last : new ImProviderError(0, `${path}: ${String(last)}`);
  };
}

/** Creates the provider. Nothing is called before it is used. */
export function rongCloud(options: RongCloudOptions): ImProvider {
  const { appKey, secret, dists, now = Date.now } = options;
  const call = apiClient(options);

  const inBatches = async (members: readonly string[], work: (some: readonly string[]) => Promise<unknown>) => {
    for (let i = 0; i < members.length; i += MEMBERS_A_CALL) await work(members.slice(i, i + MEMBERS_A_CALL));
  };

  return {
    name: 'rongcloud',
    appKey,
    dists,
    async token({ imUid, name, portrait }) {
      const { token } = await call('/user/getToken', { userId: imUid, name: name.slice(0, 64), portraitUri: portrait });
      if (typeof token !== 'string') throw new ImProviderError(0, '/user/getToken: no token');
      return token;
    },
    async putGroup(groupId, name, members) {
      await inBatches(members, (userId) => call('/group/create', { userId, groupId, groupName: name.slice(0, 64) }));
    },
    async quitGroup(groupId, members) {
      await inBatches(members, (userId) => call('/group/quit', { userId, groupId }));
    },
    async publish(message) {
      const { objectName, content } = contentOf(message);
      await call('/message/group/publish', {
        fromUserId: message.sender,
        toGroupId: message.groupId,
        objectName,
        content: JSON.stringify(content),
        isPersisted: 0,
        isCounted: message.kind === 'recall' ? 0 : 1,
        isIncludeSender: 1,
        ...(message.expansion && { expansion: 'true', extraContent: JSON.stringify(message.expansion) }),
      });
    },
    async hint({ groupId, sender, kind }) {
      // Built-in typing and receipt messages are for one-to-one chats or refer to RongCloud's message ids; groups use ours.
      await call('/message/group/publish', {
        fromUserId: sender,
        toGroupId: groupId,
        objectName: OWN_TYPE,
        content: JSON.stringify({ kind, extra: JSON.stringify({ groupId }) }),
        isPersisted: 0,
        isCounted: 0,
        isIncludeSender: 0,
      });
    },
    readNotice(query, form) {
      const { nonce = '', signTimestamp = '', signature = '' } = query;
      if (!/^\d{10,13}$/.test(signTimestamp) || nonce === '') return undefined;
      const at = Number(signTimestamp) * (signTimestamp.length === 10 ? 1000 : 1);
      if (Math.abs(now() - at) > SKEW_MS) return undefined;
      if (!isEqual(rongSignature(secret, nonce, signTimestamp), signature)) return undefined;
      return noticeOf(form);
    },
  };
}
