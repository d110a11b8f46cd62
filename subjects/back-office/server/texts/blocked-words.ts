/**
 * Blocked words in the back office: the list with its hits, an import of many lines, levels, removal, and a test of
 * texts (docs/OPERATIONS.md).
 */
import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/blocked-words.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { staffCan } from '../../rules/staff.ts';
import { IMPORT_LINES_MAX, maskedText, plainWord, wordLine } from '../../rules/blocked-words.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { afterCommit, inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { closeWord, insertBlockedWords, type NewWord, updateWord, wordRows } from '#server/blocked-words/list.ts';
import { maskText } from '#subjects/chat/server/service.ts';
import { likePattern } from '#server/staff/paging.ts';

const MAX_LIST_ITEMS = 500;
const MAX_SHOWN_ERRORS = 5;

/** The words, most hits first. Throws FORBIDDEN. */
export async function listBlockedWords(
  { ctx, staff }: StaffCall,
  { keyWord, level, ended }: Parsed<typeof c.wordList>,
): Promise<HandlerResult<typeof c.wordList>> {
  requirePlatform(staff, 'text.read');
  const where = sql`w.ended_at is ${ended === '1' ? sql`not null` : sql`null`}
    ${keyWord === undefined ? sql`` : sql`and w.word like ${likePattern(keyWord)}`}
    ${level === undefined ? sql`` : sql`and w.level = ${level}`}`;
  const rows = await wordRows(ctx.db, where, MAX_LIST_ITEMS + 1);
  return {
    list: rows.slice(0, MAX_LIST_ITEMS),
    total: Math.min(rows.length, MAX_LIST_ITEMS),
    totalCapped: rows.length > MAX_LIST_ITEMS,
    canEdit: staffCan(staff, 'text.write'),
  };
}

/** Every node reloads the list after the commit; this one before it responds. */
function announce(ctx: Context, trx: Trx): void {
  afterCommit(trx, () => ctx.bus.publish('words', {}));
}

type Line = NewWord & { at: number };

function refuse(errors: readonly string[]): never {
  const rest = errors.length > MAX_SHOWN_ERRORS ? `；另有 ${errors.length - MAX_SHOWN_ERRORS} 行` : '';
  throw new AppError('BAD_INPUT', { text: `${errors.slice(0, MAX_SHOWN_ERRORS).join('；')}${rest}`, field: 'lines' });
}

/** The lines of an import. Throws BAD_INPUT with the invalid lines. */
function linesOf({ lines, level }: Parsed<typeof c.addBlockedWords>): Line[] {
  const out: Line[] = [];
  const errors: string[] = [];
  const seen = new Map<string, number>();
  for (const [n, raw] of lines.split('\n').entries()) {
    if (raw.trim() === '') continue;
    const read = wordLine(raw, level);
    if (typeof read === 'string') {
      errors.push(`第 ${n + 1} 行：${read}`);
      continue;
    }
    const plain = plainWord(read.word);
    const earlier = seen.get(plain);
    if (earlier !== undefined) errors.push(`第 ${n + 1} 行：与第 ${earlier} 行相同`);
    seen.set(plain, n + 1);
    out.push({ at: n + 1, plain, ...read });
  }
  if (errors.length > 0) refuse(errors);
  if (out.length > IMPORT_LINES_MAX) refuse([`一次最多 ${IMPORT_LINES_MAX} 行，现在 ${out.length} 行`]);
  return out;
}

/** Adds the words of all lines, or none. Throws FORBIDDEN, BAD_INPUT with the invalid and the duplicate lines. */
export async function addBlockedWords(
  { ctx, staff, ip }: StaffCall,
  input: Parsed<typeof c.addBlockedWords>,
): Promise<HandlerResult<typeof c.addBlockedWords>> {
  requirePlatform(staff, 'text.write');
  const lines = linesOf(input);
  const added = await inTransaction(ctx.db, async (trx) => {
    const stored = await insertBlockedWords(trx, lines, staff.id);
    const there = lines.filter(({ plain }) => !stored.has(plain));
    if (there.length > 0) refuse(there.map(({ at }) => `第 ${at} 行：这个词已在列表中`));
    await audit(
      trx,
      staff,
      'text.word',
      'word',
      { words: lines.map(({ word, level }) => [word, level]).slice(0, 100), count: lines.length, reason: input.reason },
      ip,
    );
    announce(ctx, trx);
    return lines.length;
  });
  await ctx.blockedWords.reload();
  return { added };
}

/** Changes level and note. Throws FORBIDDEN, TEXT_CHANGED after a concurrent change. */
export async function changeWord(
  { ctx, staff, ip }: StaffCall,
  { wordId, version, level, note }: Parsed<typeof c.changeWord>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  await inTransaction(ctx.db, async (trx) => {
    const word = await updateWord(trx, { wordId, version, level, note });
    if (word === undefined) throw new AppError('TEXT_CHANGED');
    await audit(trx, staff, 'text.wordLevel', `word:${wordId}`, { word, level, note }, ip);
    announce(ctx, trx);
  });
  await ctx.blockedWords.reload();
  return {};
}

/** Removes a word from the list; it can be added again. Throws FORBIDDEN, TEXT_CHANGED. */
export async function endWord(
  { ctx, staff, ip }: StaffCall,
  { wordId, version, reason }: Parsed<typeof c.endWord>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  await inTransaction(ctx.db, async (trx) => {
    const word = await closeWord(trx, { wordId, version, staffId: staff.id, reason });
    if (word === undefined) throw new AppError('TEXT_CHANGED');
    await audit(trx, staff, 'text.wordEnd', `word:${wordId}`, { word, reason }, ip);
    announce(ctx, trx);
  });
  await ctx.blockedWords.reload();
  return {};
}

/** The result of the blocked words and the contact filter for a text. Throws FORBIDDEN. */
export function tryBlockedWords(
  { ctx, staff }: StaffCall,
  { text }: Parsed<typeof c.tryBlockedWords>,
): HandlerResult<typeof c.tryBlockedWords> {
  requirePlatform(staff, 'text.read');
  const found = ctx.blockedWords.find(text);
  const hits = found.map(({ level, from, to }) => ({ word: text.slice(from, to), level, from, to }));
  if (found.some(({ level }) => level === 'refuse')) return { published: null, chat: null, hits };
  const masked = maskedText(text, found, ['mask', 'review']);
  const isOwn = (host: string): boolean => ctx.dir.byHost(host) !== undefined;
  return { published: maskContacts(masked).text, chat: maskText(masked, isOwn).text, hits };
}
