import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { protectionText } from '#subjects/orders/rules/protection.ts';
import type { Market } from '../market.ts';

/** Shared canned answers of customer service. */
const CANNED: readonly (readonly [grp: string, title: string, text: string, shortcut: string])[] = [
  ['开场', '问候', '您好，我是本单的平台客服，全程在群里协助双方，有问题随时说。', 'nh'],
  ['开场', '稍等', '收到，我正在核对，请稍等几分钟，核对完马上回复您。', 'sd'],
  ['核对登录', '正在核对', '{买家} 您好，我正在登录核对，约 5 分钟，期间请双方先不要上号。', 'hd'],
  ['核对登录', '核对一致', '已核对 {项数} 项，与商品页一致，请 {买家} 确认后进入换绑。', 'yz'],
  ['换绑', '进入换绑', '接下来{步骤}，请 {卖家} 留意手机，验证码填在交付卡片里，不要发在群里。', 'jr'],
  ['交付', '密封信息', '账号和密码请在订单页的交付卡片里密封提交，每次打开都会告知双方，请不要直接发在群里。', 'mf'],
  [
    '交付',
    '换绑手机',
    '请买家在订单页的换绑步骤里封存新手机号，卖家在游戏里发起后，买家把收到的验证码也封存在那里，不要发在群里。',
    'hb',
  ],
  ['交付', '催发货', '请卖家在发货时限前完成交付，超时买家可以直接取消并全额退款。', 'cf'],
  [
    '收货',
    '确认收货',
    '请买家登录后核对段位、皮肤、绑定和实名都与商品页一致，再点确认收货；不一致请先不要确认。',
    'sh',
  ],
  ['收货', '保护期', `${protectionText(null)}；期满没有申诉自动放给卖家。`, 'bh'],
  ['安全', '站外交易', '请不要加任何人的站外联系方式或站外转账，站外交易不受平台保护。', 'zw'],
];

/** Ratings of customer service by demo users: score, whether it was solved, tags, text. */
const RATINGS: readonly (readonly [score: number, solved: boolean, tags: readonly string[], content: string])[] = [
  [5, true, ['回复及时', '专业'], '换绑一步步带着做，很放心'],
  [5, true, ['态度好'], ''],
  [4, true, ['专业'], '流程有点长，但是很清楚'],
  [5, true, ['回复及时'], ''],
  [3, true, ['回复慢'], '晚上等了一会儿'],
  [5, true, ['回复及时', '态度好'], '谢谢客服'],
  [2, false, ['没解决'], '找回的问题还在处理'],
  [4, true, [], ''],
];

/**
 * Data of the workbench: assignments with first replies, canned answers, a rule, a shift and ratings. Needs the stored chats.
 */
export async function storeSupport(market: Market): Promise<void> {
  const { client, staff } = market;
  const [first, second] = [staff.get('kefu1'), staff.get('kefu2')];
  if (first === undefined || second === undefined) return;
  await client.query(`
    insert into chat_assignment (group_id, staff_id, reason, from_at, first_reply_at, to_at, solved_at)
    select g.id, s.id, 'auto', g.created_at, g.created_at + make_interval(secs => 25 + (g.id * 37) % 140),
      case when o.status >= ${OrderStatus.Completed} then coalesce(o.completed_at, g.created_at + interval '3 hours') end,
      case when o.status = ${OrderStatus.Completed} then coalesce(o.completed_at, g.created_at + interval '3 hours') end
    from chat_group g join orders o on o.id = g.order_id join chat_member m on m.group_id = g.id and m.role = 'staff' join staff s on s.im_uid = m.member
    where not exists (select from chat_assignment a where a.group_id = g.id)`);
  await client.query(`update chat_member m set is_current = false from chat_group g join orders o on o.id = g.order_id
    where m.group_id = g.id and m.is_current and o.status >= ${OrderStatus.ClosedUnpaid}`);
  for (const [sort, [grp, title, text, shortcut]] of CANNED.entries())
    await client.query(
      'insert into canned_answer (grp, title, text, shortcut, sort, uses) values ($1, $2, $3, $4, $5, $6)',
      [grp, title, text, shortcut, sort, 60 - sort * 4],
    );
  await client.query(
    `insert into assignment_rule (name, min_fen, staff_ids, keep_same, sort) values ('五千元以上', 500000, $1, true, 1)`,
    [[first]],
  );
  await client.query(
    `insert into staff_shift (staff_id, starts_at, ends_at)
     select $1, d + interval '9 hours', d + interval '21 hours'
     from (select (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day') at time zone 'Asia/Shanghai' as d) t`,
    [second],
  );
  for (const [n, [score, solved, tags, content]] of RATINGS.entries())
    await client.query(
      `insert into service_satisfaction (group_id, user_id, staff_id, order_id, dist_id, score, solved, tags, content, created_at)
       select g.id, o.buyer_id, a.staff_id, o.id, g.dist_id, $1, $2, $3, $4, least(a.from_at + interval '1 day', now() - make_interval(hours => $5))
       from chat_group g join orders o on o.id = g.order_id join chat_assignment a on a.group_id = g.id
       where o.status = ${OrderStatus.Completed} order by g.id desc offset $6 limit 1 on conflict do nothing`,
      [score, solved, tags, content, n * 3 + 1, n],
    );
}
