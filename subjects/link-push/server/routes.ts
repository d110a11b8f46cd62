import { sql } from 'kysely';
import type { Binding } from '#server/binding.ts';
import type { RetentionRule } from '#server/jobs/retention.ts';
import { queueArticle, queueListings, SEND } from './queue.ts';
import { sendLinks } from './send.ts';
import { bindLinkPushStaff } from './staff/routes.ts';

const DAYS = 30;

const retention: RetentionRule = {
  table: 'link_push',
  days: DAYS,
  rule: '向搜索引擎推送过的网址，30 天后删除；排队 30 天没能推送的也删除',
  async sweep(db, limit) {
    const { rows } = await sql<{ n: number }>`
      with oldest as (select dist_id, path from link_push
          where coalesce(sent_at, queued_at) < now() - make_interval(days => ${DAYS}::int) order by coalesce(sent_at, queued_at) limit ${limit}),
        gone as (delete from link_push where (dist_id, path) in (select dist_id, path from oldest) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};

/** Submission of new and changed pages of sites to a search engine. */
export function bindLinkPush(binding: Binding): void {
  const { ctx, effects } = binding;
  bindLinkPushStaff(binding);
  effects.timer(SEND, sendLinks);
  for (const topic of ['goods.approved', 'goods.on', 'goods.price'] as const)
    effects.onMany(
      topic,
      async (_ctx, events) =>
        await queueListings(
          ctx,
          events.map(({ goodsId }) => goodsId),
        ),
    );
  effects.on('news.published', async (_ctx, { newsId, after }) => {
    // An event with a later `after` continues the notices of the same article.
    if (after === 0) await queueArticle(ctx, newsId);
  });
  effects.retain(retention);
}
