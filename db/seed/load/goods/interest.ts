import { GoodsStatus } from '#contract/rules/statuses.ts';
import { mixSeed, random, integer } from '../../generate/random.ts';
import { columns, insertRows } from '../bulk.ts';
import type { MarketGoods } from './market-goods.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

const FOLLOW_COLUMNS = columns('user_id bigint, goods_id bigint, price_fen bigint, created_at timestamptz');
const VIEW_COLUMNS = columns('user_id bigint, goods_id bigint, viewed_at timestamptz');
const MAX_FOLLOWERS = 30;

/** Stores followers and views; the counters of the listings then agree with the rows. */
export async function storeInterest(
  market: Market,
  people: readonly Person[],
  goods: readonly MarketGoods[],
): Promise<void> {
  const onSale = goods.filter((g) => g.status === GoodsStatus.OnSale);
  const follows: unknown[][] = [];
  for (const g of onSale) {
    const next = random(mixSeed(market.seed, g.id, 43));
    const wanted = Math.min(MAX_FOLLOWERS, g.seed.followCount);
    const fans = new Set(Array.from({ length: wanted }, () => integer(next, 6, people.length - 1)));
    for (const at of fans) {
      const fan = people[at];
      // Some followed when it cost more: their list shows the drop.
      const then = next() < 0.12 ? Math.round((g.seed.priceFen * 1.1) / 100) * 100 : g.seed.priceFen;
      const ago = next() * g.seed.createdAgoMinutes;
      if (fan && fan.id !== g.sellerId) follows.push([fan.id, g.id, then, market.ago(ago)]);
    }
  }
  const buyer = people[0];
  const views: unknown[][] = [];
  if (buyer) {
    const step = Math.max(1, Math.floor(onSale.length / 40));
    const viewed = onSale.filter((_, i) => i % step === 0).slice(0, 36);
    for (const [i, g] of viewed.entries()) {
      views.push([buyer.id, g.id, market.ago(5 + i * 37)]);
      if (i % 3 === 0)
        follows.push([
          buyer.id,
          g.id,
          i % 6 === 0 ? Math.round(g.seed.priceFen * 1.15) : g.seed.priceFen,
          market.ago(30 + i * 200),
        ]);
    }
  }
  await insertRows(market.client, 'goods_follow', FOLLOW_COLUMNS, follows);
  await insertRows(market.client, 'goods_view', VIEW_COLUMNS, views);
  await market.client.query(
    `update goods_stat s set follows = f.n from (select goods_id, count(*)::int n from goods_follow group by 1) f where f.goods_id = s.goods_id`,
  );
  // The looks of a listing spread over its last eight weeks, more in some than in others.
  await market.client.query(
    `insert into goods_week (goods_id, week, views)
     select g.id, w::date, s.views * (3 + (g.id + extract(week from w)::int) % 5) / (7 * g.weeks)
     from (select id, date_trunc('week', greatest(created_at, now() - interval '7 weeks') at time zone 'Asia/Shanghai') as first,
         1 + floor(extract(epoch from now() - greatest(created_at, now() - interval '7 weeks')) / 604800)::int as weeks from goods where status in (${GoodsStatus.OnSale}, ${GoodsStatus.OffSale}, ${GoodsStatus.Locked}, ${GoodsStatus.Sold})) g
       join goods_stat s on s.goods_id = g.id
       cross join lateral generate_series(g.first, date_trunc('week', now() at time zone 'Asia/Shanghai'), interval '1 week') w
     where s.views > 0`,
  );
  await market.client.query(
    `update goods_week w set follows = f.n from (select goods_id, date_trunc('week', created_at at time zone 'Asia/Shanghai')::date as week, count(*)::int as n
       from goods_follow group by 1, 2) f where f.goods_id = w.goods_id and f.week = w.week`,
  );
  await market.client.query(
    `insert into seller_week (seller_id, week, views, follows)
     select g.seller_id, w.week, sum(w.views), sum(w.follows) from goods_week w join goods g on g.id = w.goods_id group by 1, 2`,
  );
  // About as many views as a market of this size has per order, so that the funnel of the back office has data.
  await market.client.query(
    `insert into goods_view_day (day, game_id, views)
     select (created_at at time zone 'Asia/Shanghai')::date, game_id, count(*) * (24 + game_id % 19) from orders
     where game_id is not null and created_at > now() - interval '60 days' group by 1, 2`,
  );
}
