import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { WordFilter } from '#server/blocked-words/filter.ts';

/**
 * Removes the sentences that contain contact details from a text that other people will read (docs/decisions/180). An empty text
 * stays empty. Blocked words are masked (docs/OPERATIONS.md). Throws BAD_INPUT for `field` when nothing would be left, so that no user publishes an empty text by accident.
 */
export function publishable(words: Pick<WordFilter, 'clean'>, label: string, text: string, field: string): string {
  const cut = maskContacts(words.clean(text, { label, field }).text);
  if (cut.masked && cut.text === '')
    throw new AppError('BAD_INPUT', { text: `${label}只含联系方式，不能提交，请修改后再试`, field });
  return cut.text;
}
