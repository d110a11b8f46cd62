/**
 * Keys of uploaded pictures and their addresses. A key holds the size, and a mark for pictures of chats and evidence, which are private
 * (decision 605): `{26 letters and digits}-{width}x{height}`, with `-p` for a private one.
 */

/** The end of the key of a private picture. */
export const PRIVATE_MARK = '-p';

const PATH = '/img/';
const KEY = /^[a-z0-9]{26}-([1-9]\d{0,3})x([1-9]\d{0,4})(-p)?$/;
const END = /^[0-9a-z]{6,7}$/;
const SIGNATURE = /^[\w-]{22}$/;

/** Size of a stored picture, encoded in its key; undefined for an invalid key. */
export function sizeOfKey(key: string): { width: number; height: number } | undefined {
  const match = KEY.exec(key);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}

const isPrivateKey = (key: string): boolean => KEY.exec(key)?.[3] !== undefined;

/** Address of an uploaded picture, in full size or in a width. A private picture's address is signed when a response is written. */
export function imageUrl(key: string, width?: number): string {
  return width === undefined ? `${PATH}${key}` : `${PATH}${key}?w=${width}`;
}

/** The parts of an address of a private picture as it was requested. */
export interface RequestedAddress {
  key: string;
  end: string;
  signature: string;
}

export type RequestedPicture = RequestedAddress & { readonly isPrivate: boolean };

/**
 * The parts of a picture's address as requested, `{key}` or `{key}.{end}.{signature}`, and whether the picture is private; undefined for an
 * invalid address.
 */
export function requestedPicture(param: string): RequestedPicture | undefined {
  const [key = '', end = '', signature = '', ...more] = param.split('.', 4);
  const isPrivate = isPrivateKey(key);
  const isComplete = isPrivate && END.test(end) && SIGNATURE.test(signature) && more.length === 0;
  return (KEY.test(key) && param === key) || isComplete ? { key, end, signature, isPrivate } : undefined;
}

/** The bare address of a private picture with `complete(key)` in place of its key; any other text unchanged. */
export function completedAddress(uri: string, complete: (key: string) => string): string {
  if (!uri.startsWith(PATH)) return uri;
  const [key = ''] = uri.slice(PATH.length).split('?', 1);
  return isPrivateKey(key) ? `${PATH}${complete(key)}${uri.slice(PATH.length + key.length)}` : uri;
}
