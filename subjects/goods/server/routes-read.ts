import {
  currentdayDealGoodsList,
  getAvGoodsList,
  getGoodsList,
  getUserLookGoodsHistory,
  goodsInfo,
  mostViewGoodsList,
  suggest,
} from '#subjects/goods/contract/goods.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { getFrontUserList, reviewTime, sellTimeList } from '#subjects/goods/contract/front-page.ts';
import { searchHelp, whyHere } from '#subjects/goods/contract/goods-search.ts';
import { rateText } from '#contract/rules/fee.ts';
import { offerMoney } from '../rules/listing-states.ts';
import { followGoods, goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { netAmount } from '#subjects/goods/contract/net-amount.ts';
import { yuanLabel } from '#contract/wire.ts';
import { holdText, saleHold } from '#subjects/deposits/server/service.ts';
import type { Binding } from '#server/binding.ts';
import { didYouMean } from './listing/did-you-mean.ts';
import type { Misses } from './correct/misses.ts';
import { goodsDetail } from './listing/detail.ts';
import { followed, setFollow } from './following/follows.ts';
import { listGoods, mostViewed } from './listing/list.ts';
import { GOODS_CHANNEL, concernsGame, concernsGoods } from './search/changes.ts';
import { dayMarket, frontSellers, sellTimes } from './market/market.ts';
import { similarGoods } from './listing/similar.ts';
import { suggestions } from './listing/suggest.ts';
import { browseHistory, type Views } from './listing/views.ts';
import { reasonsForPlace } from './listing/why-here.ts';
import { medianReviewMinutes } from './review/review-time.ts';

const MOST_VIEWED = 10;
const SIMILAR = 5;
const MARKET_ROWS = 20;
const FRONT_SELLERS = 8;
const PAGE = 20;

interface Paged {
  pages?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
}

const pageOf = ({ pages, pageSize, cursor }: Paged) => {
  const limit = pageSize ?? PAGE;
  return { cursor, limit, offset: ((pages ?? 1) - 1) * limit };
};

/** Counters of visitor activity; they write in batches. */
export interface Counters {
  views: Views;
  misses: Misses;
}

type ListInput = Parsed<typeof getGoodsList>;

/** The input of a search that only controls its display or scope. */
const WIDE = new Set(['keyWord', 'gameId', 'goodsTypeId', 'pages', 'pageSize', 'sort']);

/** Whether a search has only a keyword, at most with game and type: if it finds nothing, the keyword is the cause. */
const isBare = (input: ListInput): boolean =>
  (input.pages ?? 1) === 1 && Object.entries(input).every(([key, value]) => WIDE.has(key) || value === undefined);

function bindSearch({ ctx, server }: Binding, { views, misses }: Counters): void {
  const channel = GOODS_CHANNEL;
  server.serve(
    getGoodsList,
    async ({ ctx: reader, dist, ip }, input) => {
      const result = await listGoods(reader, dist, input);
      if (result.total === 0 && input.keyWord !== undefined && isBare(input))
        misses.note(input.keyWord, input.gameId, ip);
      return result;
    },
    {
      cache: {
        channel,
        concerns: (change, { gameId }) => concernsGame(change, gameId),
        // Availability changes by the hour and with bookings, which do not change listings.
        isExcluded: ({ free }) => free !== undefined,
      },
    },
  );
  server.serve(searchHelp, async ({ dist }, { keyWord, gameId }) => await didYouMean(ctx, dist, { keyWord, gameId }), {
    cache: { channel, concerns: () => true },
  });
  server.serve(whyHere, async ({ dist }, input) => await reasonsForPlace(ctx, dist, input));
  server.serve(
    goodsInfo,
    async ({ dist, caller }, { goodsSn }) => await goodsDetail(ctx, dist, caller.user?.id, goodsSn),
    {
      cache: { channel, concerns: (change, { goodsSn }) => concernsGoods(change, goodsSn) },
      perCaller(goods) {
        const { goodsId, isMine } = goods as Awaited<ReturnType<typeof goodsDetail>>;
        return ({ caller, ip }) => {
          if (!isMine) views.note(goodsId, { userId: caller.user?.id, address: ip });
        };
      },
    },
  );
  server.serve(reviewTime, async () => ({ medianMinutes: await medianReviewMinutes(ctx) }));
  server.serve(suggest, async ({ dist }, { keyWord, gameId }) => ({
    list: await suggestions(ctx, dist, { keyWord, gameId }),
  }));
  server.serve(
    mostViewGoodsList,
    async ({ ctx: reader, dist }, { gameId, pageSize }) => ({
      list: await mostViewed(reader, dist, gameId, pageSize ?? MOST_VIEWED),
    }),
    { cache: { channel, concerns: (change, { gameId }) => concernsGame(change, gameId) } },
  );
  server.serve(
    getAvGoodsList,
    async ({ ctx: reader, dist }, { goodsSn, pageSize }) => ({
      list: await similarGoods(reader, dist, goodsSn, pageSize ?? SIMILAR),
    }),
    { cache: { channel, concerns: () => true } },
  );
}

function bindMarket({ server }: Binding): void {
  server.serve(currentdayDealGoodsList, async ({ ctx, dist }, { pageSize }) => ({
    list: await dayMarket(ctx, dist, pageSize ?? MARKET_ROWS),
  }));
  server.serve(getFrontUserList, async ({ ctx, dist }, { gameId, pageSize }) => ({
    list: await frontSellers(ctx, dist, gameId, pageSize ?? FRONT_SELLERS),
  }));
  server.serve(
    sellTimeList,
    async ({ ctx, dist }, { gameId, goodsTypeId }) => await sellTimes(ctx, dist, { gameId, typeId: goodsTypeId }),
  );
}

function bindOwn({ ctx, server }: Binding, { views }: Counters): void {
  server.serve(getUserLookGoodsHistory, async ({ dist, user }, input) => {
    // Written first, so that the history includes the listing that the user has just viewed.
    await views.flush();
    return await browseHistory(ctx, dist, user.id, pageOf(input));
  });
  server.serve(
    goodsUserFollow,
    async ({ dist, user }, { goodsSn, status }) => await setFollow(ctx, dist, user.id, { goodsSn, follow: status }),
  );
  server.serve(
    followGoods,
    async ({ dist, user }, { show, ...page }) =>
      await followed(ctx, dist, user.id, { ...pageOf(page), show: show ?? 'all' }),
  );
  server.serve(netAmount, async ({ user }, { price }) => {
    const fees = ctx.dir.setting('fees');
    const { commissionFen, netFen } = offerMoney(price, fees);
    return {
      commission: commissionFen,
      net: netFen,
      rule: `佣金为成交价的 ${rateText(fees.sellerBp)}，最高 ${yuanLabel(fees.sellerMaxFen)} 元`,
      holdText: holdText(await saleHold(ctx, ctx.db, user.id)),
    };
  });
}

/** Calls that read listings: lists, details, suggestions, prices, followed listings and browsing history. */
export function bindGoodsRead(binding: Binding, counters: Counters): void {
  bindSearch(binding, counters);
  bindMarket(binding);
  bindOwn(binding, counters);
}
