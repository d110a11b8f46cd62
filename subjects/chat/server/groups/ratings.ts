import { sql } from 'kysely';
import { SERVICE_TAGS } from '../../rules/service-quality.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadGroup } from '../queries.ts';

export interface Rating {
  score: number;
  solved?: boolean | undefined;
  tags: readonly string[];
  content?: string | undefined;
}

/** A user's group by its id or by the order's number; undefined for an outsider. */
async function groupFor(
  ctx: Context,
  userId: number,
  at: { groupId?: string | undefined; orderSn?: string | undefined },
): Promise<number | undefined> {
  if (at.groupId !== undefined) return (await loadGroup(ctx.db, Number(at.groupId), String(userId)))?.id;
  const { rows } = await sql<{ id: number }>`
    select g.id from chat_group g join orders o on o.id = g.order_id join chat_member c on c.group_id = g.id
    where o.sn = ${at.orderSn ?? ''} and c.member = ${String(userId)} and c.left_at is null`.execute(ctx.db);
  return rows[0]?.id;
}

/**
 * Saves a user's rating of the customer service in a group: one for each user, which can be changed for a day. It counts for the member of
 * staff who replied last. Throws CHAT_NOT_MEMBER; BAD_INPUT before any reply, and after the day.
 */
export async function rateService(
  ctx: Context,
  userId: number,
  at: { groupId?: string | undefined; orderSn?: string | undefined },
  rating: Rating,
): Promise<void> {
  const groupId = await groupFor(ctx, userId, at);
  if (groupId === undefined) throw new AppError('CHAT_NOT_MEMBER');
  const served = await sql<{ staffId: number }>`
    select staff_id as "staffId" from chat_assignment where group_id = ${groupId} and first_reply_at is not null
    order by from_at desc limit 1`.execute(ctx.db);
  const staffId = served.rows[0]?.staffId;
  if (staffId === undefined) throw new AppError('BAD_INPUT', { text: '客服还没有在本单回复过，暂时不能评价' });
  const tags = rating.tags.filter((tag) => (SERVICE_TAGS as readonly string[]).includes(tag));
  const { rows } = await sql`
    insert into service_satisfaction (group_id, user_id, staff_id, order_id, dist_id, score, solved, tags, content)
    select g.id, ${userId}, ${staffId}, g.order_id, g.dist_id, ${rating.score}, ${rating.solved ?? null}, ${tags}::text[], ${rating.content ?? ''}
    from chat_group g where g.id = ${groupId}
    on conflict (group_id, user_id) do update set score = excluded.score, solved = excluded.solved, tags = excluded.tags, content = excluded.content
      where service_satisfaction.created_at > now() - interval '1 day'
    returning group_id`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '评价超过一天，不能再修改' });
}

/** A user's own score for a group; null without one. */
export async function ratedBy(ctx: Context, groupId: number, member: string): Promise<number | null> {
  if (!/^\d+$/.test(member)) return null;
  const { rows } = await sql<{ score: number }>`
    select score from service_satisfaction where group_id = ${groupId} and user_id = ${Number(member)}`.execute(ctx.db);
  return rows[0]?.score ?? null;
}
