import type { GoodsTypeId } from '#db/catalogue/types.ts';
import { type GoodsSeed, generateGoods } from '../../generate/goods.ts';
import { mixSeed, random } from '../../generate/random.ts';
import { generateReview } from '../../generate/reviews.ts';
import type { Trade, TradeEnd, Trouble } from './trades.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

/** A separate range of the generator, next to those of listings on sale and of finished trades. */
const LIVE_GOODS_FROM = 1_500_000_000;
const MAX_PRICE_FEN = 260_000;
const DEAR_FEN = [600_000, 1_200_000] as const;
const HOUR = 60;
const DAY = 1440;

interface Scene {
  type: GoodsTypeId;
  end: TradeEnd;
  /** Minutes before now at which it was placed, paid, shipped and ended. */
  at: readonly [created: number, paid?: number, shipped?: number, ended?: number];
  byChannel?: true;
  ensure?: true;
  stepsDone?: number;
  rated?: true;
  /** The event in between: a dispute or a claim, added by cover.ts. */
  trouble?: Trouble;
  coupon?: string;
  /** Dear enough that giving it back wants two people. */
  dear?: true;
}

/** One order of each state for the demo buyer and the demo seller, so that every page of both has something to show. */
const SCENES: readonly Scene[] = [
  { type: 50, end: 'unpaid', at: [4] },
  { type: 2, end: 'unpaid', at: [2] },
  { type: 50, end: 'paid', at: [34, 32], byChannel: true, ensure: true, stepsDone: 2 },
  { type: 1, end: 'paid', at: [12, 10], stepsDone: 0 },
  { type: 2, end: 'paid', at: [26, 25], stepsDone: 0 },
  { type: 50, end: 'shipped', at: [9 * HOUR, 9 * HOUR - 3, 2 * HOUR], ensure: true, stepsDone: 5 },
  { type: 2, end: 'shipped', at: [3 * HOUR, 3 * HOUR - 2, 2 * HOUR], byChannel: true, stepsDone: 1 },
  { type: 1, end: 'completed', at: [30 * HOUR, 30 * HOUR - 4, 20 * HOUR, 5 * HOUR], ensure: true, coupon: 'COVER20' },
  { type: 27, end: 'completed', at: [6 * DAY, 6 * DAY - 2, 6 * DAY - 90, 6 * DAY - 300], coupon: 'FEE5' },
  { type: 50, end: 'completed', at: [21 * DAY, 21 * DAY - 5, 20 * DAY, 19 * DAY], byChannel: true, rated: true },
  { type: 1, end: 'completed', at: [47 * DAY, 47 * DAY - 3, 46 * DAY, 45 * DAY], rated: true, coupon: 'AUTUMN' },
  { type: 1, end: 'expired', at: [8 * DAY, 0, 0, 8 * DAY - 30] },
  { type: 50, end: 'cancelledUnpaid', at: [11 * DAY, 0, 0, 11 * DAY - 6] },
  { type: 1, end: 'cancelledPaid', at: [14 * DAY, 14 * DAY - 2, 0, 14 * DAY - 20], byChannel: true },
  { type: 50, end: 'sellerCancelled', at: [25 * DAY, 25 * DAY - 2, 0, 25 * DAY - 400], byChannel: true },
  { type: 1, end: 'staffClosed', at: [33 * DAY, 33 * DAY - 2, 0, 31 * DAY] },
  { type: 2, end: 'shipped', at: [5 * HOUR, 5 * HOUR - 2, 4 * HOUR], stepsDone: 1, trouble: 'open' },
  { type: 1, end: 'shipped', at: [30 * HOUR, 30 * HOUR - 3, 20 * HOUR], stepsDone: 4, trouble: 'answering' },
  { type: 50, end: 'shipped', at: [52 * HOUR, 52 * HOUR - 2, 40 * HOUR], stepsDone: 4, trouble: 'evidence' },
  { type: 1, end: 'shipped', at: [60 * HOUR, 60 * HOUR - 2, 50 * HOUR], stepsDone: 4, trouble: 'ruled' },
  { type: 50, end: 'shipped', at: [66 * HOUR, 66 * HOUR - 2, 60 * HOUR], stepsDone: 4, trouble: 'appealed' },
  { type: 1, end: 'shipped', at: [58 * HOUR, 58 * HOUR - 2, 46 * HOUR], stepsDone: 4, trouble: 'second', dear: true },
  { type: 50, end: 'paid', at: [7 * HOUR, 7 * HOUR - 3], stepsDone: 1, dear: true },
  { type: 27, end: 'shipped', at: [70 * HOUR, 70 * HOUR - 2, 66 * HOUR], trouble: 'part' },
  { type: 1, end: 'shipped', at: [62 * HOUR, 62 * HOUR - 2, 54 * HOUR], stepsDone: 4, trouble: 'withdrawn' },
  { type: 1, end: 'completed', at: [24 * DAY, 24 * DAY - 2, 23 * DAY, 22 * DAY], ensure: true, trouble: 'chasing' },
  { type: 50, end: 'completed', at: [60 * DAY, 60 * DAY - 2, 59 * DAY, 58 * DAY], ensure: true, trouble: 'paid' },
  { type: 1, end: 'completed', at: [75 * DAY, 75 * DAY - 2, 74 * DAY, 73 * DAY], ensure: true, trouble: 'refused' },
  // Its time to confirm is over while the seller's steps are open: the market's own clock stops it at the first start.
  { type: 50, end: 'shipped', at: [78 * HOUR, 78 * HOUR - 3, 74 * HOUR], stepsDone: 3 },
];

/** Orders of the demo buyers of the two other brands. */
const BRAND_SCENES: readonly Scene[] = [
  { type: 50, end: 'paid', at: [50, 48], stepsDone: 1 },
  { type: 1, end: 'shipped', at: [7 * HOUR, 7 * HOUR - 2, HOUR], stepsDone: 4 },
  { type: 50, end: 'completed', at: [9 * DAY, 9 * DAY - 2, 8 * DAY, 7 * DAY], rated: true },
];

/** The first goods of a type from `from` on that a new seller could have as well. */
function goodsOf(
  market: Market,
  { type, ensure, dear }: Pick<Scene, 'type' | 'ensure' | 'dear'>,
  from: number,
  gameIds: readonly number[] | null,
): GoodsSeed {
  const covered = ensure === true;
  for (let index = from; ; index++) {
    const goods = generateGoods({ seed: market.seed, index });
    const [least, most] = dear ? DEAR_FEN : [0, MAX_PRICE_FEN];
    if (goods.goodsTypeId !== type || goods.priceFen < least || goods.priceFen > most) continue;
    if (covered && !goods.guaranteeOk) continue;
    if (gameIds === null || gameIds.includes(goods.gameId)) return goods;
  }
}

function trade(
  market: Market,
  people: { buyer: Person; seller: Person },
  scene: Scene,
  slot: number,
  games: readonly number[] | null,
): Trade {
  const [created, paid = 0, shipped = 0, ended = 0] = scene.at;
  const index = 900_000 + slot;
  const goods = goodsOf(market, scene, LIVE_GOODS_FROM + slot * 10_000, games);
  const review = scene.rated === true ? generateReview({ seed: market.seed, index, score: 5 }) : null;
  return {
    ...people,
    index,
    goods,
    end: scene.end,
    byChannel: scene.byChannel === true,
    wantsEnsure: scene.ensure === true && goods.guaranteeOk,
    createdAgo: created,
    paidAgo: paid,
    shippedAgo: shipped,
    endedAgo: ended,
    stepsDone: scene.end === 'completed' ? Number.POSITIVE_INFINITY : (scene.stepsDone ?? 0),
    buyerReview: review,
    sellerReview: review,
    ...(scene.trouble && { trouble: scene.trouble }),
    ...(scene.coupon !== undefined && { coupon: scene.coupon }),
  };
}

/** Orders in progress among strangers, so that the back office has pending work. */
function strangers(market: Market, people: readonly Person[], count: number): Trade[] {
  const sellers = people.filter((p) => p.merchant && p.verified && p.index > 5);
  const buyers = people.filter((p) => p.verified && !p.merchant && p.index > 5);
  return Array.from({ length: count }, (_, i): Trade | undefined => {
    const next = random(mixSeed(market.seed, i, 37));
    const seller = sellers[Math.floor(next() * sellers.length)];
    const buyer = buyers[Math.floor(next() * buyers.length)];
    if (!seller || !buyer) return undefined;
    const paid = 20 + Math.floor(next() * 500);
    const type = i % 4 === 0 ? 2 : i % 2 === 0 ? 1 : 50;
    const scene: Scene =
      i % 5 === 0
        ? { type, end: 'unpaid', at: [1 + (i % 20)] }
        : i % 2 === 0
          ? { type, end: 'paid', at: [paid + 3, paid], stepsDone: i % 3, byChannel: true }
          : { type, end: 'shipped', at: [paid + 300, paid + 296, paid], stepsDone: 4 };
    return trade(market, { buyer, seller }, scene, 100 + i, null);
  }).filter((d) => d !== undefined);
}

/**
 * All trades that are written one by one, oldest first as their numbers will be: those of the demo logins in every state, and
 * some of strangers that are under way.
 */
export function planLiveTrades(
  market: Market,
  people: readonly Person[],
  gamesOfSite: (distId: number) => readonly number[] | null,
): Trade[] {
  const [buyer, seller, , moon, star, shop] = people;
  if (!buyer || !seller || !moon || !star || !shop) throw new RangeError('the demo logins come first');
  const own = SCENES.map((scene, i) => trade(market, { buyer, seller }, scene, i, null));
  const branded = [moon, star].flatMap((visitor, v) =>
    BRAND_SCENES.map((scene, i) =>
      trade(market, { buyer: visitor, seller: shop }, scene, 40 + v * 10 + i, gamesOfSite(visitor.distId)),
    ),
  );
  return [...own, ...branded, ...strangers(market, people, 30)].sort((a, b) => b.createdAgo - a.createdAgo);
}
