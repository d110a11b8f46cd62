import { BOARD, MAGAZINE } from '#subjects/distributors/rules/home-layout.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import { getNews } from '#subjects/content/contract/content.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { distEnsureList, latestDealRecord } from '#subjects/orders/contract/site-figures.ts';
import {
  currentdayDealGoodsList,
  type GoodsCard,
  getGoodsList,
  mostViewGoodsList,
} from '#subjects/goods/contract/goods.ts';
import { distCount } from '#subjects/orders/contract/order.ts';
import { isFairPrice, isFirstScreenPrice } from '#subjects/valuation/rules/price-reference.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { indexLayout } from '#web/lib/pages/layout-data.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { organizationLd } from '#web/lib/pages/json-ld.ts';
import { loginPath } from '#web/lib/pages/paths.ts';
import { entryOf } from '#web/lib/pages/url-map.ts';

/** Two rows of ten on wide screens; fewer games fill one row. */
const HOT_GAMES = 20;
const GAMES_PER_ROW = 10;
const SALES = 10;
const PICKS = 10;
/** Number of listings searched for well-priced ones. */
const PICKED_FROM = 50;
/** Maximum number of picks per game, so that no game fills them alone. */
const PICKS_PER_GAME = 2;
const VIEWED = 5;
const MARKET_ROWS = 8;
/** The article that explains one trade, step by step. */
const ONE_TRADE = 'handover';
const NOTICES = 3;
const SHELVES = 4;
const ROWS = 14;
/** Factor by which more listings are read than shown, because outliers and expensive ones are dropped. */
const READ_TIMES = 2;
/** Positions of adverts on the home page: among the notices, and the banner with a picture. */
const NOTICE_ADVERTS = 'home_notice';
const BANNER_ADVERTS = 'home_banner';

/** The price compared with the reference in percent; 0 if that is meaningless. */
const diffOf = ({ band }: GoodsCard): number => band?.diffPercent ?? 0;

/** Inspected listings somewhat below their reference, the largest discount first. */
function fairOnes(goods: readonly GoodsCard[]): GoodsCard[] {
  const perGame = new Map<number, number>();
  return goods
    .filter(({ band }) => isFairPrice(band))
    .toSorted((a, b) => diffOf(a) - diffOf(b))
    .filter(({ gameId }) => {
      const count = perGame.get(gameId) ?? 0;
      perGame.set(gameId, count + 1);
      return count < PICKS_PER_GAME;
    })
    .slice(0, PICKS);
}

/** How long an inspection counts as fresh. */
const FRESH_MS = 14 * 86_400_000;
const FRESH = 3;

/** The latest inspected listings of different games whose price is in the middle half of comparable sales, the latest first. */
function freshOnes(goods: readonly GoodsCard[]): GoodsCard[] {
  const games = new Set<number>();
  const age = ({ inspectedTime }: GoodsCard) => Date.now() - Date.parse(inspectedTime ?? '');
  const isUsual = ({ band, price }: GoodsCard) =>
    !band || (fenOf(price) >= fenOf(band.low) && fenOf(price) <= fenOf(band.high));
  return goods
    .filter((one) => one.inspectedTime && age(one) < FRESH_MS && isUsual(one))
    .toSorted((a, b) => age(a) - age(b))
    .filter(({ gameId }) => !games.has(gameId) && games.add(gameId))
    .slice(0, FRESH);
}

/** The brand's own games first, in its order; then ranked ones, then the others by number of listings. */
function hottest<T extends { id: number; hot: number; onSale: number }>(games: readonly T[], recGameStr: string): T[] {
  const own = recGameStr.split(',').map(Number);
  const rankOf = ({ id }: T) => (own.includes(id) ? own.indexOf(id) : own.length);
  return games.toSorted((a, b) => rankOf(a) - rankOf(b) || byHeat(a, b));
}

/** Ranked games first, in their order; then the others by number of listings. */
function byHeat(a: { hot: number; onSale: number }, b: { hot: number; onSale: number }): number {
  const rank = (game: { hot: number }) => game.hot || Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b) || b.onSale - a.onSale;
}

/** As many games as fill whole rows of the grid; a single row may be incomplete. */
function wholeRows<T>(games: readonly T[]): readonly T[] {
  return games.length < GAMES_PER_ROW ? games : games.slice(0, games.length - (games.length % GAMES_PER_ROW));
}

/** The ways to trade, each with its count. */
function modesOf(onSale: number | null) {
  return [
    {
      icon: 'buy',
      label: '买号',
      to: '/wares?gt=1',
      note: onSale ? `${grouped(onSale)} 件在售` : '验号结果看得见',
    },
    { icon: 'sell', label: '卖号', to: '/center/sell', note: '先看到手价' },
    { icon: 'recycle', label: '回收', to: '/recycle', note: '10 分钟竞价' },
    { icon: 'value', label: '估价', to: '/gj-wzry', note: '按真实成交' },
    { icon: 'middle', label: '担保中介', to: '/intermediary/intermediary', note: '谈好了，平台收付' },
    { icon: 'coin', label: '极速金币', to: '/fastGold/fastGoldOrder', note: '按量下单' },
  ];
}

/** Extra data of a layout: a row for each of the first games, or the newest listings as rows. */
async function loadExtras(call: ReturnType<typeof market>['call'], layout: number, games: readonly Game[]) {
  const newest = (query: { gameId?: number; pageSize: number }) =>
    optional(call(getGoodsList, { sort: 'newest', ...query, pageSize: query.pageSize * READ_TIMES })).then((page) =>
      (page?.list ?? []).filter(({ band }) => isFirstScreenPrice(band)).slice(0, query.pageSize),
    );
  const shelves =
    layout === MAGAZINE
      ? await Promise.all(
          games
            .slice(0, SHELVES)
            .map(async (game) => ({ game, list: await newest({ gameId: game.id, pageSize: VIEWED }) })),
        )
      : [];
  return { shelves, rows: layout === BOARD ? await newest({ pageSize: ROWS }) : [] };
}

/** Whether a link has a target: external links always, internal ones when the page exists. */
function leads(url: string): boolean {
  return /^https?:/.test(url) || entryOf(url.split('?')[0] ?? url) !== undefined;
}

interface Game {
  id: number;
  name: string;
  hue: number;
  icon: string;
  onSale: number;
}

export async function loader(args: LoaderFunctionArgs) {
  const { call, user, brand, device } = market(args);
  const layout = indexLayout(args);
  const [counts, hot, sales, fair, viewed, prices, guarantees, news, guides, adverts] = await Promise.all([
    optional(call(distCount, {})),
    optional(call(gameList, {})),
    optional(call(latestDealRecord, { pageSize: SALES })),
    optional(call(getGoodsList, { inspected: '1', ensureOpen: '1', pageSize: PICKED_FROM })),
    optional(call(mostViewGoodsList, { pageSize: VIEWED })),
    optional(call(currentdayDealGoodsList, { pageSize: MARKET_ROWS })),
    optional(call(distEnsureList, {})),
    optional(call(getNews, { pageSize: NOTICES })),
    optional(call(getNews, { category: 'guide', pageSize: 10 })),
    optional(call(getDistGamedsAdverList, { gameId: 0, device: device === 'phone' ? 1 : 0 })),
  ]);
  const advertsAt = (position: string) =>
    (adverts?.list ?? []).filter((advert) => advert.position === position && leads(advert.htUrl)).slice(0, NOTICES);
  const games: Game[] = wholeRows(
    hottest(
      (hot?.list ?? []).filter(({ isCollection }) => !isCollection),
      brand.distBaseConf.recGameStr,
    ).slice(0, HOT_GAMES),
  ).map(({ id, name, hue, icon, onSale }) => ({ id, name, hue, icon, onSale }));
  return {
    layout,
    counts,
    games,
    ...(await loadExtras(call, layout, games)),
    sales: sales?.list ?? [],
    fair: fairOnes(fair?.list ?? []),
    fresh: freshOnes(fair?.list ?? []),
    viewed: viewed?.list ?? [],
    prices: prices?.list ?? [],
    guarantees: guarantees?.list ?? [],
    notices: (news?.list ?? [])
      .slice(0, NOTICES)
      .map(({ code, title, publishTime }) => ({ to: `/news/${code}`, title, time: publishTime })),
    adverts: advertsAt(NOTICE_ADVERTS),
    banners: advertsAt(BANNER_ADVERTS),
    modes: modesOf(counts?.onSale ?? null),
    me: user && { nickName: user.nickName, avatar: user.avatar, unread: user.unread, coin: user.coin },
    login: loginPath(args.url),
    jsonLd: organizationLd({
      origin: args.url.origin,
      name: brand.distBaseConf.websiteName,
      desc: brand.distBaseConf.websiteDesc,
      phone: brand.customerBlock.serviceNum,
    }),
    guideTo: guides?.list.some(({ code }) => code === ONE_TRADE) ? `/news/${ONE_TRADE}` : null,
  };
}

export type HomeData = Awaited<ReturnType<typeof loader>>;
