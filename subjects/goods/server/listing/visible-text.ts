import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { BoundedMap } from '#server/kernel/cache.ts';

const MAX_TEXTS = 20_000;
/** Longer texts are not cached, because they are rarely shown twice within a short time. */
const MAX_LENGTH = 200;

const visibleTexts = cacheKind('goods.visibleTexts', () => new BoundedMap<string, string>(MAX_TEXTS));

/**
 * A seller's text without contact details, as others see it; may be empty. Cached by text: a list shows a hundred
 * texts, mostly attribute values shared by many listings, and the contact filter takes longer than the rest of a card.
 */
export function visibleText(ctx: Context, text: string): string {
  if (text.length > MAX_LENGTH) return maskContacts(text).text;
  const cache = cacheOf(ctx, visibleTexts);
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const visible = maskContacts(text).text;
  cache.set(text, visible);
  return visible;
}
