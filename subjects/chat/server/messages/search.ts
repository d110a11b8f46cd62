import { sql } from 'kysely';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadGroup, type MessageRow, messageColumns } from '../queries.ts';
import { LIMITS } from '../rules.ts';
import { messageOf } from '../transport/wire.ts';

interface SearchInput {
  groupId: number;
  keyWord: string;
  before?: number | undefined;
}

/** Searches the messages of a group for a member, newest first. Throws CHAT_NOT_MEMBER. */
export async function searchFor(
  ctx: Context,
  member: string,
  input: SearchInput,
): Promise<{ list: ChatMessage[]; more: boolean }> {
  if (!(await loadGroup(ctx.db, input.groupId, member))) throw new AppError('CHAT_NOT_MEMBER');
  return await searchIn(ctx, member, input);
}

/**
 * The same without a membership check, for staff with the permission. Scans the newest `LIMITS.searchScan` messages before `before`, so that
 * the cost does not depend on the length of the group; recalled messages are not found.
 */
export async function searchIn(
  ctx: Context,
  viewer: string,
  input: SearchInput,
): Promise<{ list: ChatMessage[]; more: boolean }> {
  const pattern = `%${input.keyWord.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from (
      select * from chat_message c where c.group_id = ${input.groupId} and c.seq < ${input.before ?? Number.MAX_SAFE_INTEGER}
      order by c.seq desc limit ${LIMITS.searchScan}) m
    where m.type = 'text' and m.recalled_at is null and m.content->>'content' ilike ${pattern}
    order by m.seq desc limit ${LIMITS.searchPage + 1}`.execute(ctx.db);
  return {
    list: rows.slice(0, LIMITS.searchPage).map((row) => messageOf(row, viewer)),
    more: rows.length > LIMITS.searchPage,
  };
}
