import type { Market } from '../market.ts';

const REPORTS = [
  ['contact', '里面写了别的平台'],
  ['false', '和实际不符，聊天记录可以证明'],
  ['abuse', ''],
  ['privacy', '写出了我的角色名'],
] as const;

/** Sellers' reports of poor reviews: a few pending, one dismissed, one hidden. Needs the reviews. */
export async function storeReviewReports({ client }: Market): Promise<void> {
  const { rows } = await client.query<{ id: string; dist: number; target: string }>(
    `select id::text, dist_id as dist, target_id::text as target from order_review
     where belong = 1 and score <= 2 and excluded is null order by id limit $1`,
    [REPORTS.length + 2],
  );
  for (const [i, review] of rows.entries()) {
    const [reason, note] = REPORTS[i % REPORTS.length] ?? REPORTS[0];
    const status = i < REPORTS.length ? 'waiting' : i === REPORTS.length ? 'kept' : 'hidden';
    await client.query(
      `insert into review_report (review_id, dist_id, part, user_id, reason, note, status, created_at, decided_at, decided_by, decision)
       select $1, $2, 'review', $3, $4, $5, $6::text, now() - interval '30 hours' - $7 * interval '1 hour',
         case when $6 <> 'waiting' then now() - interval '5 hours' end,
         case when $6 <> 'waiting' then (select id from staff where role = 'reviewer' order by id limit 1) end, $8`,
      [review.id, review.dist, review.target, reason, note, status, i, decisionOf(status)],
    );
    if (status === 'hidden') await hide(client, review.id);
  }
}

const decisionOf = (status: string): string | null =>
  status === 'waiting' ? null : status === 'kept' ? '内容属于正常的交易评价' : '泄露他人个人信息';

async function hide(client: Market['client'], reviewId: string): Promise<void> {
  await client.query(
    `with r as (update order_review set hidden_at = now() - interval '5 hours', hidden_reason = '泄露他人个人信息' where id = $1
       returning target_id, score)
     update app_user u set rating_sum = u.rating_sum - r.score, rating_count = u.rating_count - 1,
       rating_good = u.rating_good - case when r.score >= 4 then 1 else 0 end from r where u.id = r.target_id`,
    [reviewId],
  );
}
