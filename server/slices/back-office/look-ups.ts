import { isPhone } from '#contract/rules/phone.ts';
import type { AuditTarget } from '#contract/rules/audit.ts';
import type { StaffCall } from '#server/call.ts';
import { audit } from '#server/audit.ts';

/** Whether a search word names a person: a whole phone, a public number or a number. */
export const isPersonWord = (word: string): boolean =>
  isPhone(word) || /^U\d{7}$/i.test(word) || /^\d{1,10}$/.test(word);

/**
 * Writes down that a member of staff looked a person up in a list: where, by what kind of word, and what was found. The word itself is not
 * kept where it is a phone. Does nothing for words that name no person.
 */
export async function auditLookUp(
  call: StaffCall,
  list: 'order' | 'dispute' | 'claim',
  word: string | undefined,
  found: readonly string[],
): Promise<void> {
  if (word === undefined || !isPersonWord(word)) return;
  const byPhone = isPhone(word);
  const target: AuditTarget = byPhone ? 'user' : `user:${word}`;
  await audit(call.ctx.db, call.staff, 'user.search', target, { list, byPhone, found }, call.ip);
}
