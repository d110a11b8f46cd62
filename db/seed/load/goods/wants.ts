import { WantStatus } from '#subjects/offers/rules/want.ts';
import { OrderType, orderTypeNames } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import { addDetails, type Conditions } from '#subjects/goods/server/search/filters.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { mixSeed, random, integer } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { MarketGoods } from './market-goods.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';
import { gameOf } from './values.ts';

const WANT_COLUMNS = columns(
  `id bigint, sn text, user_id bigint, dist_id int, game_id int, type_id smallint, title text, filter jsonb, budget_fen bigint, words text>tsquery,
  ranges jsonb, at_least jsonb, status smallint, created_at timestamptz, updated_at timestamptz`,
);
const STRANGERS = 90;
const DAY = 1440;
const SALT = 61;

const TEXTS = ['诚心收，价格合适马上拍', '要能换绑的，急', '平台验号的优先', '预算有限，可以小刀', '长期收，多个都要'];

interface Wanted {
  buyer: Person;
  like: MarketGoods;
  percent: number;
  status: number;
  agoMinutes: number;
  narrow: boolean;
  text: string;
}

/** A filter that goods like these fit: the first of the game's fields with one choice. */
function filterOf(goods: MarketGoods, narrow: boolean): { details: Record<string, unknown>; text: string | null } {
  const { gameId, goodsTypeId, attrs } = goods.seed;
  const fields = gameOf(gameId).fields as readonly Field[];
  const field = fields.find(
    (f) =>
      f.kind === 'single' &&
      f.filterable &&
      f.inCard &&
      f.goodsTypes.includes(goodsTypeId) &&
      (attrs as Record<string, unknown>)[f.key] !== undefined,
  );
  if (!field || !narrow) return { details: {}, text: null };
  const details = { [field.key]: (attrs as Record<string, unknown>)[field.key] };
  const into: Conditions = { exact: [], coarse: [], ranges: [], atLeast: [] };
  addDetails(fields, details, into);
  return { details, text: into.exact.join(' & ') };
}

function rowOf(market: Market, id: number, w: Wanted): unknown[] {
  const { gameId, goodsTypeId, priceFen } = w.like.seed;
  const { details, text } = filterOf(w.like, w.narrow);
  const typeName = gameOf(gameId).goodsTypes.find((t) => t.id === goodsTypeId)?.name ?? '商品';
  const at = market.ago(w.agoMinutes);
  return [
    id,
    `Q${readableCode(10)}`,
    w.buyer.id,
    w.buyer.distId,
    gameId,
    goodsTypeId,
    `求${gameOf(gameId).name}${typeName}，${w.text}`,
    details,
    Math.max(1000, Math.round((priceFen * w.percent) / 10_000) * 100),
    text,
    [],
    [],
    w.status,
    at,
    at,
  ];
}

/** Plans the demo buyer's wants, in every state, and other users' wants of the games that are traded most. */
function plan(market: Market, people: readonly Person[], goods: readonly MarketGoods[]): Wanted[] {
  const [buyer] = people;
  const accounts = goods.filter(
    (g) => g.status === GoodsStatus.OnSale && g.seed.goodsTypeId === OrderType.Account && g.seed.priceFen >= 10_000,
  );
  const strangers = people.filter((p) => p.verified && !p.merchant && p.index > 5);
  const next = random(mixSeed(market.seed, 1, SALT));
  const out: Wanted[] = [];
  const scenes = [
    { percent: 130, status: WantStatus.Open, agoMinutes: 3 * DAY, narrow: true },
    { percent: 8, status: WantStatus.Open, agoMinutes: 300, narrow: true },
    { percent: 110, status: WantStatus.Closed, agoMinutes: 20 * DAY, narrow: false },
    { percent: 120, status: WantStatus.Met, agoMinutes: 12 * DAY, narrow: false },
  ];
  for (const [i, scene] of scenes.entries()) {
    const like = accounts[i * 11];
    if (buyer && like) out.push({ buyer, like, text: TEXTS[i % TEXTS.length] ?? '', ...scene });
  }
  for (let i = 0; i < STRANGERS; i++) {
    const like = accounts[integer(next, 0, accounts.length - 1)];
    const stranger = strangers[integer(next, 0, strangers.length - 1)];
    if (!like || !stranger) continue;
    const text = TEXTS[integer(next, 0, TEXTS.length - 1)] ?? '';
    const rest = {
      percent: integer(next, 60, 115),
      status: WantStatus.Open,
      agoMinutes: integer(next, 20, 20 * DAY),
      narrow: i % 3 === 0,
    };
    out.push({ buyer: stranger, like, text, ...rest });
  }
  // Some wants for other types, so that every commonly used publishing form shows demand.
  const others = new Map<string, MarketGoods[]>();
  for (const g of goods) {
    if (g.status !== GoodsStatus.OnSale || g.seed.goodsTypeId === OrderType.Account) continue;
    const key = `${g.seed.gameId}:${g.seed.goodsTypeId}`;
    others.set(key, [...(others.get(key) ?? []), g]);
  }
  for (const [i, [, list]] of [...others].entries())
    for (let n = 0; n < 1 + (i % 3); n++) {
      const like = list[integer(next, 0, list.length - 1)];
      const stranger = strangers[integer(next, 0, strangers.length - 1)];
      if (!like || !stranger || i % 5 === 4) continue;
      const rest = {
        percent: integer(next, 70, 115),
        status: WantStatus.Open,
        agoMinutes: integer(next, 20, 15 * DAY),
        narrow: false,
      };
      out.push({ buyer: stranger, like, text: TEXTS[i % TEXTS.length] ?? '', ...rest });
    }
  return out.sort((a, b) => b.agoMinutes - a.agoMinutes);
}

/** Wants of the demo buyer in every state and of strangers, with what fits them; and the demo buyer's saved searches. */
export async function storeWants(
  market: Market,
  people: readonly Person[],
  goods: readonly MarketGoods[],
): Promise<void> {
  const { client } = market;
  const wants = plan(market, people, goods);
  const ids = await reserveIds(client, 'want', wants.length);
  await insertRows(
    client,
    'want',
    WANT_COLUMNS,
    wants.map((w, i) => rowOf(market, ids[i] ?? 0, w)),
  );
  await client.query(
    `insert into want_match (want_id, goods_id, price_fen, matched_at)
      select w.id, m.goods_id, m.price_fen, least(now(), m.refreshed_at) from want w cross join lateral (
        select s.goods_id, s.price_fen, s.refreshed_at from goods_search s
        where s.game_id = w.game_id and s.type_id = w.type_id and s.price_fen <= w.budget_fen and s.seller_id <> w.user_id
          and (w.words is null or s.tsv @@ w.words) order by s.refreshed_at desc limit 12) m where w.status = ${WantStatus.Open}`,
  );
  const buyer = people[0];
  if (!buyer) return;
  await client.query(
    `update want set met_order_id = (select id from orders where buyer_id = $1 and status = ${OrderStatus.Completed} order by id desc limit 1) where user_id = $1 and status = ${WantStatus.Met}`,
    [buyer.id],
  );
  const game =
    goods.find((g) => g.status === GoodsStatus.OnSale && g.seed.goodsTypeId === OrderType.Account)?.seed.gameId ?? 2;
  const title = `${gameOf(game).name} 账号`;
  await client.query(
    `insert into alert (user_id, dist_id, kind, frequency, paused, title, path, game_id, type_id, max_fen, created_at) values
      ($1, $2, 'search', 'now', false, $3 || ' 全包价 ≤ 800', '/wares?gt=1&gid=' || $4 || '&max=800', $4::int, 1, 80000, $5),
      ($1, $2, 'search', 'daily', true, $3, '/wares?gt=1&gid=' || $4, $4::int, 1, null, $6)`,
    [buyer.id, buyer.distId, title, String(game), market.ago(4 * DAY), market.ago(15 * DAY)],
  );
  // Strangers follow searches of the games that are wanted most.
  await client.query(
    `insert into alert (user_id, dist_id, kind, frequency, paused, title, path, game_id, type_id, max_fen, created_at)
      select u.id, u.dist_id, 'search', 'daily', false, (select name from game where id = w.game_id) || ' ' || coalesce($2::jsonb->>w.type_id::text, ''), '/wares?gt=' || w.type_id || '&gid=' || w.game_id, w.game_id, w.type_id, null,
        now() - interval '6 days'
      from (select game_id, type_id, row_number() over (order by count(*) desc, game_id) as place from want where status = ${WantStatus.Open} group by game_id, type_id) w
      join lateral (select id, dist_id from app_user where id % 17 = w.place % 17 and id <> $1 order by id limit (2 + w.place % 7)) u on w.place <= 40`,
    [buyer.id, JSON.stringify(orderTypeNames)],
  );
  await client.query(
    `insert into alert_match (alert_id, goods_id, price_fen, pushed_at, matched_at)
      select a.id, s.goods_id, s.price_fen, s.refreshed_at, s.refreshed_at from alert a cross join lateral (
        select goods_id, price_fen, refreshed_at from goods_search where game_id = a.game_id and type_id = a.type_id
          and price_fen <= coalesce(a.max_fen, price_fen) order by refreshed_at desc limit 6) s where not a.paused`,
  );
}
