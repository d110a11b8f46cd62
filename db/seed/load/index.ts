import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { SwitchStatus } from '#contract/rules/statuses.ts';
import { type SettingKey, type SettingValue, settingValue } from '#subjects/settings/contract/setting-values.ts';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { hashSecret } from '#server/kernel/secrets/argon.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import type { DB } from '#server/db/types.gen.ts';
import { refreshMarket } from '#subjects/goods/server/market/stats.ts';
import type { GuaranteeSetting } from '#subjects/orders/server/placing/pricing.ts';
import { loadCatalogue } from '#db/catalogue/load.ts';
import { storeBargains } from './trades/bargains.ts';
import { reserveIds } from './bulk.ts';
import { storeChatClocks, storeChats } from './content/chats.ts';
import { storeServiceChats } from './services/service-chats.ts';
import { storeContent } from './content/content.ts';
import { storeTexts } from './content/texts.ts';
import { storeCoins } from './goods/coins.ts';
import { storeClaims, storeCovers } from './goods/cover.ts';
import { countIn, planTrades } from './trades/trades.ts';
import { type MarketSettings, priceTrades } from './trades/trades-price.ts';
import { storeDeposits } from './money/deposits.ts';
import { storeTrades } from './trades/trades-store.ts';
import { storeDebts } from './money/debts.ts';
import { storeDisputes } from './trades/disputes.ts';
import { loadDistributors } from './people/distributors.ts';
import { storeAudit, storeWithdrawals } from './money/finance.ts';
import { storeTrust } from './people/trust.ts';
import { storeGoods } from './goods/goods.ts';
import type { MarketGoods } from './goods/market-goods.ts';
import { makeIndexes, MANY_GOODS, dropIndexes } from './indexes.ts';
import { storeInterest } from './goods/interest.ts';
import { storeOpenApi } from './people/open-api.ts';
import { storeQuestions } from './goods/questions.ts';
import { storeReviewReports } from './trades/reviews.ts';
import { storeInspections } from './recycling/inspections.ts';
import { storeReadingDebts, storeWrongReadings } from './recycling/inspections-wrong.ts';
import { storeRecycling } from './recycling/recycling.ts';
import { storeRecyclerDeposits } from './money/role-deposits.ts';
import { storeRoles } from './people/roles.ts';
import { storeLevels } from './people/levels.ts';
import { storeLinks } from './people/links.ts';
import { planLiveTrades } from './trades/live-trades.ts';
import { DEMO_PASSWORD, DEMO_PAY_PASSWORD } from '#server/demo/logins.ts';
import { isFilled, SEED_STATE_KEY, type SeedState } from '#server/demo/state.ts';
import { MARKET_SEED, type Market } from './market.ts';
import { storeNotices } from './content/notices.ts';
import { postDated } from './money/money.ts';
import { storeMoneyBack } from './trades/refunds.ts';
import { reserveOrderIds } from './trades/order-ids.ts';
import { type Person, planPeople, storePeople } from './people/people.ts';
import { storePromotions } from './money/promotions.ts';
import { openShelves, type Shelves } from './goods/storefronts.ts';
import { storeApprovals, storeSettlements } from './people/second-person.ts';
import { storeServices } from './services/services.ts';
import { storeSupport } from './people/support.ts';
import { storeRecyclers, storeSideTrades } from './trades/side-trades.ts';
import { loadStaff } from './people/staff.ts';
import { storeStatements } from './money/statements.ts';
import { storeWants } from './goods/wants.ts';

export interface LoadOptions {
  databaseUrl: string;
  keys: Keys;
  /** Number of goods in every state, without those of finished trades. */
  goods: number;
  print: (text: string) => void;
  now?: Date;
}

/** Any number, the same for every starter: two of them do not fill one market twice. */
const LOADING_LOCK = 7_204_811_351;
const PEOPLE = 400;
const TRADES = 1_560;
/** Goods stored with everything else in the first transaction; more follow in separate batches. */
const FIRST_GOODS = 5_000;
const BATCH = 5_000;
async function loadState(client: pg.ClientBase): Promise<SeedState | undefined> {
  const { rows } = await client.query<{ value: SeedState }>(
    'select value from setting where key = $1 order by version desc limit 1',
    [SEED_STATE_KEY],
  );
  return rows[0]?.value;
}

async function saveState(client: pg.ClientBase, state: SeedState): Promise<void> {
  await client.query(
    `insert into setting (key, version, value) values ($1, 1, $2) on conflict (key, version) do update set value = excluded.value`,
    [SEED_STATE_KEY, JSON.stringify(state)],
  );
}

async function loadSettings(client: pg.ClientBase): Promise<MarketSettings> {
  const { rows } = await client.query<{ key: string; value: unknown }>(
    `select distinct on (key) key, value from setting where key in ('fees', 'hold_hours', 'hold_stages') order by key, version desc`,
  );
  const of = <K extends SettingKey>(key: K): SettingValue<K> =>
    settingValue(key, rows.find((row) => row.key === key)?.value);
  const dists = await client.query<{ id: number; commission_bp: number }>('select id, commission_bp from distributor');
  const tiers = await client.query<GuaranteeSetting>(
    `select id, kind, name, rate_bp as bp, min_fen::int as "minFen" from guarantee_tier where status = ${SwitchStatus.On} order by sort, id`,
  );
  return {
    fees: of('fees'),
    guarantees: tiers.rows,
    holdHours: of('hold_hours'),
    holdStages: of('hold_stages'),
    distShareBp: new Map(dists.rows.map((d) => [d.id, d.commission_bp])),
  };
}

function marketOn(
  client: pg.Client,
  options: LoadOptions,
  settings: { dists: ReadonlyMap<string, number>; buyerBp: number },
): Omit<Market, 'staff'> {
  const now = options.now ?? new Date();
  const borrowed = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { connect: () => Promise.resolve(borrowed), end: () => Promise.resolve() } as pg.Pool,
    }),
  });
  const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
  return { client, db, keys: options.keys, seed: MARKET_SEED, now, ...settings, print: options.print, ago };
}

async function storeBatch(market: Market, shelves: Shelves, from: number, count: number): Promise<MarketGoods[]> {
  const ids = await reserveIds(market.client, 'goods', count);
  const goods = ids.map((id, i) => shelves.add(from + i, id));
  await storeGoods(market, goods);
  return goods;
}

/** Balance of the demo logins apart from their trades, in fen, by person. */
function spareOf(people: Awaited<ReturnType<typeof planPeople>>): Map<number, { distId: number; fen: number }> {
  const rows = [
    [0, 2_000_000],
    [1, 300_000],
    [3, 800_000],
    [4, 800_000],
  ] as const;
  return new Map(
    rows.flatMap(([i, fen]) => {
      const person = people[i];
      return person ? [[person.id, { distId: person.distId, fen }] as const] : [];
    }),
  );
}

/** The trades in progress, of games that their sites offer. */
async function loadLiveTrades(market: Market, people: readonly Person[]): Promise<ReturnType<typeof planLiveTrades>> {
  const sites = await market.client.query<{ id: number; games: number[] | null }>('select id, games from distributor');
  return planLiveTrades(market, people, (distId) => sites.rows.find((d) => d.id === distId)?.games ?? null);
}

/** The market as it begins: brands, catalogue, staff, people, goods, history, and what the demo logins are in the middle of. */
async function loadFirst(market: Market, goodsCount: number): Promise<Shelves> {
  const { client, print } = market;
  const settings = await loadSettings(client);
  await loadCatalogue(market.db);
  const hashes = { login: await hashSecret(DEMO_PASSWORD), pay: await hashSecret(DEMO_PAY_PASSWORD) };
  const people = await planPeople(market, PEOPLE);
  const live = await loadLiveTrades(market, people);
  const trades = planTrades(market, people, TRADES);
  for (const trade of [...trades, ...live]) countIn(trade);
  // People are stored with what they sold and paid, so all trades are priced before.
  const orderIds = await reserveOrderIds(
    client,
    [...trades, ...live].map(({ createdAgo }) => createdAgo),
  );
  const pastTrades = await priceTrades(market, trades, people, settings, orderIds.of);
  const liveTrades = await priceTrades(market, live, people, settings, (i) => orderIds.of(trades.length + i));
  await storePeople(market, people, hashes);
  print('演示用户就绪');
  const shelves = openShelves(market, people);
  const goods = await storeBatch(market, shelves, 0, goodsCount);
  print(`商品 ${goods.length} 件`);
  const past = await storeTrades(market, pastTrades, settings, new Map());
  const current = await storeTrades(market, liveTrades, settings, spareOf(people));
  await storeCovers(market);
  const recyclers = await storeRecyclers(market, people);
  // One history: an account's chain must not go back in time.
  await postDated(market, [
    ...(await storeRecyclerDeposits(market, recyclers)),
    ...past,
    ...current,
    ...(await storeCoins(market, people, settings, orderIds)),
    ...(await storeRecycling(market, { people, recyclers }, settings, orderIds)),
    ...(await storeServices(market, people, settings, orderIds)),
    ...(await storeInspections(market, people)),
    ...(await storeWrongReadings(market, people, liveTrades)),
    ...(await storeWithdrawals(market, people)),
    ...(await storeMoneyBack(market, people, liveTrades)),
    ...(await storeDeposits(market, people, liveTrades)),
    ...(await storeSettlements(market)),
    ...(await storeClaims(market, liveTrades)),
  ]);
  await storePromotions(market, people, liveTrades);
  await storeStatements(market);
  await storeTrust(market, people);
  await storeAudit(market);
  await storeDisputes(market, liveTrades);
  await storeApprovals(market);
  await storeDebts(market, people);
  await storeReadingDebts(market);
  await storeReviewReports(market);
  await storeOpenApi(market, people);
  await storeQuestions(market);
  await storeChats(market, liveTrades);
  await storeSupport(market);
  await storeInterest(market, people, goods);
  await storeRoles(market, people);
  await storeBargains(market, people, goods);
  await storeWants(market, people, goods);
  await storeNotices(market, people);
  await storeContent(market);
  await storeTexts(market);
  await storeSideTrades(market, people, goods, recyclers);
  await storeServiceChats(market, people);
  await storeChatClocks(market);
  await storeLevels(market, people);
  await storeLinks(market, people);
  await refreshMarket(market.db);
  print(`历史订单 ${pastTrades.length} 笔，进行中 ${liveTrades.length} 笔`);
  return shelves;
}

/** Opens the shelves of a market that was filled before. */
async function reopen(market: Market, count: number): Promise<Shelves> {
  const people = await planEveryone(market, count);
  const { rows } = await market.client.query<{
    id: string;
    sold: number;
    sum: number;
    good: number;
    n: number;
    level: number;
  }>(
    'select id::text, sold_count as sold, rating_sum as sum, rating_good as good, rating_count as n, seller_level as level from app_user where id = any($1)',
    [people.map((p) => p.id)],
  );
  const byId = new Map(rows.map((r) => [Number(r.id), r]));
  for (const p of people) {
    const row = byId.get(p.id);
    p.sold = row?.sold ?? 0;
    p.ratingSum = row?.sum ?? 0;
    p.ratingGood = row?.good ?? 0;
    p.ratingCount = row?.n ?? 0;
    p.level = row?.level ?? 0;
  }
  // People who sell their own account have theirs already.
  return openShelves(
    market,
    people.filter((p) => p.sold >= 5),
  );
}

async function planEveryone(market: Market, count: number): Promise<Person[]> {
  const first = await market.client.query<{ id: string | null }>('select min(id)::text as id from app_user');
  const from = Number(first.rows[0]?.id ?? 10_001);
  return await planPeople(
    market,
    count,
    Array.from({ length: count }, (_, i) => from + i),
  );
}

async function inOneGo(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  await work();
  await client.query('commit');
}

async function loadMore(market: Market, shelves: Shelves, state: SeedState, goods: number): Promise<void> {
  const { client, print } = market;
  const started = Date.now();
  // A crash of the machine may lose the last batches, and the state with them: the next run continues from there.
  await client.query('set synchronous_commit = off');
  let now = state;
  if (now.indexes === undefined && goods - now.goods >= MANY_GOODS) {
    await inOneGo(client, async () => {
      now = { ...now, indexes: await dropIndexes(client) };
      await saveState(client, now);
    });
  }
  for (let from = now.goods; from < goods; from += BATCH) {
    const count = Math.min(BATCH, goods - from);
    await inOneGo(client, async () => {
      await storeBatch(market, shelves, from, count);
      now = { ...now, goods: from + count };
      await saveState(client, now);
    });
    const done = from + count - state.goods;
    if (done % (BATCH * 10) === 0 || from + count === goods) {
      const seconds = (Date.now() - started) / 1000;
      print(`商品 ${from + count} / ${goods}（每秒 ${Math.round(done / seconds)} 件）`);
    }
  }
  if (now.indexes !== undefined) await restoreIndexes(market, now, now.indexes);
  await client.query('analyze goods, goods_search, goods_stat');
}

async function restoreIndexes(market: Market, state: SeedState, indexes: readonly string[]): Promise<void> {
  const { client, print } = market;
  const started = Date.now();
  print('建立搜索索引…');
  await inOneGo(client, async () => {
    await makeIndexes(client, indexes);
    const { indexes: _made, ...rest } = state;
    await saveState(client, rest);
  });
  print(`搜索索引就绪（${Math.round((Date.now() - started) / 1000)} 秒）`);
}

/**
 * Fills the demo market up to `goods` goods. An empty database gets everything in one transaction, so a killed start leaves nothing;
 * goods beyond the first 5,000 follow in batches, which continue after an interruption. A filled market is not changed.
 * Returns whether anything was loaded.
 */
export async function loadMarket(options: LoadOptions): Promise<boolean> {
  const client = new pg.Client({ connectionString: options.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOADING_LOCK]);
    const state = await loadState(client);
    if (isFilled(state, options.goods)) return false;
    const settings = await loadSettings(client);
    const begun =
      state === undefined ? await begin(client, options, settings) : await goOn(client, options, settings, state);
    const { state: reached } = begun;
    if (reached.goods < options.goods || reached.indexes)
      await loadMore(begun.market, begun.shelves, reached, options.goods);
    return true;
  } finally {
    await client.end();
  }
}

interface Begun {
  market: Market;
  shelves: Shelves;
  state: SeedState;
}

/** Schedules the timer that ends unshipped orders (decision 440); parties of orders that are late already are notified a day after the start. */
const LATE_CLOCKS = `insert into timer (kind, ref, due_at)
  select 'order.late', id::text, case when ship_by > now() then ship_by else now() + interval '1 day' end from orders
  where status = ${OrderStatus.Paid} and ship_by is not null and not disputed and snapshot->>'service' is null
    and coalesce((snapshot->>'handoverType')::int, 0) <> ${OrderType.Recycling} on conflict do nothing`;

/** Fills an empty database, in one transaction. */
async function begin(client: pg.Client, options: LoadOptions, settings: MarketSettings): Promise<Begun> {
  await client.query('begin');
  const base = marketOn(client, options, { dists: await loadDistributors(client), buyerBp: settings.fees.buyerBp });
  const market = { ...base, staff: await loadStaff(base, await hashSecret(DEMO_PASSWORD, 'staff')) };
  const goods = Math.min(options.goods, FIRST_GOODS);
  const shelves = await loadFirst(market, goods);
  await client.query(LATE_CLOCKS);
  const state = { seed: MARKET_SEED, people: PEOPLE, goods };
  await saveState(client, state);
  await client.query('commit');
  await client.query('analyze');
  return { market, shelves, state };
}

/** Takes up a market that holds fewer goods than are wanted now. */
async function goOn(
  client: pg.Client,
  options: LoadOptions,
  settings: MarketSettings,
  state: SeedState,
): Promise<Begun> {
  const dists = await client.query<{ code: string; id: number }>('select code, id from distributor');
  const staff = await client.query<{ login: string; id: string }>('select login, id::text from staff');
  const known = { dists: new Map(dists.rows.map((r) => [r.code, r.id])), buyerBp: settings.fees.buyerBp };
  const market = {
    ...marketOn(client, options, known),
    staff: new Map(staff.rows.map((r) => [r.login, Number(r.id)])),
  };
  return { market, shelves: await reopen(market, state.people), state };
}
