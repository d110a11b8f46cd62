/** Synonyms of the search in the back office, and the keywords without results (docs/OPERATIONS.md). */
import { sql } from 'kysely';
import type * as c from '#subjects/goods/contract/staff-synonyms.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { plainOf as plainKeyword } from '../correct/corrector.ts';
import { missRows, setMissAside } from '../correct/misses.ts';
import * as synonyms from '../correct/synonyms.ts';
import { likePattern } from '#server/staff/paging.ts';

const MAX_LIST_ITEMS = 500;
const MAX_MISSES = 100;

/** The synonyms, newest first, and the keywords without results. Throws FORBIDDEN. */
export async function listSynonyms(
  { ctx, staff }: StaffCall,
  { keyWord, ended }: Parsed<typeof c.synonymList>,
): Promise<HandlerResult<typeof c.synonymList>> {
  requirePlatform(staff, 'text.read');
  const like = keyWord === undefined ? undefined : likePattern(keyWord);
  const where = sql`y.ended_at is ${ended === '1' ? sql`not null` : sql`null`}
    ${like === undefined ? sql`` : sql`and (y.term like ${like} or y.meant like ${like})`}`;
  const [rows, misses] = await Promise.all([
    synonyms.synonymRows(ctx.db, where, MAX_LIST_ITEMS + 1),
    missRows(ctx.db, MAX_MISSES),
  ]);
  return {
    list: rows.slice(0, MAX_LIST_ITEMS),
    total: Math.min(rows.length, MAX_LIST_ITEMS),
    totalCapped: rows.length > MAX_LIST_ITEMS,
    misses,
    canEdit: staffCan(staff, 'text.write'),
  };
}

/** Normalises a text for comparison; the search ignores texts with fewer than two letters. Throws BAD_INPUT. */
function plainOf(text: string, field: string): string {
  const plain = plainKeyword(text);
  if ([...plain].length < 2) throw new AppError('BAD_INPUT', { text: '至少两个字，标点和空格不算', field });
  return plain;
}

/** Adds a synonym, which takes effect immediately on every node. Throws FORBIDDEN, BAD_INPUT when the term has one. */
export async function addSynonym(
  { ctx, staff, ip }: StaffCall,
  { term, meant, note, reason }: Parsed<typeof c.addSynonym>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  if (plainOf(term, 'term') === plainOf(meant, 'meant'))
    throw new AppError('BAD_INPUT', { text: '与搜索词相同，请填写另一个词', field: 'meant' });
  await inTransaction(ctx.db, async (trx) => {
    if (!(await synonyms.addSynonym(ctx, trx, { term, meant, note, staffId: staff.id })))
      throw new AppError('BAD_INPUT', {
        text: `这个搜索词已有同义词，或已达到 ${synonyms.MAX_SYNONYMS} 个上限`,
        field: 'term',
      });
    await audit(trx, staff, 'text.synonym', 'synonym', { term, meant, note, reason }, ip);
  });
  return {};
}

/** Changes the meaning of a term. Throws FORBIDDEN, BAD_INPUT, TEXT_CHANGED after a concurrent change. */
export async function changeSynonym(
  { ctx, staff, ip }: StaffCall,
  { synonymId, version, meant, note, reason }: Parsed<typeof c.changeSynonym>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  plainOf(meant, 'meant');
  await inTransaction(ctx.db, async (trx) => {
    const term = await synonyms.updateSynonym(ctx, trx, { synonymId, version, meant, note });
    if (term === undefined) throw new AppError('TEXT_CHANGED');
    await audit(trx, staff, 'text.synonymEdit', `synonym:${synonymId}`, { term, meant, note, reason }, ip);
  });
  return {};
}

/** Ends a synonym; its term can be given another. Throws FORBIDDEN, TEXT_CHANGED. */
export async function endSynonym(
  { ctx, staff, ip }: StaffCall,
  { synonymId, version, reason }: Parsed<typeof c.endSynonym>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  await inTransaction(ctx.db, async (trx) => {
    const term = await synonyms.closeSynonym(ctx, trx, { synonymId, version, staffId: staff.id, reason });
    if (term === undefined) throw new AppError('TEXT_CHANGED');
    await audit(trx, staff, 'text.synonymEnd', `synonym:${synonymId}`, { term, reason }, ip);
  });
  return {};
}

/** Removes a keyword without results from the list. Throws FORBIDDEN, NOT_FOUND. */
export async function dropMiss(
  { ctx, staff, ip }: StaffCall,
  { missId }: Parsed<typeof c.dropMiss>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  await inTransaction(ctx.db, async (trx) => {
    const keyword = await setMissAside(trx, missId);
    if (keyword === undefined) throw new AppError('NOT_FOUND');
    await audit(trx, staff, 'text.missDrop', `miss:${missId}`, { keyword }, ip);
  });
  return {};
}
