import { type NoticeSeed, noticesOf } from './notice-texts.ts';
import { columns, insertRows } from '../bulk.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

const COLUMNS = columns(
  'dist_id int, user_id bigint, kind text, ref text, title text, body text, link text, read_at timestamptz, created_at timestamptz',
);
/** Notices older than this are read. */
const READ_DAYS = 1;
/** Demo logins with notices: buyer, seller, the other sites' buyers, the merchant. The new user has none. */
const OWNERS = [0, 1, 3, 4, 5];

interface OrderRow {
  id: string;
  sn: string;
  distId: number;
  userId: string;
  isBuyer: boolean;
  status: number;
  title: string;
  total: string;
  net: string;
  paidAt: Date | null;
  shippedAt: Date | null;
  completedAt: Date | null;
}

async function loadOrders(market: Market, ids: readonly number[]): Promise<OrderRow[]> {
  const { rows } = await market.client.query<OrderRow>(
    `select o.id::text, o.sn, o.dist_id as "distId", u.id::text as "userId", o.buyer_id = u.id as "isBuyer", o.status, o.snapshot->>'title' as title,
       to_char(o.total_fen / 100.0, 'FM999,999,990.00') as total, to_char((o.goods_fen - o.commission_fen) / 100.0, 'FM999,999,990.00') as net,
       o.paid_at as "paidAt", o.shipped_at as "shippedAt", o.completed_at as "completedAt"
     from orders o join app_user u on u.id in (o.buyer_id, o.seller_id) where u.id = any($1) and o.paid_at > $2
     order by o.id desc limit 200`,
    [ids, market.ago(30 * 1440)],
  );
  return rows;
}

/** Returns the notices from orders of the demo logins, by the orders themselves. */
function fromOrders(o: OrderRow): NoticeSeed[] {
  const base = { distId: o.distId, userId: Number(o.userId), link: `/center/buyOrderDetail?orderSn=${o.sn}` };
  const goods = o.title.length > 40 ? `${o.title.slice(0, 39)}…` : o.title;
  const one = (kind: string, what: string, title: string, body: string, at: Date | null): NoticeSeed[] =>
    at ? [{ ...base, kind, ref: `order:${o.id}:${what}`, title, body, at }] : [];
  if (o.isBuyer)
    return one('order.shipped', 'shipped', '卖家已发货', `「${goods}」已发货，请验收后确认收货。`, o.shippedAt);
  return [
    ...one(
      'order.paid',
      'paid',
      '有新订单待发货',
      `「${goods}」已由买家付款 ${o.total} 元，货款由平台托管。`,
      o.paidAt,
    ),
    ...one('order.done', 'done', '交易完成', `「${goods}」已成交，货款 ${o.net} 元进入保护期。`, o.completedAt),
  ];
}

/** Fills the lists of the demo logins: notices of their orders, and a few things of other kinds. */
export async function storeNotices(market: Market, people: readonly Person[]): Promise<void> {
  const owners = OWNERS.flatMap((i) => people[i] ?? []);
  const orders = await loadOrders(
    market,
    owners.map((p) => p.id),
  );
  const notices = [...orders.flatMap(fromOrders), ...noticesOf(market, people)].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  const old = market.ago(READ_DAYS * 1440);
  await insertRows(
    market.client,
    'notice',
    COLUMNS,
    notices.map((n) => [n.distId, n.userId, n.kind, n.ref, n.title, n.body, n.link, n.at < old ? n.at : null, n.at]),
  );
}
