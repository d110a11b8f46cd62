import { type ContactKind, findContacts } from '#contract/rules/contacts.ts';

/** Masks in an order's chat what must not be said there (domain.md 5), by the one filter of contract/rules/contacts.ts. */

export type MaskKind = Exclude<ContactKind, 'bait'>;

export interface Masked {
  text: string;
  kinds: MaskKind[];
}

/** Stands for whatever was there; its length tells nothing. */
export const MASK = '＊＊＊＊';

/** Host of a link without its port; '' when it names none. */
function hostOf(link: string): string {
  return /^(?:[a-z]+:\/\/)?([^/:?#]+)/.exec(link)?.[1] ?? '';
}

/** Target of a link to the page that leads off the site; null for every other page. */
function jumpTarget(link: string): string | null {
  const path = link.replace(/^(?:[a-z]+:\/\/)?[^/?#]+/, '').replace(/\/{2,}/g, '/');
  // An escaped letter of the path is the same path to the server.
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A broken escape stays what it is.
  }
  if (!/^\/+jump\b/.test(decoded)) return null;
  return /[?&]url=([^&#]*)/.exec(decoded)?.[1] ?? '';
}

const IMAGE_LINK = /^https?:\/\/[!-~]+?\.(?:png|jpe?g|gif|webp|bmp|avif)(?:[?#][!-~]*)?$/i;

/** Whether a text is nothing but the address of a picture, as a paste from another page gives (product.md 5). */
export function isImageLink(text: string): boolean {
  return IMAGE_LINK.test(text.trim());
}

/**
 * Puts MASK in the place of what must not be said. `isOwnHost` tells the links that may stay; a link through the own page /jump counts
 * as the link behind it.
 */
export function maskText(text: string, isOwnHost: (host: string) => boolean): Masked {
  const linkAllowed = (link: string): boolean => {
    if (!isOwnHost(hostOf(link))) return false;
    const target = jumpTarget(link);
    return target === null || /^\/(?![/\\])/.test(target) || isOwnHost(hostOf(target));
  };
  const found = findContacts(text, { linkAllowed });
  const kinds = new Set<MaskKind>();
  let out = '';
  let at = 0;
  for (const { kind, from, to } of found) {
    if (kind !== 'bait') kinds.add(kind);
    if (to <= at) continue;
    if (from >= at) out += text.slice(at, from) + MASK;
    at = to;
  }
  return { text: out + text.slice(at), kinds: [...kinds] };
}
