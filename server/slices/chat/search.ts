import { sql } from 'kysely';
import type { ChatMessage } from '#contract/im.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { groupOf, type MessageRow, messageColumns } from './queries.ts';
import { LIMITS } from './rules.ts';
import { messageOf } from './wire.ts';

interface Ask {
  groupId: number;
  keyWord: string;
  before?: number | undefined;
}

/** Finds words in the texts of a group for a member, newest first. Throws CHAT_NOT_MEMBER. */
export async function searchFor(
  ctx: Context,
  member: string,
  ask: Ask,
): Promise<{ list: ChatMessage[]; more: boolean }> {
  if (!(await groupOf(ctx.db, ask.groupId, member))) throw new AppError('CHAT_NOT_MEMBER');
  return await searchIn(ctx, member, ask);
}

/**
 * The same without asking who reads; for staff who have the right by their role. Looks through the newest `LIMITS.searchScan` messages
 * before `before`, so that a group of any length costs the same; what was taken back is not found.
 */
export async function searchIn(
  ctx: Context,
  viewer: string,
  ask: Ask,
): Promise<{ list: ChatMessage[]; more: boolean }> {
  const pattern = `%${ask.keyWord.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from (
      select * from chat_message c where c.group_id = ${ask.groupId} and c.seq < ${ask.before ?? Number.MAX_SAFE_INTEGER}
      order by c.seq desc limit ${LIMITS.searchScan}) m
    where m.type = 'text' and m.recalled_at is null and m.content->>'content' ilike ${pattern}
    order by m.seq desc limit ${LIMITS.searchPage + 1}`.execute(ctx.db);
  return {
    list: rows.slice(0, LIMITS.searchPage).map((row) => messageOf(row, viewer)),
    more: rows.length > LIMITS.searchPage,
  };
}
