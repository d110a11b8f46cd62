import type { Field } from '#subjects/games/contract/games.ts';
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { GAMES } from '#db/catalogue/index.ts';
import type { GameSeed } from '#db/catalogue/types.ts';
import type { Trx } from '#server/db/client.ts';
import { accountIdentity } from '#server/kernel/account-identity.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { makePlatform } from '#subjects/recycling/server/accounts/platform.ts';
import { cutBp, cutsOf, type Cut } from '#subjects/valuation/server/cuts.ts';
import { floorOf, type FloorSetting } from '#subjects/valuation/server/floor.ts';
import { makeAttrs, planField } from '../../generate/attrs.ts';
import { mixSeed, random } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { MarketSettings } from '../trades/trades-price.ts';
import { type Market, staffId } from '../market.ts';
import { type Dated, storeDatedPayments } from '../money/money.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { Person } from '../people/people.ts';
import { storeRecycledOrders } from './recycling-orders.ts';
import { type Reading, type RequestPlan, REQUESTS, type SeedBid, type SeedRequest } from './recycling-plan.ts';

const DAY = 1440;
const ACCOUNT = 1;
const BP = 10_000;
/** Factor that an inspection applies to a number that was stated too high. */
const LESS = 0.8;

interface Who {
  people: readonly Person[];
  recyclers: readonly Person[];
}

const REQUEST_COLUMNS = columns(
  `id bigint, sn text, dist_id int, user_id bigint, game_id int, type_id smallint, area_id int, details jsonb, fields_version int, fingerprint bytea, account_near bytea, account_hint text,
  floor_fen bigint, floor_basis jsonb, cuts jsonb, bids_until timestamptz, due_at timestamptz, created_at timestamptz, updated_at timestamptz`,
);
const QUOTE_COLUMNS = columns(
  `id bigint, request_id bigint, recycler_id bigint, amount_fen bigint, fee_fen bigint, status text, created_at timestamptz, updated_at timestamptz`,
);
const READING_COLUMNS = columns(
  'request_id bigint, field text, label text, said text, found text, cut_fen bigint, staff_id bigint, created_at timestamptz',
);
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');

const fieldsOf = (game: GameSeed) => game.fields.filter((f) => f.goodsTypes.includes(ACCOUNT) && f.kind !== 'text');

/** Returns an inspector's readings: as stated, or of the first number less. */
function readingsOf(cuts: readonly Cut[], attrs: Record<string, unknown>, differs: boolean, fen: number): Reading[] {
  const lower = differs ? cuts.find((c) => c.nodes && Number(attrs[c.field]) > 5) : undefined;
  return cuts.map((cut) => {
    const { field, label, said } = cut;
    if (cut !== lower) return { field, label, said, found: said, cutFen: 0 };
    const found = Math.floor(Number(attrs[field]) * LESS);
    return {
      field,
      label,
      said,
      found: said.replace(/^\d+/, String(found)),
      cutFen: Math.round((fen * cutBp(cut, found)) / BP),
    };
  });
}

const isInspected = ({ plan }: Pick<SeedRequest, 'plan'>): boolean =>
  ['reconfirm', 'declined', 'paid'].includes(plan.status);

function sellerOf(plan: RequestPlan, { people, recyclers }: Who): Person {
  const own = new Set(recyclers.map((p) => p.id));
  const strangers = people.filter((p) => p.index > 20 && p.verified && p.distId === PLATFORM_DIST_ID && !own.has(p.id));
  const seller = typeof plan.seller === 'number' ? people[plan.seller] : strangers[plan.seller.stranger];
  if (!seller) throw new RangeError('too few people');
  return seller;
}

interface Terms {
  floors: FloorSetting;
  buyerBp: number;
  platformId: number;
}

function requestOf(
  market: Market,
  who: Who,
  terms: Terms,
  input: { plan: RequestPlan; i: number; id: number; bidId: () => number },
): SeedRequest {
  const { plan, i, id } = input;
  const game = GAMES.find(({ code }) => code === plan.game);
  if (!game) throw new RangeError(`no game ${plan.game}`);
  const fields = fieldsOf(game);
  const attrs = makeAttrs(random(mixSeed(market.seed, i, 93)), fields.map(planField), 0.3, 1);
  const areaId = game.areas[i % Math.max(1, game.areas.length)]?.id ?? null;
  const cuts = cutsOf(fields as readonly Field[], { attrs, areaId }, undefined);
  const { typicalFen } = plan;
  const band = {
    value: Math.log(typicalFen),
    lowFen: Math.round(typicalFen * 0.82),
    typicalFen,
    highFen: Math.round(typicalFen * 1.2),
  };
  const floor = plan.floored ? floorOf(band, { trend: -0.012, days: 6, recoveryBp: null }, terms.floors) : null;
  const base = floor?.floorFen ?? Math.round(typicalFen * 0.72);
  const bids = plan.bids.map(({ by, above, after }, n): SeedBid => {
    const amountFen = Math.round((base * (100 + above)) / 10_000) * 100;
    const isPlatform = by === 'platform';
    return {
      id: input.bidId(),
      recyclerId: isPlatform ? terms.platformId : (who.recyclers[by]?.id ?? 0),
      amountFen: isPlatform ? base : amountFen,
      feeFen: isPlatform ? 0 : feeOf(amountFen, terms.buyerBp),
      ago: plan.ago - after,
      isTaken: plan.accepted === n && plan.acceptedAfter !== undefined,
      isPlatform,
    };
  });
  const accepted = plan.accepted === undefined ? undefined : bids[plan.accepted];
  const readings = isInspected({ plan })
    ? readingsOf(cuts, attrs, plan.differs === true, accepted?.amountFen ?? 0)
    : [];
  return {
    id,
    sn: `HSDEMO${String(i + 1).padStart(4, '0')}`,
    plan,
    game,
    areaId,
    seller: sellerOf(plan, who),
    attrs,
    cuts,
    floor,
    bids,
    accepted,
    readings,
    cutFen: readings.reduce((sum, r) => sum + r.cutFen, 0),
    orderId: null,
  };
}

const requestRow = (market: Market, r: SeedRequest) => {
  const typical = r.plan.typicalFen;
  const account = accountIdentity(market.keys, r.game.id, r.sn);
  const basis = {
    ...r.floor,
    samples: 64,
    madeAt: market.ago(r.plan.ago + 300).toISOString(),
    sellNetFen: typical - Math.round(typical * 0.05),
  };
  return [
    r.id,
    r.sn,
    1,
    r.seller.id,
    r.game.id,
    ACCOUNT,
    r.areaId,
    r.attrs,
    1,
    account.print,
    account.near,
    account.hint,
    r.floor?.floorFen ?? null,
    basis,
    r.cuts,
    market.ago(r.plan.status === 'bidding' ? -(r.plan.dueIn ?? 0) : r.plan.ago - 10),
    r.plan.dueIn === undefined ? null : market.ago(-r.plan.dueIn),
    market.ago(r.plan.ago),
    market.ago(r.plan.ago),
  ];
};

/** Whether a bid's money is still in escrow, went back, or paid the order. */
function bidStatus(r: SeedRequest, b: SeedBid): 'open' | 'returned' | 'paid' {
  if (b.isTaken) return 'paid';
  return r.plan.status === 'bidding' || (r.plan.status === 'quoted' && b === r.accepted) ? 'open' : 'returned';
}

/** When a bid's money left its escrow, in minutes before now. */
function leftAgo({ plan }: SeedRequest, b: SeedBid, isBest: boolean): number {
  if (b.isTaken) return plan.ago - (plan.acceptedAfter ?? 0);
  const end = isBest ? (plan.endedAfter ?? 10) : Math.min(10, plan.acceptedAfter ?? plan.endedAfter ?? 10);
  return plan.ago - end;
}

/** The money of bids: into escrow and back. The money of an accepted bid is moved into its order. */
function bidMoney(market: Market, r: SeedRequest): Dated[] {
  return r.bids.flatMap((b): Dated[] => {
    const [free, escrow] = [account.available(b.recyclerId), account.bid(b.id)];
    const fen = b.amountFen + b.feeFen;
    const made: Dated = {
      at: market.ago(b.ago),
      transfer: { code: 'recycle_bid', ref: `bid:${b.id}:${b.amountFen}`, debit: free, credit: escrow, fen, dist: 1 },
    };
    if (bidStatus(r, b) !== 'returned') return [made];
    const at = market.ago(leftAgo(r, b, b === r.accepted));
    return [
      made,
      { at, transfer: { code: 'recycle_bid_back', ref: `bid:${b.id}`, debit: escrow, credit: free, fen, dist: 1 } },
    ];
  });
}

/** Returns the top-ups of recyclers for their bids; the platform pays its own. */
async function broughtMoney(market: Market, requests: readonly SeedRequest[]): Promise<Dated[]> {
  const bids = requests.flatMap((r) => r.bids);
  const byRecycler = Map.groupBy(
    bids.filter((b) => !b.isPlatform),
    (b) => b.recyclerId,
  );
  const { topups } = await storeDatedPayments(
    market,
    [...byRecycler].map(([userId, list]) => ({
      userId,
      distId: PLATFORM_DIST_ID,
      orderId: null,
      fen: list.reduce((sum, b) => sum + b.amountFen + b.feeFen, 500_000),
      ago: 20 * DAY,
    })),
  );
  const funded = bids
    .filter((b) => b.isPlatform)
    .map(
      (b): Dated => ({
        at: market.ago(b.ago + 0.01),
        transfer: {
          code: 'recycle_fund',
          ref: `bid:${b.id}`,
          debit: account.platform('recycling', b.id),
          credit: account.available(b.recyclerId),
          fen: b.amountFen,
          dist: 1,
        },
      }),
    );
  return [...topups, ...funded];
}

/** The states that a request has passed, so that the database checks each step. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  bidding: [],
  quoted: ['quoted'],
  accepted: ['accepted'],
  reconfirm: ['accepted', 'reconfirm'],
  paid: ['accepted', 'paid'],
  declined: ['accepted', 'reconfirm', 'declined'],
  closed: ['accepted', 'closed'],
  expired: ['expired'],
  withdrawn: ['withdrawn'],
};

async function walk(market: Market, r: SeedRequest): Promise<void> {
  const { plan } = r;
  const at = plan.endedAfter === undefined ? plan.ago - (plan.acceptedAfter ?? 0) : plan.ago - plan.endedAfter;
  for (const status of PATHS[plan.status] ?? [])
    await market.client.query(
      `update recycle_request set status = $2, best_quote_id = $3, order_id = $4, cut_fen = $5, closed_reason = $6, updated_at = $7,
        quote_until = case when $2 = 'quoted' then due_at else quote_until end where id = $1`,
      [
        r.id,
        status,
        r.accepted?.id ?? null,
        r.orderId,
        status === 'accepted' ? 0 : r.cutFen,
        plan.reason ?? null,
        market.ago(at),
      ],
    );
}

/**
 * Accounts that people sell to recyclers, in every state, with the platform's recycler, its floors and its budget. Returns the postings with
 * their moments.
 */
export async function storeRecycling(
  market: Market,
  who: Who,
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const { client } = market;
  const { rows } = await client.query<{ value: FloorSetting }>(
    `select value from setting where key = 'recycling' order by version desc limit 1`,
  );
  const [floors] = rows;
  if (!floors) throw new Error('setting recycling is missing');
  const platformId = await makePlatform(market.db as unknown as Trx, market.keys);
  const ids = await reserveIds(client, 'recycle_request', REQUESTS.length);
  const quoteIds = await reserveIds(
    client,
    'recycle_quote',
    REQUESTS.reduce((sum, r) => sum + r.bids.length, 0),
  );
  const bidId = () => quoteIds.shift() ?? 0;
  const terms = { floors: floors.value, buyerBp: settings.fees.buyerBp, platformId };
  const requests = REQUESTS.map((plan, i) => requestOf(market, who, terms, { plan, i, id: ids[i] ?? 0, bidId }));
  const orderMoney = await storeRecycledOrders(market, requests, orderIds);
  await insertRows(
    client,
    'recycle_request',
    REQUEST_COLUMNS,
    requests.map((r) => requestRow(market, r)),
  );
  const quotes = requests.flatMap((r) =>
    r.bids.map((b) => [
      b.id,
      r.id,
      b.recyclerId,
      b.amountFen,
      b.feeFen,
      bidStatus(r, b),
      market.ago(b.ago),
      market.ago(b.ago),
    ]),
  );
  await insertRows(client, 'recycle_quote', QUOTE_COLUMNS, quotes);
  for (const r of requests) await walk(market, r);
  const kefu = staffId(market, 'kefu1');
  const readings = requests.flatMap((r) =>
    r.readings.map((x) => [r.id, x.field, x.label, x.said, x.found, x.cutFen, kefu, market.ago(r.plan.ago - 120)]),
  );
  await insertRows(client, 'recycle_reading', READING_COLUMNS, readings);
  const timers = requests.flatMap((r) =>
    r.plan.dueIn === undefined ? [] : [['recycle.due', String(r.id), market.ago(-r.plan.dueIn)]],
  );
  await insertRows(client, 'timer', TIMER_COLUMNS, timers);
  await client.query(
    `update recycler c set won_count = won_count + w.n, lowered_count = lowered_count + w.lowered from (
       select q.recycler_id, count(*)::int as n, count(*) filter (where r.cut_fen > 0)::int as lowered
       from recycle_quote q join recycle_request r on r.best_quote_id = q.id where r.status = 'paid' group by 1) w where w.recycler_id = c.user_id`,
  );
  return [...(await broughtMoney(market, requests)), ...requests.flatMap((r) => bidMoney(market, r)), ...orderMoney];
}
