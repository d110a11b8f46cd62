import { type ContactKind, findContacts } from '#contract/rules/contacts/contacts.ts';

/** Masks contact details in an order's chat (domain.md 5), by the filter of contract/rules/contacts/contacts.ts. */

export type MaskKind = Exclude<ContactKind, 'bait'>;

export interface Masked {
  text: string;
  kinds: MaskKind[];
}

/** Replaces masked text; its length does not depend on the text. */
export const MASK = '＊＊＊＊';

/** Host of a link without its port; '' without one. */
function hostOf(link: string): string {
  return /^(?:[a-z]+:\/\/)?([^/:?#]+)/.exec(link)?.[1] ?? '';
}

/** Target of a link to the page /jump, which leads off the site; null for other pages. */
function jumpTarget(link: string): string | null {
  const path = link.replace(/^(?:[a-z]+:\/\/)?[^/?#]+/, '').replace(/\/{2,}/g, '/');
  // The server treats an escaped letter in the path as the letter.
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // An invalid escape is left as it is.
  }
  if (!/^\/+jump\b/.test(decoded)) return null;
  return /[?&]url=([^&#]*)/.exec(decoded)?.[1] ?? '';
}

const IMAGE_LINK = /^https?:\/\/[!-~]+?\.(?:png|jpe?g|gif|webp|bmp|avif)(?:[?#][!-~]*)?$/i;

/** Whether a text consists only of the URL of a picture, as a paste from another page does (product.md 5). */
export function isImageLink(text: string): boolean {
  return IMAGE_LINK.test(text.trim());
}

/**
 * Replaces contact details by MASK. Links to hosts accepted by `isOwnHost` stay; a link through our page /jump counts as the link behind
 * it.
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
