import type { Caller } from './session.ts';
import { derivedToken, type Keys, sameText } from '#server/kernel/secrets/crypto.ts';
import { completedAddress, type RequestedAddress } from '#server/kernel/picture-key.ts';

/**
 * Addresses of private pictures (chats and evidence) expire, and work only for the person whose response contained them (decision 605):
 * `/img/{key}.{end}.{signature}`, the end in seconds since 1970 in base 36. The stored form is the key or the bare `/img/{key}`, which is not
 * accessible.
 */

/** All addresses of one period expire together, so a page that is read again contains the same addresses and the browser cache stays valid. */
const PERIOD_SECONDS = 3600;

const SIGNATURE_CHARS = 22;

/** The person an address is valid for: a user, a member of staff, or any visitor. */
export type Viewer = `user:${string}` | `staff:${string}` | 'visitor';

/** The viewer of responses to a caller. */
export const viewerOf = ({ user, staff }: Pick<Caller, 'user' | 'staff'>): Viewer =>
  user ? `user:${user.id}` : staff ? `staff:${staff.imUid}` : 'visitor';

/** The viewer of content sent to a member of a chat group: users are members by their number, staff by their number in the chat. */
export const viewerOfMember = (member: string): Viewer => (/^\d+$/.test(member) ? `user:${member}` : `staff:${member}`);

const signatureOf = (keys: Keys, viewer: Viewer, key: string, end: string): string =>
  derivedToken(keys, `${viewer} ${key} ${end}`, 'img').slice(0, SIGNATURE_CHARS);

/** When addresses signed now expire, in seconds since 1970: in one hour at the earliest and two at the latest. */
export const endOfPeriod = (nowMs: number): number => (Math.floor(nowMs / 1000 / PERIOD_SECONDS) + 2) * PERIOD_SECONDS;

const signed = (keys: Keys, viewer: Viewer, uri: string, end: string): string =>
  completedAddress(uri, (key) => `${key}.${end}.${signatureOf(keys, viewer, key, end)}`);

/**
 * The fields of responses that hold addresses of pictures. No other text is signed: a user may have typed the address of another person's
 * picture.
 */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['url', 'thumb', 'imageUri']);

/**
 * The data of a response with every bare address of a private picture signed for the viewer. Data without such addresses is returned
 * unchanged; nothing is modified in place, since data may be shared with caches.
 */
export function withAddresses<T>(keys: Keys, viewer: Viewer, data: T, nowMs = Date.now()): T {
  const end = endOfPeriod(nowMs).toString(36);
  const written = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(written);
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    let copy: Record<string, unknown> | undefined;
    for (const [name, before] of Object.entries(value)) {
      const isAddress = typeof before === 'string' && ADDRESS_FIELDS.has(name);
      const after = isAddress ? signed(keys, viewer, before, end) : written(before);
      if (after !== before) (copy ??= { ...value })[name] = after;
    }
    return copy ?? value;
  };
  return written(data) as T;
}

/**
 * Whether an address opens for one of these viewers: the remaining seconds, 'ended' for an authentic address that has expired,
 * 'foreign' for any other.
 */
export function stateOf(
  keys: Keys,
  viewers: readonly Viewer[],
  { key, end, signature }: RequestedAddress,
  nowMs = Date.now(),
): number | 'ended' | 'foreign' {
  if (!viewers.some((viewer) => sameText(signature, signatureOf(keys, viewer, key, end)))) return 'foreign';
  const leftMs = Number.parseInt(end, 36) * 1000 - nowMs;
  return leftMs > 0 ? Math.ceil(leftMs / 1000) : 'ended';
}
