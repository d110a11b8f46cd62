import { CampaignStatus } from '#contract/rules/statuses.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { PricedTrade } from '../trades/priced-trade.ts';
import { type Market, staffId } from '../market.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;
/** China's clock has its own days, so a seed that runs at any hour leaves today's draws to the demo logins. */
const DRAWS_AGO = 2 * DAY;

interface CampaignSeed {
  code: string;
  name: string;
  kind: 'goods' | 'service' | 'guarantee';
  fen: number;
  minFen: number;
  total: number;
  left: number;
  perPerson?: number;
  days: number;
  /** Days before now and after now. */
  runs: readonly [from: number, to: number];
  oddsBp?: number;
  status?: 0 | 2;
}

/** Campaigns in every state: running, nearly used up, used up, ended, stopped, waiting for a second person; and the lottery's prizes. */
const CAMPAIGNS: readonly CampaignSeed[] = [
  {
    code: 'NEW10',
    name: '新人商品券',
    kind: 'goods',
    fen: 1_000,
    minFen: 10_000,
    total: 5_000,
    left: 3_172,
    days: 14,
    runs: [30, 60],
  },
  {
    code: 'FEE5',
    name: '服务费立减',
    kind: 'service',
    fen: 500,
    minFen: 0,
    total: 3_000,
    left: 1_204,
    days: 7,
    runs: [10, 20],
  },
  {
    code: 'COVER20',
    name: '包赔体验券',
    kind: 'guarantee',
    fen: 2_000,
    minFen: 20_000,
    total: 800,
    left: 6,
    days: 7,
    runs: [12, 9],
  },
  {
    code: 'BIG50',
    name: '大额商品券',
    kind: 'goods',
    fen: 5_000,
    minFen: 100_000,
    total: 200,
    left: 0,
    days: 7,
    runs: [20, 5],
  },
  {
    code: 'AUTUMN',
    name: '秋季商品券',
    kind: 'goods',
    fen: 800,
    minFen: 5_000,
    total: 1_000,
    left: 120,
    days: 10,
    runs: [80, -20],
  },
  {
    code: 'STOPPED',
    name: '周末服务费券',
    kind: 'service',
    fen: 300,
    minFen: 0,
    total: 500,
    left: 377,
    days: 5,
    runs: [15, 15],
    status: CampaignStatus.Stopped,
  },
  {
    code: 'YEAREND',
    name: '年终商品券',
    kind: 'goods',
    fen: 2_000,
    minFen: 20_000,
    total: 5_000,
    left: 5_000,
    days: 15,
    runs: [0, 45],
    status: CampaignStatus.Pending,
  },
  {
    code: 'DRAW88',
    name: '88 元商品券',
    kind: 'goods',
    fen: 8_800,
    minFen: 100_000,
    total: 20,
    left: 17,
    perPerson: 3,
    days: 7,
    runs: [30, 60],
    oddsBp: 20,
  },
  {
    code: 'DRAW20',
    name: '20 元商品券',
    kind: 'goods',
    fen: 2_000,
    minFen: 30_000,
    total: 300,
    left: 246,
    perPerson: 10,
    days: 7,
    runs: [30, 60],
    oddsBp: 280,
  },
  {
    code: 'DRAWCOVER',
    name: '10 元包赔券',
    kind: 'guarantee',
    fen: 1_000,
    minFen: 0,
    total: 600,
    left: 511,
    perPerson: 30,
    days: 7,
    runs: [30, 60],
    oddsBp: 700,
  },
  {
    code: 'DRAW5',
    name: '5 元商品券',
    kind: 'goods',
    fen: 500,
    minFen: 5_000,
    total: 2_000,
    left: 1_590,
    perPerson: 90,
    days: 7,
    runs: [30, 60],
    oddsBp: 1_500,
  },
  {
    code: 'DRAWFEE',
    name: '2 元服务费券',
    kind: 'service',
    fen: 200,
    minFen: 0,
    total: 5_000,
    left: 3_908,
    perPerson: 90,
    days: 7,
    runs: [30, 60],
    oddsBp: 3_000,
  },
];

/**
 * What the demo buyer has and did not use: usable ones and ones that are over, of each kind; those that were used are with their orders.
 * The other demo users have none, so their page is empty.
 */
const UNUSED: readonly [code: string, agoDays: number][] = [
  ['NEW10', 2],
  ['DRAWCOVER', 3],
  ['DRAWFEE', 1],
  ['DRAW5', 5],
  ['DRAW5', 40],
  ['DRAWFEE', 12],
  ['DRAWCOVER', 15],
];

/** A campaign's coupon as an order is priced with it. */
export function couponOf(code: string): {
  kind: CampaignSeed['kind'];
  amountFen: number;
  minimumFen: number;
  name: string;
} {
  const c = CAMPAIGNS.find((k) => k.code === code);
  if (!c) throw new RangeError(`no campaign ${code}`);
  return { kind: c.kind, amountFen: c.fen, minimumFen: c.minFen, name: c.name };
}

const CAMPAIGN_COLUMNS = columns(
  `id bigint, code text, name text, kind text, amount_fen bigint, minimum_fen bigint, stock int, total int, per_person int, valid_days int,
  starts_at timestamptz, ends_at timestamptz, odds_bp int, status smallint, created_by bigint, stopped_by bigint, stopped_at timestamptz,
  stop_reason text, created_at timestamptz`,
);
const COUPON_COLUMNS = columns(
  `campaign_id bigint, user_id bigint, serial int, expires_at timestamptz, created_at timestamptz, order_id bigint, used_at timestamptz`,
);
const DRAW_COLUMNS = columns(`user_id bigint, campaign_id bigint, roll int, created_at timestamptz`);

async function storeCampaigns(market: Market): Promise<Map<string, number>> {
  const ids = await reserveIds(market.client, 'coupon_campaign', CAMPAIGNS.length);
  const [content, admin] = [staffId(market, 'neirong'), staffId(market, 'admin')];
  const rows = CAMPAIGNS.map((c, i) => {
    const stopped = c.status === CampaignStatus.Stopped;
    const from = market.ago(c.runs[0] * DAY);
    return [
      ids[i],
      c.code,
      c.name,
      c.kind,
      c.fen,
      c.minFen,
      c.left,
      c.total,
      c.perPerson ?? 1,
      c.days,
      from,
      market.ago(-c.runs[1] * DAY),
      c.oddsBp ?? null,
      c.status ?? 1,
      content,
      stopped ? admin : null,
      stopped ? market.ago(3 * DAY) : null,
      stopped ? '预算调整' : null,
      from,
    ];
  });
  await insertRows(market.client, 'coupon_campaign', CAMPAIGN_COLUMNS, rows);
  return new Map(CAMPAIGNS.map((c, i) => [c.code, ids[i] ?? 0]));
}

/** The coupons of the demo buyer, those that paid for a part of an order among them. */
async function storeCoupons(
  market: Market,
  buyer: Person,
  campaigns: ReadonlyMap<string, number>,
  live: readonly PricedTrade[],
): Promise<void> {
  const serials = new Map<string, number>();
  const row = (code: string, agoMinutes: number, orderId: number | null, usedAgo: number | null): unknown[] => {
    const days = CAMPAIGNS.find((c) => c.code === code)?.days ?? 7;
    const serial = (serials.get(code) ?? 0) + 1;
    serials.set(code, serial);
    const used = usedAgo === null ? null : market.ago(usedAgo);
    const [expires, got] = [market.ago(agoMinutes - days * DAY), market.ago(agoMinutes)];
    return [campaigns.get(code), buyer.id, serial, expires, got, orderId, used];
  };
  const used = live.flatMap(({ trade, orderId }) =>
    trade.coupon === undefined ? [] : [row(trade.coupon, trade.paidAgo + 90, orderId, trade.createdAgo)],
  );
  const unused = UNUSED.map(([code, ago]) => row(code, ago * DAY, null, null));
  await insertRows(market.client, 'coupon', COUPON_COLUMNS, [...used, ...unused]);
  await market.client.query('update orders o set coupon_id = c.id from coupon c where c.order_id = o.id');
}

/** Campaigns, the coupons of the demo buyer, and draws of strangers for the list of winners. */
export async function storePromotions(
  market: Market,
  people: readonly Person[],
  live: readonly PricedTrade[],
): Promise<void> {
  const ids = await storeCampaigns(market);
  const buyer = people[0];
  if (!buyer) return;
  await storeCoupons(market, buyer, ids, live);
  const won = ['DRAWFEE', 'DRAW5', 'DRAWFEE', 'DRAWCOVER', 'DRAW20', 'DRAWFEE', 'DRAW5', 'DRAW88', 'DRAWFEE', 'DRAW5'];
  await insertRows(
    market.client,
    'lottery_draw',
    DRAW_COLUMNS,
    won.map((code, i) => [
      people[60 + i]?.id ?? buyer.id,
      ids.get(code),
      mixSeed(market.seed, i, 97) % 10_000,
      market.ago(DRAWS_AGO - i * 127),
    ]),
  );
}
