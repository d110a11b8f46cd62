import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import { BargainStatus } from '#subjects/offers/rules/bargain.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import type { todoCounts } from '#subjects/notices/contract/todo.ts';
import type { UserCall } from '#server/access/call.ts';

/** Counting stops here: the menu shows no larger number. */
const MAX = UNREAD_MAX + 1;

/** The roles of a user as a text array, derived from the user's listings and applications, never from browser input. */
const rolesOf = (userId: number) => sql`
  array_remove(array[
    case when exists (select from goods g where g.seller_id = ${userId})
      or exists (select from recycle_request q where q.user_id = ${userId}) then 'seller' end,
    (select case when u.is_quick_shop then 'shop' end from app_user u where u.id = ${userId}),
    (select case when u.is_booster then 'booster' end from app_user u where u.id = ${userId}),
    (select case when u.is_accompanyer then 'companion' end from app_user u where u.id = ${userId}),
    case when exists (select from recycler r where r.user_id = ${userId}) then 'recycler' end,
    case when exists (select from api_key k where k.user_id = ${userId}) then 'api' end], null)`;

/** The number of pending items of the caller in each list of the centre. */
export async function loadTodo({ ctx, user }: UserCall): Promise<HandlerResult<typeof todoCounts>> {
  const { rows } = await sql<HandlerResult<typeof todoCounts>>`
    select ${rolesOf(user.id)} as roles,
      (select count(*)::int from (select from orders o where o.buyer_id = ${user.id} and not o.hidden_buyer
        and o.status in (${OrderStatus.Unpaid}, ${OrderStatus.Shipped}) limit ${MAX}) x) as "bought",
      (select count(*)::int from (select from orders o where o.seller_id = ${user.id} and not o.hidden_seller
        and o.status = ${OrderStatus.Paid} limit ${MAX}) x) as "sold",
      (select count(*)::int from (select from goods_question q where q.seller_id = ${user.id}
        and q.answered_at is null and q.hidden_at is null limit ${MAX}) x) as "questions",
      (select count(*)::int from (select from bargain b where b.seller_id = ${user.id}
        and b.status = ${BargainStatus.Pending} and b.expires_at > now() limit ${MAX}) x) as "bargainsReceived",
      (select count(*)::int from (select from bargain b where b.buyer_id = ${user.id}
        and b.status in (${BargainStatus.SellerAgreed}, ${BargainStatus.Countered}, ${BargainStatus.BuyerAgreed})
        and b.expires_at > now() limit ${MAX}) x) as "bargainsMade",
      (select count(*)::int from (select from dispute d join orders o on o.id = d.order_id
        where d.status <> 'closed' and ${user.id} in (o.buyer_id, o.seller_id) limit ${MAX}) x) as "disputes",
      (select count(*)::int from (select from coupon c where c.user_id = ${user.id}
        and c.order_id is null and c.expires_at > now() limit ${MAX}) x) as "coupons"`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error('a select without a table returns one row');
  return row;
}
