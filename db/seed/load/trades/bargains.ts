import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BargainStatus } from '#subjects/offers/rules/bargain.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { columns, insertRows } from '../bulk.ts';
import type { MarketGoods } from '../goods/market-goods.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

const COLUMNS = columns(
  `goods_id bigint, buyer_id bigint, seller_id bigint, dist_id int, offer_fen bigint, counter_fen bigint, price_fen bigint, goods_version int,
  message text, status smallint, ended_why text, expires_at timestamptz, created_at timestamptz, updated_at timestamptz`,
);
const DAY = 1440;

/** One offer: its state, how far below the price, when it was created and last updated (minutes ago), the counter-offer in percent. */
interface Scene {
  status: number;
  percent: number;
  counter?: number;
  created: number;
  updated?: number;
  why?: 'timeout' | 'sold';
  message?: string;
}

/** Every state except 'ordered', for the demo buyer and the demo seller. */
const SCENES: readonly Scene[] = [
  { status: BargainStatus.Pending, percent: 88, created: 42, message: '诚心要，今晚就能拍' },
  { status: BargainStatus.Countered, percent: 80, counter: 92, created: 200, updated: 95, message: '能再少一点吗' },
  { status: BargainStatus.SellerAgreed, percent: 90, created: 320, updated: 130 },
  {
    status: BargainStatus.BuyerAgreed,
    percent: 78,
    counter: 88,
    created: 500,
    updated: 60,
    message: '学生党，预算有限',
  },
  { status: BargainStatus.SellerRejected, percent: 60, created: 2 * DAY, updated: 2 * DAY - 50 },
  { status: BargainStatus.BuyerRejected, percent: 75, counter: 97, created: 3 * DAY, updated: 3 * DAY - 300 },
  { status: BargainStatus.Expired, percent: 82, created: 5 * DAY, updated: 4 * DAY, why: 'timeout' },
  { status: BargainStatus.Expired, percent: 91, created: 6 * DAY, updated: 6 * DAY - 700, why: 'sold' },
  {
    status: BargainStatus.Withdrawn,
    percent: 70,
    created: 7 * DAY,
    updated: 7 * DAY - 12,
    message: '先问问，想好了再来',
  },
];

const yuan = (fen: number): number => Math.max(100, Math.floor(fen / 100) * 100);

function rowOf(market: Market, goods: MarketGoods, buyer: Person, scene: Scene): unknown[] {
  const { priceFen } = goods.seed;
  const updated = scene.updated ?? scene.created;
  return [
    goods.id,
    buyer.id,
    goods.sellerId,
    buyer.distId,
    yuan((priceFen * scene.percent) / 100),
    scene.counter === undefined ? null : yuan((priceFen * scene.counter) / 100),
    priceFen,
    1,
    scene.message ?? '',
    scene.status,
    scene.why ?? null,
    market.ago(updated - DAY),
    market.ago(scene.created),
    market.ago(updated),
  ];
}

/** The price of a finished order between the demo buyer and the demo seller was agreed on. */
async function storeOrdered(market: Market, buyer: Person, seller: Person): Promise<void> {
  await market.client.query(
    `with o as (select id, goods_id, unit_price_fen, buyer_id, seller_id, dist_id, created_at from orders
        where buyer_id = $1 and seller_id = $2 and status = ${OrderStatus.Completed} and goods_id is not null order by id desc limit 2),
      b as (insert into bargain (goods_id, buyer_id, seller_id, dist_id, offer_fen, price_fen, goods_version, status, order_id, expires_at, created_at, updated_at)
        select goods_id, buyer_id, seller_id, dist_id, unit_price_fen, unit_price_fen * 112 / 100, 1, ${BargainStatus.Ordered}, id, created_at + interval '20 hours',
          created_at - interval '5 hours', created_at from o returning id, order_id)
      update orders set bargain_id = b.id from b where orders.id = b.order_id`,
    [buyer.id, seller.id],
  );
}

/**
 * Offers in every state: of the demo buyer on others' goods, and on the demo seller's goods by the demo buyer and by strangers.
 * Those that are open get the timer that ends them.
 */
export async function storeBargains(
  market: Market,
  people: readonly Person[],
  goods: readonly MarketGoods[],
): Promise<void> {
  const [buyer, seller] = people;
  if (!buyer || !seller) return;
  const open = goods.filter((g) => g.status === GoodsStatus.OnSale && g.seed.bargainOk && g.seed.priceFen >= 5000);
  const others = open.filter((g) => g.sellerId !== buyer.id && g.sellerId !== seller.id);
  const sellers = open.filter((g) => g.sellerId === seller.id);
  const strangers = people.filter((p) => p.verified && p.index > 5 && p.distId === seller.distId);
  const rows: unknown[][] = [];
  SCENES.forEach((scene, i) => {
    const created = others[i * 7];
    if (created) rows.push(rowOf(market, created, buyer, scene));
    // One seller has few listings: each state is offered by another person, so that no person has two offers on one listing.
    const wanted = sellers[i % Math.max(1, sellers.length)];
    const stranger = strangers[i * 3];
    if (wanted && stranger && stranger.id !== seller.id) rows.push(rowOf(market, wanted, stranger, scene));
  });
  const first = sellers[0];
  if (first)
    rows.push(
      rowOf(market, first, buyer, { status: BargainStatus.Pending, percent: 85, created: 15, message: '可以秒拍' }),
    );
  await storeOrdered(market, buyer, seller);
  // Lists are sorted by id: later rows have higher ids.
  const column = COLUMNS.findIndex(({ name }) => name === 'created_at');
  const createdAt = (row: unknown[]): number => (row[column] as Date).getTime();
  await insertRows(
    market.client,
    'bargain',
    COLUMNS,
    rows.toSorted((a, b) => createdAt(a) - createdAt(b)),
  );
  await market.client.query(
    `insert into timer (kind, ref, due_at) select 'bargain.expire', id::text, expires_at from bargain where status in (${BargainStatus.Pending}, ${BargainStatus.SellerAgreed}, ${BargainStatus.Countered}, ${BargainStatus.BuyerAgreed}) on conflict do nothing`,
  );
}
