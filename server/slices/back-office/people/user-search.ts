import { type RawBuilder, sql } from 'kysely';
import { isPhone } from '#contract/rules/phone.ts';
import type { AuditTarget } from '#contract/rules/audit.ts';
import type { StaffCall } from '#server/access/call.ts';
import { audit } from '#server/audit.ts';
import { phoneSearchIndex } from '#server/slices/accounts/service.ts';

/** Whether a keyword identifies a user: a complete phone, a public user number or an id. */
const isUserKeyword = (keyword: string): boolean =>
  isPhone(keyword) || /^U\d{7}$/i.test(keyword) || /^\d{1,10}$/.test(keyword);

/** Whether a keyword is the number of a document: an order, a payment, a case. */
const isDocumentNumber = (keyword: string): boolean => /^[A-Za-z]{0,4}\d{7,}$/.test(keyword) && !isUserKeyword(keyword);

/** The ids of the users that a keyword identifies, as a subquery; undefined for other keywords. */
export function userIdsFor(call: StaffCall, keyword: string): RawBuilder<unknown> | undefined {
  if (isPhone(keyword))
    return sql`select id from app_user where phone_hash = ${phoneSearchIndex(call.ctx.keys, keyword)}`;
  if (/^U\d{7}$/i.test(keyword)) return sql`select id from app_user where union_num = ${keyword.toUpperCase()}`;
  return /^\d{1,10}$/.test(keyword) ? sql`select ${Number(keyword)}::bigint` : undefined;
}

/** Lists in which staff can search for users. */
type SearchedList = 'order' | 'dispute' | 'claim' | 'withdrawal' | 'hold' | 'topup';

/**
 * Audits a search for a user in a list: the list, the kind of keyword, and the rows found. A phone itself is not stored. `byName`: the list
 * is also searched by nickname, so every keyword that is not the number of a document counts. Does nothing for keywords that identify no
 * user.
 */
export async function auditUserSearch(
  call: StaffCall,
  list: SearchedList,
  keyword: string | undefined,
  found: readonly string[],
  { byName = false }: { byName?: boolean } = {},
): Promise<void> {
  if (keyword === undefined) return;
  const isPerson = isUserKeyword(keyword);
  if (!isPerson && (!byName || isDocumentNumber(keyword))) return;
  const byPhone = isPhone(keyword);
  const target: AuditTarget = isPerson && !byPhone ? `user:${keyword}` : 'user';
  const name = isPerson ? {} : { name: keyword };
  await audit(call.ctx.db, call.staff, 'user.search', target, { list, byPhone, ...name, found }, call.ip);
}
