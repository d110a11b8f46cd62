import { isService } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { accountIdentity } from '#server/kernel/account-identity.ts';
import { derivedToken, encrypt, sha256 } from '#server/kernel/secrets/crypto.ts';
import { GAMES } from '#db/catalogue/index.ts';
import type { GameSeed } from '#db/catalogue/types.ts';
import { mixSeed, random, integer } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { MarketGoods } from '../goods/market-goods.ts';
import { type Market, staffId } from '../market.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;
const ACCOUNT = 1;
/** Services have no price for a limited time. */
/** Games of which they buy accounts, in addition to the coin of other games. */
const ACCOUNT_GAMES = new Set(['wzry', 'hpjy', 'ys', 'dnf']);
const RECYCLERS = ['安心回收', '云顶回收', '老韩回收站'] as const;

const PROVIDER_COLUMNS = columns(
  `id bigint, dist_id int, user_id bigint, kind text, status text, name text, intro text, games text>int[], contact_enc bytea, deposit_level smallint,
  reviewed_by bigint, reviewed_at timestamptz, done_count int, created_at timestamptz`,
);
const OFFER_COLUMNS = columns(
  `sn text, recycler_id bigint, game_id int, area_id int, unit text, lot_units bigint, lot_price_fen bigint, wanted_lots int, min_lots int,
  delivery text>smallint[], status smallint`,
);

/** Applications of recyclers; an approved one becomes a recycler by a trigger. The last one is pending. */
async function storeApplications(market: Market, people: readonly Person[]): Promise<void> {
  const ids = await reserveIds(market.client, 'provider', people.length);
  const coinGames = GAMES.filter((g) => (g.coinUnit && g.coinRatio) || ACCOUNT_GAMES.has(g.code)).map((g) => g.id);
  await insertRows(
    market.client,
    'provider',
    PROVIDER_COLUMNS,
    people.map((p, i) => {
      const next = random(mixSeed(market.seed, p.id, 71));
      const isPending = i >= RECYCLERS.length;
      const id = ids[i] ?? 0;
      return [
        id,
        1,
        p.id,
        'recycler',
        isPending ? 'reviewing' : 'approved',
        RECYCLERS[i] ?? '阿川收金',
        '常年收各区金币，余额充足，卖家提交即付款到托管。',
        `{${(isPending ? coinGames.slice(0, 3) : coinGames).join(',')}}`,
        encrypt(market.keys, `provider.contact_enc:${id}`, `QQ ${integer(next, 100_000_000, 999_999_999)}`),
        1,
        isPending ? null : staffId(market, 'shenhe'),
        isPending ? null : market.ago(60 * DAY),
        isPending ? 0 : integer(next, 20, 400),
        market.ago(isPending ? 200 : 61 * DAY),
      ];
    }),
  );
}

/** Admits the recyclers, and returns them. The demo buyer has the money to be one of them. */
export async function storeRecyclers(market: Market, people: readonly Person[]): Promise<Person[]> {
  const first = people[0];
  const others = people.filter((p) => p.index > 100 && p.verified).slice(0, RECYCLERS.length);
  const everybody = [first, ...others].filter((p) => p !== undefined);
  await storeApplications(market, everybody);
  return everybody.slice(0, RECYCLERS.length);
}

/** Stores the coin offers of recyclers: a tenth below what shops sell it for. */
async function storeCoinOffers(market: Market, recyclers: readonly Person[]): Promise<void> {
  const offers = GAMES.flatMap((game, g) => {
    const { coinRatio, coinUnit } = game;
    if (!coinRatio || !coinUnit) return [];
    return game.areas.slice(0, 3).flatMap((area, a) =>
      recyclers.map((p, i) => {
        const next = random(mixSeed(market.seed, p.id * 17 + area.id, 72));
        const units = Math.max(1, Math.round(coinRatio * 20));
        const fen = Math.round(1800 * (0.94 + next() * 0.08));
        return [
          `RC${i}${g}${a}${area.id}`,
          p.id,
          game.id,
          area.id,
          coinUnit,
          units,
          fen,
          integer(next, 5, 300),
          1,
          next() < 0.5 ? '{1}' : '{1,3}',
          i === 0 && g % 4 === 1 && a === 2 ? 2 : 1,
        ];
      }),
    );
  });
  await insertRows(market.client, 'recycle_coin_offer', OFFER_COLUMNS, offers);
}

const SALE_COLUMNS = columns(
  'goods_id bigint, goods_version int, price_fen bigint, was_fen bigint, left_num int, starts_at timestamptz, ends_at timestamptz',
);

/** Some of the demo seller's goods, and of others, at a price for a limited time. */
async function storeSales(market: Market, goods: readonly MarketGoods[], seller: Person | undefined): Promise<void> {
  const old = goods.filter(
    (g) => g.status === GoodsStatus.OnSale && g.seed.createdAgoMinutes > 8 * DAY && !isService(g.seed.goodsTypeId),
  );
  const own = old.filter((g) => g.sellerId === seller?.id).slice(0, 4);
  const others = old.filter((g) => g.sellerId !== seller?.id).slice(0, 20);
  const chosen = new Map([...own, ...others].map((g) => [g.id, g]));
  await insertRows(
    market.client,
    'time_sale',
    SALE_COLUMNS,
    [...chosen.values()]
      .map((g, i) => {
        const price = Math.max(100, Math.round((g.seed.priceFen * 0.85) / 100) * 100);
        const starts = i % 5 === 4 ? market.ago(-180) : market.ago(90);
        return [g.id, 1, price, g.seed.priceFen, 1, starts, new Date(starts.getTime() + (10 + i) * 3_600_000)];
      })
      .filter((row) => Number(row[2]) < Number(row[3])),
  );
}

const DEAL_COLUMNS = columns(
  `sn text, dist_id int, opener_id bigint, opener_belong smallint, game_id int, type_id smallint, server_id int, fingerprint bytea, account_near bytea, account_hint text, title text, description text, price_fen bigint, fee_side text,
  fee_fen bigint, link_hash bytea, status text, expires_at timestamptz, created_at timestamptz`,
);

function gameWithCode(code: string): GameSeed {
  const game = GAMES.find((g) => g.code === code);
  if (!game) throw new RangeError(`no game ${code}`);
  return game;
}

/** Private deals of the demo log-ins that are waiting for the other party or have failed. */
async function storePrivateDeals(market: Market, people: readonly Person[]): Promise<void> {
  const [buyer, seller] = people;
  if (!buyer || !seller) return;
  const rows = [
    [buyer.id, 1, 'ys', '原神 60 级账号，双五星', '先验号，再换绑手机与邮箱', 120_000, 'half', 'waiting', 60],
    [
      seller.id,
      0,
      'wzry',
      '王者荣耀 V8，典藏两款',
      '付款后 2 小时内交付，换绑密保手机',
      168_000,
      'buyer',
      'waiting',
      200,
    ],
    [seller.id, 0, 'hpjy', '和平精英枪皮账号', '', 88_000, 'seller', 'expired', 5 * DAY],
    [buyer.id, 1, 'xtlbb', '新天龙八部角色账号一个', '换绑完成后确认', 45_000, 'half', 'withdrawn', 8 * DAY],
  ] as const;
  await insertRows(
    market.client,
    'middleman_deal',
    DEAL_COLUMNS,
    rows.map(([opener, belong, code, title, text, fen, side, status, ago], i) => {
      const game = gameWithCode(code);
      const serverId = game.areas[0]?.servers[0]?.id ?? null;
      const sn = `MMDEMO000${i + 1}`;
      // A buyer who opens a deal does not know the account yet.
      const account = belong === 1 ? null : accountIdentity(market.keys, game.id, `deal-${sn}`);
      const hash = sha256(derivedToken(market.keys, sn, 'middleman'));
      const fee = Math.round(fen * 0.03);
      return [
        sn,
        1,
        opener,
        belong,
        game.id,
        ACCOUNT,
        serverId,
        account?.print ?? null,
        account?.near ?? null,
        account?.hint ?? null,
        title,
        text,
        fen,
        side,
        fee,
        hash,
        status,
        market.ago(ago - 3 * DAY),
        market.ago(ago),
      ];
    }),
  );
}

/** Trades of the demo market apart from listings: recyclers of coin, limited-time prices, private deals. */
export async function storeSideTrades(
  market: Market,
  people: readonly Person[],
  goods: readonly MarketGoods[],
  recyclers: readonly Person[],
): Promise<void> {
  await storeCoinOffers(market, recyclers);
  await storeSales(market, goods, people[1]);
  await storePrivateDeals(market, people);
}
