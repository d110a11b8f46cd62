import { maskContacts } from '#contract/rules/contacts.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { BoundedMap } from '#server/kernel/cache.ts';

const MAX_TEXTS = 20_000;
/** Longer texts are rarely shown twice within a short time. */
const MAX_LENGTH = 200;

const shownTexts = cacheKind('goods.shownTexts', () => new BoundedMap<string, string>(MAX_TEXTS));

/**
 * What is shown of a text that a seller wrote, without contact details; may be empty. Kept by text: a list shows a hundred of them, mostly
 * values of attributes that many listings share, and looking for contacts takes longer than all else that a card needs.
 */
export function shownText(ctx: Context, text: string): string {
  if (text.length > MAX_LENGTH) return maskContacts(text).text;
  const kept = cacheOf(ctx, shownTexts);
  const known = kept.get(text);
  if (known !== undefined) return known;
  const shown = maskContacts(text).text;
  kept.set(text, shown);
  return shown;
}
