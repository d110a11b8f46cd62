import { IMAGE_RULE } from '#contract/rules/limits.ts';
import { PRIVATE_MARK } from '#server/kernel/picture-key.ts';

/** Widths that a picture is stored in besides its own, which is at most FULL_WIDTH. */
const WIDTHS = [320, 640, 1280] as const;
export const FULL_WIDTH = 1920;

const VOICE_KEY = /^[a-z2-7]{26}-([1-9]\d?)\.(?:mp3|m4a|wav)$/;

/** Length of a stored voice in seconds, encoded in its key; undefined for an invalid key. */
export function secondsOfVoice(key: string): number | undefined {
  const match = VOICE_KEY.exec(key);
  return match ? Number(match[1]) : undefined;
}

/** Storage key of a voice. */
export const voiceKey = (key: string): string => `voices/${key.slice(0, 2)}/${key}`;

/** The stored widths of a picture of this width, smallest first; the last is its own. */
export function cachedWidths(width: number): number[] {
  return [...WIDTHS.filter((w) => w < width), width];
}

/** The stored width for a wanted width: the smallest that is wide enough, else the largest. */
export function servingWidth(width: number, wanted: number | undefined): number {
  const widths = cachedWidths(width);
  return (wanted === undefined ? undefined : widths.find((w) => w >= wanted)) ?? width;
}

/** Storage key of one width. */
export function storageKey(key: string, width: number): string {
  return `pictures/${key.slice(0, 2)}/${key}/${width}.webp`;
}

/** Parses the wanted width of `?w=640` or of the specification's form `?imageView2/2/w/640/q/75`. */
export function wantedWidth(query: string): number | undefined {
  // Pictures are stored at this quality: only the rule requests the picture's own width.
  if (query === IMAGE_RULE) return undefined;
  const match =
    /^imageView2\/\d(?:\/[a-z-]+\/[\w!]+)*?\/w\/(\d{1,5})(?:\/|$)/.exec(query) ??
    /(?:^|&)w=(\d{1,5})(?:&|$)/.exec(query);
  const wanted = Number(match?.[1]);
  return wanted > 0 ? wanted : undefined;
}

/** A stable hash of a text (FNV-1a, 32 bit). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The hue of a name, one of twelve distinct ones; web/lib/format/hue.ts computes the same, so that avatars look the same in both places. */
export const hueOf = (name: string): number => (hashOf(name) % 12) * 30 + 15;

/** The character for a name in a generated picture: a letter, digit or ideograph; '' when there is none. */
export function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
}

export type PicturePurpose = 'goods' | 'chat' | 'avatar' | 'evidence' | 'content';

/** The end of a new key: pictures of chats and evidence are marked, and open only with an address created for the viewer. */
export const markOf = (purpose: PicturePurpose): string =>
  purpose === 'chat' || purpose === 'evidence' ? PRIVATE_MARK : '';
