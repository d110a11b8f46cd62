import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { distEnsureList } from '#subjects/orders/contract/site-figures.ts';
import { accountTypes, isGameCoin } from '#contract/rules/catalogue.ts';
import { coinRatioHistory } from '#subjects/quick-coin/contract/quick-coin.ts';
import { getAvGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { lookBargaGoodsList } from '#subjects/offers/contract/offers.ts';
import { distCount } from '#subjects/orders/contract/order.ts';
import { serviceOffer } from '#subjects/services/contract/services.ts';
import { goodsQuestions } from '#subjects/questions/contract/question.ts';
import { sellerReviews } from '#subjects/reviews/contract/review.ts';
import { timeSaleInfo } from '#subjects/time-sale/contract/time-sale.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { type LoadContext, market, optional } from '#web/lib/pages/context.ts';
import { listPath, parseList } from '#web/lib/lists/list-query.ts';
import type { SearchState } from '#web/lib/lists/search-state.ts';
import { withServerOnlyData } from '#web/lib/loading/served-part.tsx';
import { closedOf } from './closed.ts';
import { structuredData } from './structured-data.ts';

/** URL of the same page for phones; search engines are referred to the canonical one. */
const PHONE_PATH = '/h/goodsDetail/';
/** Number of adverts of the game. */
const ADVERTS = 2;
/** Number of similar listings. */
const SIMILAR = 5;
/** Number of questions of the first page. */
const QUESTIONS = 5;
/** Number of reviews. */
const REVIEWS = 3;
/** The fields of each. */
const SIMILAR_CHIPS = 2;

/** The latest reviews of a listing that is sold more than once, or of its seller; null when they cannot be loaded. */
async function reviewsFor(call: LoadContext['call'], goods: Data<typeof goodsInfo>) {
  const query = { sellerId: goods.seller.sellerId, pageSize: REVIEWS };
  const isStock = !accountTypes.includes(goods.goodsTypeId);
  const own = isStock ? await optional(call(sellerReviews, { ...query, goodsSn: goods.goodsSn })) : null;
  const isOwn = own !== null && own.counts.all > 0;
  const read = isOwn ? own : await optional(call(sellerReviews, query));
  return read && { ofGoods: isOwn, counts: read.counts, goodRate: read.goodRate, list: read.list };
}

/**
 * The fields of similar listings that the page renders: a full card is three times as large, and loader data is sent in addition to the
 * markup.
 */
const similarOf = (list: Data<typeof getAvGoodsList>['list'], ownSn: string) =>
  list
    .filter(({ goodsSn }) => goodsSn !== ownSn)
    .map(({ goodsSn, hue, thumbnail, pageUrl, bigTitle, allInPrice, chips }) => {
      return { goodsSn, hue, thumbnail, pageUrl, bigTitle, allInPrice, chips: chips.slice(0, SIMILAR_CHIPS) };
    });

/** Coupons that the viewer can use or claim. */
const discountsOf = (list: Data<typeof findDiscount>['list']) =>
  list
    .filter(({ usable, received }) => usable || !received)
    .map(({ name, code, couponId, kindName, amount, minimum, takes, usable, reason, received }) => {
      return { name, code, couponId, kindName, amount, minimum, takes, usable, reason, received };
    });

/** The lists that a listing leads back to; from an official one (`isOfficialSell`) to official ones. */
function pathsOf(goods: Data<typeof goodsInfo>, isOfficial: boolean) {
  const query = { gid: String(goods.gameId), gt: String(goods.goodsTypeId), ...(isOfficial && { official: '1' }) };
  const list = parseList(new URLSearchParams(query));
  return {
    search: searchOf(goods),
    gameList: listPath(list),
    typeList: listPath({ ...list, gid: null }),
    sellerList: listPath({ ...list, gid: null, gt: null, sellerId: goods.seller.sellerId }),
  };
}

/** A link may claim that a listing is sold by the platform; a false claim is removed. */
function officialOf(url: URL, isOfficialSell: boolean): boolean | Response {
  const claim = url.searchParams.get('isOfficialSell');
  if (claim === null || (claim === '1') === isOfficialSell) return claim === '1';
  const query = new URLSearchParams(url.searchParams);
  query.delete('isOfficialSell');
  return redirect(`${url.pathname}${query.size > 0 ? `?${query}` : ''}`);
}

const searchOf = (goods: Data<typeof goodsInfo>): SearchState => ({
  game: { id: goods.gameId, name: goods.gameName },
  area: null,
  server: null,
  typeId: goods.goodsTypeId,
  keyWord: '',
});

/** The brand's name where the listing was published on this brand's site. */
const ownSiteOf = ({ distId }: { distId: number }, brand: LoadContext['brand']): string | null =>
  distId === brand.distId && distId !== PLATFORM_DIST_ID ? brand.distBaseConf.websiteName : null;

/** A listing's fields that the page's scripts use, and those that are only displayed. */
function partsOf(goods: Data<typeof goodsInfo>) {
  const { attrs, inspection, handover, ruledOut, history, comparables, sales, description, source, seller, ...rest } =
    goods;
  const { crossId: _, ensureFrom: _e, distId: _d, securitService: _s, updateTime: _u, serverId: _i, ...live } = rest;
  return {
    live: { ...live, hasInspection: inspection.length > 0 },
    read: { attrs, inspection, handover, ruledOut, history, comparables, sales, description, source, seller },
  };
}

/** The data for choosing guarantees, and their terms, which are only displayed. */
function guaranteesOf(list: Data<typeof distEnsureList>['list']) {
  return {
    chosen: list.map(({ id, kind, name, rateText, baseText, rateBp, minimum, coverText, exclusions }) => {
      return { id, kind, name, rateText, baseText, rateBp, minimum, coverText, exclusions };
    }),
    terms: list.map(({ id, name, rateText, pays, reasons, parts }) => ({ id, name, rateText, pays, reasons, parts })),
  };
}

function bargainOf({ offers, highest, floor, triesLeft, serviceFeeBp, mine }: Data<typeof lookBargaGoodsList>) {
  return { offers, highest, floor, triesLeft, serviceFeeBp, mine };
}

export async function loader(args: LoaderFunctionArgs) {
  const { call, brand, user, device, isDocument } = market(args);
  const { sn } = args.params;
  // Without a number the URL means the list of that type.
  if (!sn) return redirect(args.url.pathname.startsWith('/JDetail') ? '/wares?gt=2' : '/wares');
  if (!/^[A-Za-z0-9-]{1,32}$/.test(sn)) notFound();
  const goods = await call(goodsInfo, { goodsSn: sn });
  // Coins and ingots have their own path; a listing is served on its path only, and on the phones' path.
  const isPhones = args.url.pathname.startsWith(PHONE_PATH);
  if (!isPhones && goods.pageUrl && args.url.pathname !== goods.pageUrl) return redirect(goods.pageUrl, 301);
  const isOfficial = officialOf(args.url, goods.isOfficialSell);
  if (typeof isOfficial !== 'boolean') return isOfficial;
  const loaded = await Promise.all([
    goods.ensureOpen ? optional(call(distEnsureList, { gameId: goods.gameId, goodsTypeId: goods.goodsTypeId })) : null,
    optional(call(getAvGoodsList, { goodsSn: sn, pageSize: SIMILAR })),
    optional(call(distCount, {})),
    optional(call(findDiscount, { goodsSn: sn })),
    user && goods.bargainOpen ? optional(call(lookBargaGoodsList, { goodsSn: sn, pageSize: 5 })) : null,
    goods.coin && isGameCoin(goods.goodsTypeId) && goods.areaId !== null
      ? optional(call(coinRatioHistory, { gameId: goods.gameId, areaId: goods.areaId }))
      : null,
    optional(call(timeSaleInfo, { goodsSn: sn })),
    optional(
      call(getDistGamedsAdverList, {
        gameId: goods.gameId,
        device: device === 'phone' ? 1 : 0,
        position: 'game_side',
      }),
    ),
    reviewsFor(call, goods),
    isService(goods.goodsTypeId) ? optional(call(serviceOffer, { goodsSn: sn })) : null,
    optional(call(goodsQuestions, { goodsSn: sn, pageSize: QUESTIONS })),
  ]);
  const [
    guarantees,
    similar,
    counts,
    discounts,
    bargain,
    ratioHistory,
    timeSale,
    adverts,
    reviews,
    service,
    questions,
  ] = loaded;
  const { sellerList, ...paths } = pathsOf(goods, isOfficial);
  const { live, read } = partsOf(goods);
  const { chosen, terms } = guaranteesOf(guarantees?.list ?? []);
  const data = {
    goods: live,
    closed: closedOf(goods, service?.closed ?? service?.companion?.closedNow ?? null, paths.gameList),
    ratioHistory,
    service,
    timeSale,
    reviews: reviews && { ...reviews, sellerId: goods.seller.sellerId },
    questions,
    adverts: adverts?.list.slice(0, ADVERTS) ?? [],
    guarantees: chosen,
    discounts: discountsOf(discounts?.list ?? []),
    signedIn: user !== null,
    averageShipMinutes: counts?.averageShipMinutes ?? null,
    ...paths,
    watermark: brand.distBaseConf.watermark,
    bargain: bargain && bargainOf(bargain),
    now: new Date().toISOString(),
  };
  const jsonLd = structuredData({ goods, origin: args.url.origin, ...paths });
  const alike = similarOf(similar?.list ?? [], goods.goodsSn);
  const more = { goods: read, jsonLd, terms, similar: alike, sellerList, ownSite: ownSiteOf(goods, brand) };
  return withServerOnlyData(data, more, isDocument);
}

export type DetailData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
/** The display-only part, which is not sent as data with a server-rendered page. */
export type DetailMore = NonNullable<DetailData['more']>;
