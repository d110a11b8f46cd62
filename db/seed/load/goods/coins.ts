import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { coinText } from '#subjects/quick-coin/rules/coin.ts';
import { deliveryName } from '#contract/rules/catalogue.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { GAMES } from '#db/catalogue/index.ts';
import type { GameSeed } from '#db/catalogue/types.ts';
import { mixSeed, random, integer } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { storeRatios } from './coin-ratio.ts';
import type { MarketSettings } from '../trades/trades-price.ts';
import { type Market, staffId } from '../market.ts';
import { type Dated, storeDatedPayments } from '../money/money.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { Person } from '../people/people.ts';
import { type PlainEnd, type PlainOrder, storePlainOrders } from '../trades/plain-orders.ts';

/** Games with coin. */
const COIN_GAMES = GAMES.filter((g): g is GameSeed & { coinUnit: string; coinRatio: number } =>
  Boolean(g.coinUnit && g.coinRatio),
);
const SHOP_NAMES = [
  '阿市金币铺',
  '跨区金币行',
  '老友金币',
  '安心游戏币',
  '快手金币店',
  '小满金币屋',
  '长风币行',
] as const;
const WEEK = [0, 1, 2, 3, 4, 5, 6] as const;
/** Of every four shops: two always open, one by day, one at night and at weekends. */
const HOURS: readonly { day: number; fromMinute: number; toMinute: number }[][] = [
  WEEK.map((day) => ({ day, fromMinute: 600, toMinute: 1440 })),
  [],
  [
    ...WEEK.slice(0, 5).map((day) => ({ day, fromMinute: 1080, toMinute: 1440 })),
    ...WEEK.slice(5).map((day) => ({ day, fromMinute: 600, toMinute: 1440 })),
  ],
  [],
];
const AREAS = 5;
const DAY = 1440;

const PROVIDER_COLUMNS = columns(
  `id bigint, dist_id int, user_id bigint, kind text, status text, name text, intro text, games text>int[], contact_enc bytea, profile jsonb,
  deposit_level smallint, online boolean, review_note text, reviewed_by bigint, reviewed_at timestamptz, pending jsonb, done_count int, on_time_count int,
  rating_sum int, rating_count int, created_at timestamptz`,
);

interface Shop {
  id: number;
  person: Person;
  games: readonly number[];
}

/** Games of a shop: the first has all of them. */
function gamesOf(market: Market, person: Person, i: number): number[] {
  const count = i === 0 ? COIN_GAMES.length : integer(random(mixSeed(market.seed, person.id, 65)), 4, 9);
  return COIN_GAMES.slice(0, count).map((g) => g.id);
}

function shopRows(market: Market, people: readonly Person[], ids: readonly number[]): unknown[][] {
  const reviewer = staffId(market, 'shenhe');
  return people.map((person, i) => {
    const next = random(mixSeed(market.seed, person.id, 61));
    // The last two are not open: one with a pending application, one that was refused.
    const status = i < SHOP_NAMES.length ? 'approved' : i === SHOP_NAMES.length ? 'reviewing' : 'refused';
    const done = status === 'approved' ? integer(next, 40, 900) : 0;
    const id = ids[i] ?? 0;
    return [
      id,
      1,
      person.id,
      'shop',
      status,
      SHOP_NAMES[i] ?? '新开的金币店',
      '货源稳定，在线时间长，付款后尽快发货。',
      `{${gamesOf(market, person, i).join(',')}}`,
      encrypt(market.keys, `provider.contact_enc:${id}`, `QQ ${integer(next, 100_000_000, 999_999_999)}`),
      { notice: i === 0 ? '夜间订单次日上午发货。' : '', hours: HOURS[i % HOURS.length] },
      i % 3 === 0 ? 2 : 1,
      status === 'approved' && i !== 3,
      status === 'refused' ? '联系方式无效，请核对后重新提交' : null,
      status === 'reviewing' ? null : reviewer,
      status === 'reviewing' ? null : market.ago(80 * DAY),
      i === 2 ? { name: '老友金币（旗舰）', intro: '新增夜班，24 小时发货。' } : null,
      done,
      Math.round(done * (0.9 + next() * 0.1)),
      Math.round(done * 4.7),
      done,
      market.ago((100 - i) * DAY),
    ];
  });
}

/** Deposits of the shops: brought by a top-up, then set aside. */
async function storeDeposits(market: Market, shops: readonly Shop[]): Promise<Dated[]> {
  const amounts = shops.map((_, i) => (i % 3 === 0 ? 500_000 : 100_000));
  const { topups } = await storeDatedPayments(
    market,
    shops.map(({ person }, i) => ({
      userId: person.id,
      distId: PLATFORM_DIST_ID,
      orderId: null,
      fen: amounts[i] ?? 0,
      ago: 93 * DAY,
    })),
  );
  const paid = shops.map(
    ({ person }, i): Dated => ({
      at: market.ago(93 * DAY - 5),
      transfer: {
        code: 'deposit_in',
        ref: `demo-shop:${person.id}`,
        debit: account.available(person.id),
        credit: account.deposit(person.id),
        fen: amounts[i] ?? 0,
        dist: 1,
      },
    }),
  );
  await insertRows(
    market.client,
    'deposit_entry',
    columns(
      'user_id bigint, role text, kind smallint, amount_fen bigint, ref text, reason text, created_at timestamptz',
    ),
    shops.map(({ person }, i) => [
      person.id,
      'shop',
      1,
      amounts[i] ?? 0,
      `demo-shop:${person.id}`,
      '缴纳商家保证金',
      market.ago(93 * DAY),
    ]),
  );
  return [...topups, ...paid];
}

const OFFER_COLUMNS = columns(
  `id bigint, sn text, dist_id int, provider_id bigint, seller_id bigint, game_id int, area_id int, server_id int, camp text, coin_type smallint, unit text,
  lot_units bigint, lot_price_fen bigint, stock int, min_lots int, max_lots int, delivery text>smallint[], ship_minutes int, title text, note text,
  status smallint, sold_lots bigint, created_at timestamptz, updated_at timestamptz`,
);

interface Offer {
  id: number;
  sn: string;
  shop: Shop;
  game: GameSeed & { coinUnit: string; coinRatio: number };
  area: GameSeed['areas'][number];
  lotUnits: number;
  lotPriceFen: number;
  delivery: number[];
  shipMinutes: number;
}

/** A lot that costs about this many yuan, in a round number of units. */
function lotSizeOf(ratio: number, yuan: number): number {
  const units = ratio * yuan;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(units)) - 1);
  return Math.max(1, Math.round(units / step) * step);
}

function planOffers(market: Market, shops: readonly Shop[]): { offer: Offer; row: (id: number) => unknown[] }[] {
  return COIN_GAMES.flatMap((game, g) =>
    game.areas.slice(0, AREAS).flatMap((area, a) =>
      shops
        .filter(({ games }, s) => games.includes(game.id) && (s === 0 || (s + a + g) % 2 === 0))
        .map((shop) => {
          const next = random(mixSeed(market.seed, shop.person.id * 31 + area.id, 62));
          const ratio = game.coinRatio * (0.9 + next() * 0.16);
          const lotUnits = lotSizeOf(game.coinRatio, [10, 20, 50][integer(next, 0, 2)] ?? 10);
          const delivery = [[1], [1, 2], [3], [1, 3], [1, 2, 3]][integer(next, 0, 4)] ?? [1];
          const shipMinutes = [10, 15, 30, 60][integer(next, 0, 3)] ?? 30;
          const lotPriceFen = Math.max(1, Math.round((lotUnits / ratio) * 100));
          const sn = `QC${mixSeed(market.seed, shop.person.id, area.id).toString(36).toUpperCase().padStart(8, '0').slice(-8)}${a}${g}`;
          const offer: Offer = { id: 0, sn, shop, game, area, lotUnits, lotPriceFen, delivery, shipMinutes };
          const status = next() < 0.93 ? 1 : 2;
          const stock = next() < 0.05 ? 0 : integer(next, 8, 900);
          const note = next() < 0.3 ? '到账后请在群里回复一声，好评有惊喜。' : '';
          return {
            offer,
            row: (id: number) => [
              id,
              sn,
              1,
              shop.id,
              shop.person.id,
              game.id,
              area.id,
              null,
              null,
              1,
              game.coinUnit,
              lotUnits,
              lotPriceFen,
              stock,
              next() < 0.3 ? 2 : 1,
              2000,
              `{${delivery.join(',')}}`,
              shipMinutes,
              '',
              note,
              status,
              integer(next, 0, 1200),
              market.ago(60 * DAY),
              market.ago(integer(next, 5, 4000)),
            ],
          };
        }),
    ),
  );
}

const COIN_ORDER_COLUMNS = columns(
  `order_id bigint, offer_id bigint, lots int, lot_units bigint, unit text, delivery smallint, area_id int, role_name text, role_level int,
  auction_item text, delivered_units bigint, delivered_at timestamptz`,
);

const ROLES = ['剑影无痕', '月下独酌', '北城以北', '清风徐来', '一念成佛', '云深不知处'] as const;

function orderOf(buyer: Person, offer: Offer, num: number, end: PlainEnd, ago: number, salt: number): PlainOrder {
  const { game, area, lotUnits } = offer;
  const role = ROLES[salt % ROLES.length] ?? '剑影无痕';
  const total = coinText(lotUnits * num, game.coinUnit);
  return {
    typeId: OrderType.QuickCoin,
    gameId: game.id,
    buyer,
    seller: offer.shop.person,
    unitFen: offer.lotPriceFen,
    num,
    offerSn: offer.sn,
    snapshot: {
      title: `${game.name} ${area.name} ${coinText(lotUnits, game.coinUnit)}/份`,
      gameCode: game.code,
      gameName: game.name,
      areaName: area.name,
      serverName: '',
      attrs: {},
      picture: null,
      fieldsVersion: 1,
      facts: [
        { label: '数量', value: total },
        { label: '份数', value: `${num} 份，每份 ${coinText(lotUnits, game.coinUnit)}` },
        { label: '交货方式', value: deliveryName(offer.delivery[0] ?? 1) },
        { label: '收货角色', value: `${role}，110 级` },
      ],
      shipSeconds: offer.shipMinutes * 60,
      handoverType: 2,
    },
    end,
    ago,
  };
}

/** Stores planned orders with their coin details. */
async function storePlanned(
  market: Market,
  planned: readonly { offer: Offer; order: PlainOrder }[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const { ids, dated } = await storePlainOrders(
    market,
    planned.map(({ order }) => order),
    settings,
    orderIds,
  );
  await insertRows(
    market.client,
    'quick_coin_order',
    COIN_ORDER_COLUMNS,
    planned.map(({ offer, order }, i) => {
      const delivery = offer.delivery[0] ?? 1;
      const done = order.end === 'shipped' || order.end === 'completed';
      return [
        ids[i],
        offer.id,
        order.num,
        offer.lotUnits,
        offer.game.coinUnit,
        delivery,
        offer.area.id,
        ROLES[i % ROLES.length],
        110,
        delivery === 2 ? '无色小晶块' : null,
        done ? offer.lotUnits * order.num : 0,
        done ? market.ago(order.ago - 20) : null,
      ];
    }),
  );
  return dated;
}

/** Orders of coin: the demo buyer's and the demo shop's in every state, and a history of others. */
async function storeOrders(
  market: Market,
  people: readonly Person[],
  offers: readonly Offer[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const [buyer, seller] = people;
  if (!buyer || !seller) return [];
  const own = offers.filter(({ shop }) => shop.person === seller);
  const others = offers.filter(({ shop }) => shop.person !== seller && shop.person !== buyer);
  const at = (list: readonly Offer[], i: number): Offer => list[i % list.length] as Offer;
  const states: [PlainEnd, number][] = [
    ['unpaid', 6],
    ['paid', 9],
    ['shipped', 95],
    ['completed', 2 * DAY],
    ['completed', 20 * DAY],
    ['cancelled', 5 * DAY],
  ];
  const strangers = people.slice(6, 60).filter((p) => p.verified);
  const planned: { offer: Offer; order: PlainOrder }[] = [
    ...states.map(([end, ago], i) => ({ offer: at(others, i * 7), end, ago, who: buyer, num: i + 2 })),
    ...states.map(([end, ago], i) => ({
      offer: at(own, i * 3),
      end,
      ago: ago + 3,
      who: strangers[i] ?? buyer,
      num: i + 3,
    })),
    ...Array.from({ length: 90 }, (_, i) => {
      const next = random(mixSeed(market.seed, i, 64));
      const offer = at(offers, integer(next, 0, offers.length - 1));
      return {
        offer,
        end: 'completed' as const,
        ago: integer(next, 300, 80 * DAY),
        who: strangers[i % strangers.length] ?? buyer,
        num: integer(next, 1, 12),
      };
    }),
  ]
    .filter(({ offer, who }) => offer.shop.person !== who)
    .toSorted((a, b) => b.ago - a.ago)
    .map(({ offer, who, num, end, ago }, i) => ({ offer, order: orderOf(who, offer, num, end, ago, i) }));
  return await storePlanned(market, planned, settings, orderIds);
}

/** The demo market's coin: shops in every state, their offers, ninety days of ratio, and orders of both sides. Returns the postings. */
export async function storeCoins(
  market: Market,
  people: readonly Person[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const { client } = market;
  const merchants = people
    .filter((p) => p.index > 5 && p.verified && p.distId === PLATFORM_DIST_ID)
    .slice(0, SHOP_NAMES.length + 1);
  const owners = [people[1], ...merchants].filter((p) => p !== undefined);
  const ids = await reserveIds(client, 'provider', owners.length);
  const rows = shopRows(market, owners, ids);
  await insertRows(client, 'provider', PROVIDER_COLUMNS, rows);
  const shops = owners
    .slice(0, SHOP_NAMES.length)
    .map((person, i): Shop => ({ id: ids[i] ?? 0, person, games: gamesOf(market, person, i) }));
  const deposits = await storeDeposits(market, shops);
  const planned = planOffers(market, shops);
  const offerIds = await reserveIds(client, 'quick_coin_offer', planned.length);
  await insertRows(
    client,
    'quick_coin_offer',
    OFFER_COLUMNS,
    planned.map(({ row }, i) => row(offerIds[i] ?? 0)),
  );
  await storeRatios(
    market,
    planned.map(({ offer }) => offer),
  );
  const offers = planned.map(({ offer }, i) => ({ ...offer, id: offerIds[i] ?? 0 }));
  const orders = await storeOrders(market, people, offers, settings, orderIds);
  market.print(`金币店铺 ${shops.length} 家，报价 ${offers.length} 个`);
  return [...deposits, ...orders];
}
