import { UserStatus, PublicationStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { notify } from './service.ts';

const BATCH = 1000;
/** Only users seen within this time are notified; others find the announcement on the news page. */
const RECENTLY = sql.raw(`interval '30 days'`);

interface Announcement {
  code: string;
  title: string;
  summary: string;
  distId: number | null;
  people: number[];
}

/** A pinned, published announcement with the next batch of recently seen users of its site. */
async function findNextBatch(ctx: Context, newsId: number, after: number): Promise<Announcement | undefined> {
  const { rows } = await sql<Announcement>`
    select n.code, n.title, n.summary, n.dist_id as "distId", coalesce((select json_agg(u.id order by u.id) from (
        select id from app_user where id > ${after} and status = ${sql.lit(UserStatus.Active)} and last_seen_at > now() - ${RECENTLY}
          and (n.dist_id is null or dist_id = n.dist_id) order by id limit ${BATCH}) u), '[]') as people
    from news n where n.id = ${newsId} and n.status = ${sql.lit(PublicationStatus.Published)} and n.published_at <= now() and (n.published_until is null or n.published_until > now())
      and n.pinned and n.category in ('notice', 'activity', 'rule')`.execute(ctx.db);
  return rows[0];
}

/**
 * Notifies users of a pinned announcement when it is published, in batches with one event each; publishing it again notifies no one
 * twice.
 */
export function bindNewsEvents(ctx: Context, effects: Effects): void {
  effects.on('news.published', async (_ctx, { newsId, after }) => {
    const announcement = await findNextBatch(ctx, newsId, after);
    if (!announcement) return;
    await notify(ctx, {
      kind: 'activity.notice',
      userIds: announcement.people,
      ref: `news:${newsId}`,
      values: {
        text: announcement.summary === '' ? announcement.title : `${announcement.title}：${announcement.summary}`,
        code: announcement.code,
      },
      ...(announcement.distId !== null && { distId: announcement.distId }),
    });
    const last = announcement.people.at(-1);
    if (announcement.people.length === BATCH && last !== undefined)
      await emit(ctx.db, 'news.published', { newsId, after: last });
  });
}
