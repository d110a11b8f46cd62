import { sql } from 'kysely';
import * as c from '#subjects/link-push/contract/staff-link-push.ts';
import type { Binding } from '#server/binding.ts';
import type { RetentionRule } from '#server/jobs/retention.ts';
import { queueArticle, queueListings, SEND } from './queue.ts';
import { sendLinks } from './send.ts';
import { loadPush, setToken, tryPush } from './staff.ts';

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
export function bindLinkPush({ ctx, server, effects }: Binding): void {
  server.serve(c.staffLinkPush, loadPush);
  server.serve(c.setLinkPushToken, async (call, input) => {
    await setToken(call, input);
    return {};
  });
  server.serve(c.testLinkPush, tryPush);
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
