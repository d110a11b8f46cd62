import { type RawBuilder, sql } from 'kysely';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import type { AuditTarget } from '#subjects/back-office/rules/audit.ts';
import type { StaffRead } from '#server/access/call.ts';
import { audit } from '#server/audit/audit.ts';
import { phoneIndex } from '../phone/phones.ts';
import { escaped, likePattern } from '#server/staff/paging.ts';

/** Whether a keyword identifies a user: a complete phone, a public user number or an id. */
const isUserKeyword = (keyword: string): boolean =>
  isPhone(keyword) || /^U\d{7}$/i.test(keyword) || /^\d{1,10}$/.test(keyword);

/** Whether a keyword is the number of a document: an order, a payment, a case. */
const isDocumentNumber = (keyword: string): boolean => /^[A-Za-z]{0,4}\d{7,}$/.test(keyword) && !isUserKeyword(keyword);

/** Whether a keyword may be a number of another system, such as a payment channel; it may also be a name. */
const mayBeNumber = (keyword: string): boolean => /^[\w.-]{6,}$/.test(keyword);

/** The ids of the users that a keyword identifies, as a subquery; undefined for other keywords. */
export function userIdsFor(call: StaffRead, keyword: string): RawBuilder<unknown> | undefined {
  if (isPhone(keyword)) return sql`select id from app_user where phone_hash = ${phoneIndex(call.ctx.keys, keyword)}`;
  if (/^U\d{7}$/i.test(keyword)) return sql`select id from app_user where union_num = ${keyword.toUpperCase()}`;
  return /^\d{1,10}$/.test(keyword) ? sql`select ${Number(keyword)}::bigint` : undefined;
}

/**
 * SQL: user `u`'s nickname contains the keyword; by the index of name parts, or for a single character by the beginning
 * of the name.
 */
export function nameFilter(keyword: string): RawBuilder<unknown> {
  if ([...keyword].length < 2) return sql`lower(u.nick_name) like ${`${escaped(keyword.toLowerCase())}%`}`;
  return sql`(name_parts(u.nick_name) @> name_parts(${keyword}) and u.nick_name ilike ${likePattern(keyword)})`;
}

/** Maximum number of users matched by nickname, so that a frequent word does not read every row of a list. */
const NAMED = 1000;

/**
 * The filter for a keyword in a list of users' records: by the user (`owner`) for a phone, a number or a part of a
 * name, and by `byNumber` for the number of a document.
 */
export function ownerFilter(
  call: StaffRead,
  keyword: string,
  { owner, byNumber }: { owner: RawBuilder<unknown>; byNumber: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const person = userIdsFor(call, keyword);
  if (person) return sql`${owner} in (${person})`;
  if (isDocumentNumber(keyword)) return byNumber;
  const named = sql`${owner} = any(array(select u.id from app_user u where ${nameFilter(keyword)} limit ${NAMED}))`;
  return mayBeNumber(keyword) ? sql`(${byNumber} or ${named})` : named;
}

/** Lists in which staff can search for users. */
type SearchedList = 'order' | 'goods' | 'dispute' | 'claim' | 'withdrawal' | 'hold' | 'topup' | 'transfer';

/**
 * Audits a search for a user in a list: the list, the kind of keyword, and the rows found. A phone itself is not stored. `byName`: the list
 * is also searched by nickname, so every keyword that is not the number of a document counts. Does nothing for keywords that identify no
 * user.
 */
export async function auditUserSearch(
  call: StaffRead,
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
