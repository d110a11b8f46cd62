import { GoodsStatus } from '#contract/rules/statuses.ts';
import { mixSeed, random, integer } from '../generate/random.ts';
import { columns, insertRows } from './bulk.ts';
import type { MarketGoods } from './market-goods.ts';
import type { Market } from './market.ts';
import type { Person } from './people.ts';

const FOLLOW_COLUMNS = columns('user_id bigint, goods_id bigint, price_fen bigint, created_at timestamptz');
const VIEW_COLUMNS = columns('user_id bigint, goods_id bigint, viewed_at timestamptz');
const MAX_FOLLOWERS = 30;

/** Who follows and has looked at what; the counters of the goods are then what the rows say. */
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
}
