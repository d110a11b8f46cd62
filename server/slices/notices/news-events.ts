import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import { tell } from './service.ts';

const id = z.coerce.number().int().positive();
const BATCH = 1000;
/** Who has not been here for so long reads of it with the next visit, on the page of news. */
const HERE_LATELY = sql.raw(`interval '30 days'`);

interface Piece {
  code: string;
  title: string;
  summary: string;
  distId: number | null;
  people: number[];
}

/** A pinned announcement, as long as it is out, with the next people of its site who were here lately. */
async function nextOf(ctx: Context, newsId: number, after: number): Promise<Piece | undefined> {
  const { rows } = await sql<Piece>`
    select n.code, n.title, n.summary, n.dist_id as "distId", coalesce((select json_agg(u.id order by u.id) from (
        select id from app_user where id > ${after} and status = 1 and last_seen_at > now() - ${HERE_LATELY}
          and (n.dist_id is null or dist_id = n.dist_id) order by id limit ${BATCH}) u), '[]') as people
    from news n where n.id = ${newsId} and n.status = 1 and n.pinned and n.category in ('notice', 'activity', 'rule')`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Tells people of a pinned announcement when it is published, a batch after the other, each by an event of its own; a text that is
 * published again tells nobody twice.
 */
export function bindNewsEvents(ctx: Context, effects: Effects): void {
  effects.on('news.published', async (_ctx, payload) => {
    const { newsId, after } = z.object({ newsId: id, after: z.coerce.number().default(0) }).parse(payload);
    const piece = await nextOf(ctx, newsId, after);
    if (!piece) return;
    await tell(ctx, {
      kind: 'activity.notice',
      userIds: piece.people,
      ref: `news:${newsId}`,
      values: { text: piece.summary === '' ? piece.title : `${piece.title}：${piece.summary}`, code: piece.code },
      ...(piece.distId !== null && { distId: piece.distId }),
    });
    const last = piece.people.at(-1);
    if (piece.people.length === BATCH && last !== undefined)
      await sql`insert into outbox (topic, payload) values ('news.published', ${JSON.stringify({ newsId, after: last })}::jsonb)`.execute(
        ctx.db,
      );
  });
}
