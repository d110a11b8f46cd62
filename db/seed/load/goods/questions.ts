import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus, UserStatus } from '#contract/rules/statuses.ts';
import type { Market } from '../market.ts';

/** Alternating questions and answers; null is not answered yet. */
const TALKS: readonly (readonly [question: string, answer: string | null])[] = [
  ['绑定的手机和邮箱都能换吗？', '都能换，换绑的时候我在线配合，一般半小时。'],
  ['有没有违规或封禁记录？', '近一年没有，信誉页截图在第三张。'],
  ['二次实名还能改吗？', '可以改一次，之前没有用过。'],
  ['这个赛季打了几把？', '这个赛季没怎么打，段位是上个赛季的。'],
  ['能包含限定头像框吗？', null],
];
const GOODS = 60;
const REPORTS = [
  ['report_false', '图里的皮肤和描述对不上'],
  ['report_contact', '描述里让人加群'],
  ['report_repeated', '同一个号发了好几次'],
] as const;

/** Questions about the newest accounts, mostly answered, and a few open reports. Needs the people and the goods. */
export async function storeQuestions({ client }: Market): Promise<void> {
  const { rows: goods } = await client.query<{ id: string }>(
    `(select id::text from goods where status = ${GoodsStatus.OnSale} and type_id = ${OrderType.Account} and seller_id in (select id from app_user where phone_mask like '138%0002' limit 1) order by id limit 3)
     union all (select id::text from goods where status = ${GoodsStatus.OnSale} and type_id = ${OrderType.Account} order by id desc limit $1)`,
    [GOODS],
  );
  for (const [i, { id }] of goods.entries()) {
    for (const [k, [question, answer]] of TALKS.slice(0, 2 + (i % 4)).entries())
      await client.query(
        `insert into goods_question (goods_id, dist_id, seller_id, user_id, content, created_at, answer, answered_at)
         select g.id, g.dist_id, g.seller_id, u.id, $2, t.at, $3::text, case when $3::text is not null then t.at + interval '6 minutes' end
         from goods g join (select id, row_number() over (order by id) as n from app_user where status = ${UserStatus.Active}) u on u.n = 20 + $4::int and u.id <> g.seller_id,
           lateral (select least(greatest(g.created_at, now() - interval '6 days') + $5::int * interval '2 hours', now() - interval '20 minutes') as at) t
         where g.id = $1`,
        [id, question, answer, (i * 7 + k * 3) % 100, k],
      );
  }
  for (const [i, [reason, note]] of REPORTS.entries())
    await client.query(
      `insert into goods_report (goods_id, dist_id, part, user_id, reason_code, reason_version, note, created_at)
       select g.id, g.dist_id, 'goods', (select id from app_user where status = ${UserStatus.Active} and id <> g.seller_id order by id offset $2 limit 1), $3, 1, $4, now() - $2 * interval '1 hour'
       from goods g where g.id = $1`,
      [goods[i + 8]?.id, i + 30, reason, note],
    );
}
