import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { mixSeed } from '../../generate/random.ts';
import { arrayLiteral, columns, insertRows } from '../bulk.ts';
import type { Market } from '../market.ts';

/** A buyer's review of a service. */
export interface ServiceReview {
  score: 1 | 2 | 3 | 4 | 5;
  text: string;
  answer?: string;
}

/** A completed order of a service with what its buyer wrote, and when, in minutes before now. */
export interface Reviewed {
  orderId: number;
  typeId: number;
  gameId: number;
  buyerId: number;
  sellerId: number;
  review: ServiceReview;
  ago: number;
}

const REVIEW_COLUMNS = columns(
  `order_id bigint, belong smallint, user_id bigint, target_id bigint, score smallint, tags text>text[], content text, created_at timestamptz,
  dist_id int, type_id smallint, game_id int, answer text, answered_at timestamptz`,
);
/** The author's role in a review, as its table names them. */
const [BY_BUYER, BY_SELLER] = [1, 0];
const ANSWERED_AFTER = 180;
/** Of those that the form offers, what fits a service. */
const GOOD_TAGS = ['回复及时', '价格实在', '态度好'];
const OF_BUYER = ['买家付款爽快，配合也及时。', '沟通顺畅，欢迎下次再来。', '说得很清楚，做起来省心。'];

function rowsOf(market: Market, r: Reviewed): unknown[][] {
  const { review, ago } = r;
  const at = market.ago(ago);
  const same = [1, r.typeId, r.gameId];
  const picked = mixSeed(r.orderId, 7);
  const tags = review.score >= 4 ? GOOD_TAGS.filter((_, i) => (picked >> i) % 2 === 0) : [];
  const answeredAt = review.answer === undefined ? null : market.ago(Math.max(1, ago - ANSWERED_AFTER));
  const rows = [
    [
      r.orderId,
      BY_BUYER,
      r.buyerId,
      r.sellerId,
      review.score,
      arrayLiteral(tags),
      review.text,
      at,
      ...same,
      review.answer ?? null,
      answeredAt,
    ],
  ];
  if (picked % 3 === 0)
    rows.push([
      r.orderId,
      BY_SELLER,
      r.sellerId,
      r.buyerId,
      5,
      arrayLiteral(['付款及时', '沟通顺畅']),
      OF_BUYER[picked % OF_BUYER.length] ?? '',
      market.ago(Math.max(1, ago - 30)),
      ...same,
      null,
      null,
    ]);
  return rows;
}

/** Stores reviews of services, and adds those of buyers to the ratings like the product. */
export async function storeServiceReviews(market: Market, reviewed: readonly Reviewed[]): Promise<void> {
  await insertRows(
    market.client,
    'order_review',
    REVIEW_COLUMNS,
    reviewed.flatMap((r) => rowsOf(market, r)),
  );
  await market.client.query(
    `update app_user u set rating_sum = u.rating_sum + r.sum, rating_count = u.rating_count + r.n, rating_good = u.rating_good + r.good
     from (select target_id, sum(score)::int as sum, count(*)::int as n, (count(*) filter (where score >= 4))::int as good from order_review
       where order_id = any($1::bigint[]) and belong = 1 group by 1) r where u.id = r.target_id`,
    [reviewed.map(({ orderId }) => orderId)],
  );
}

/** Counts completed service orders: for providers the total and those in time, for packages the sales. */
export async function countServices({ client }: Market): Promise<void> {
  await client.query(
    `update provider p set done_count = s.n, on_time_count = s.punctual
     from (select provider_id, count(*)::int as n, (count(*) filter (where type_id = ${OrderType.Companion} or finished_at <= due_at))::int as punctual
       from service_order where state = 'done' group by 1) s where p.id = s.provider_id`,
  );
  await client.query(
    `update service_package k set sold_count = s.n
     from (select package_id, count(*)::int as n from service_order where state = 'done' group by 1) s where k.id = s.package_id`,
  );
}
