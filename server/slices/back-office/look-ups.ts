import { type RawBuilder, sql } from 'kysely';
import { isPhone } from '#contract/rules/phone.ts';
import type { AuditTarget } from '#contract/rules/audit.ts';
import type { StaffCall } from '#server/access/call.ts';
import { audit } from '#server/audit.ts';
import { phoneSearchIndex } from '#server/slices/accounts/service.ts';

/** Whether a search word names a person: a whole phone, a public number or a number. */
const isPersonWord = (word: string): boolean => isPhone(word) || /^U\d{7}$/i.test(word) || /^\d{1,10}$/.test(word);

/** Whether a word is the number of a document: an order, a payment, a case. */
const isDocumentWord = (word: string): boolean => /^[A-Za-z]{0,4}\d{7,}$/.test(word) && !isPersonWord(word);

/** The ids of whom a word names, as a subquery; undefined for words that name no person. */
export function personIds(call: StaffCall, word: string): RawBuilder<unknown> | undefined {
  if (isPhone(word)) return sql`select id from app_user where phone_hash = ${phoneSearchIndex(call.ctx.keys, word)}`;
  if (/^U\d{7}$/i.test(word)) return sql`select id from app_user where union_num = ${word.toUpperCase()}`;
  return /^\d{1,10}$/.test(word) ? sql`select ${Number(word)}::bigint` : undefined;
}

/** Lists in which staff look people up. */
type LookUpList = 'order' | 'dispute' | 'claim' | 'withdrawal' | 'hold' | 'topup';

/**
 * Writes down that a member of staff looked a person up in a list: where, by what kind of word, and what was found. The word itself is not
 * kept where it is a phone. `byName`: the list is also searched by nicknames, so every word that is no document's number counts. Does
 * nothing for words that name no person.
 */
export async function auditLookUp(
  call: StaffCall,
  list: LookUpList,
  word: string | undefined,
  found: readonly string[],
  { byName = false }: { byName?: boolean } = {},
): Promise<void> {
  if (word === undefined) return;
  const isPerson = isPersonWord(word);
  if (!isPerson && (!byName || isDocumentWord(word))) return;
  const byPhone = isPhone(word);
  const target: AuditTarget = isPerson && !byPhone ? `user:${word}` : 'user';
  const name = isPerson ? {} : { name: word };
  await audit(call.ctx.db, call.staff, 'user.search', target, { list, byPhone, ...name, found }, call.ip);
}
