import { Link, type LoaderFunctionArgs, type MetaFunction, redirect, useLoaderData } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { getQuickCoinList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { goodsTypeName, isGoodsType } from '#contract/rules/catalogue.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { withoutStale } from '#web/lib/lists/stale-params.ts';
import { OfferList } from './parts/coin/offer-list.tsx';
import { FilterRow } from '#subjects/goods/web/parts/filters/filter-row.tsx';
import { GoodsTile } from '#web/parts/goods/goods-card.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Goods types of the page, coin first (product.md 2: gt=2 by default). */
const TYPES = [2, 22, 27, 8, 1] as const;
const COIN = 2;
const TOP_OFFERS = 8;
const TOP_GOODS = 20;

function numberOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const gt = numberOf(query, 'gt') ?? COIN;
  const gid = numberOf(query, 'gid');
  const coinType = numberOf(query, 'quickCoinType');
  if (!isGoodsType(gt)) return redirect(withoutStale(pathOf({ gt: COIN, gid, coinType }), ['gt']));
  const { list } = await call(gameList, {});
  const games = list.filter((g) => String(gt) in g.goodsTypeAndNameMap).map(({ id, name }) => ({ id, name }));
  const game = games.find(({ id }) => id === gid) ?? null;
  if (gid !== null && !list.some(({ id }) => id === gid))
    return redirect(withoutStale(pathOf({ gt, gid: null, coinType: null }), ['gid']));
  const [offers, goods] = await Promise.all([
    gt === COIN
      ? call(getQuickCoinList, {
          pageSize: TOP_OFFERS,
          sort: 'sold',
          ...(gid !== null && { gameId: gid }),
          ...(coinType !== null && { quickCoinType: coinType }),
        })
      : null,
    optional(
      call(getGoodsList, { goodsTypeId: gt, pageSize: TOP_GOODS, sort: 'views', ...(gid !== null && { gameId: gid }) }),
    ),
  ]);
  return {
    gt,
    gid,
    coinType,
    gameName: game?.name ?? list.find(({ id }) => id === gid)?.name ?? '',
    games,
    offers: offers?.list ?? null,
    coinTypes: offers?.quickCoinTypes ?? [],
    goods: goods?.list ?? [],
  };
}

type Data = Exclude<Awaited<ReturnType<typeof loader>>, Response>;

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `${args.loaderData?.gameName ?? ''}热卖商城`,
    description: '游戏币、元宝、道具热卖：成交最多的金币报价和最多人看的商品，货款由平台托管',
    canonicalQuery: `gt=${args.loaderData?.gt ?? COIN}${args.loaderData?.gid ? `&gid=${args.loaderData.gid}` : ''}`,
  });

function pathOf({ gt, gid, coinType }: { gt: number; gid: number | null; coinType: number | null }): string {
  const query = new URLSearchParams({ gt: String(gt) });
  if (gid !== null) query.set('gid', String(gid));
  if (coinType !== null) query.set('quickCoinType', String(coinType));
  return `/wares/hotShoppingMall?${query}`;
}

function Filters({ data }: { data: Data }) {
  const { gt, gid, coinType, games, coinTypes } = data;
  return (
    <div className="choices">
      <FilterRow
        label="类型"
        options={TYPES.map((id) => ({
          key: String(id),
          label: goodsTypeName(id),
          to: pathOf({ gt: id, gid: null, coinType: null }),
          chosen: id === gt,
        }))}
      />
      <FilterRow
        label="游戏"
        options={[
          { key: 'all', label: '全部', to: pathOf({ gt, gid: null, coinType: null }), chosen: gid === null },
          ...games.map(({ id, name }) => ({
            key: String(id),
            label: name,
            to: pathOf({ gt, gid: id, coinType: null }),
            chosen: id === gid,
          })),
        ]}
      />
      {coinTypes.length > 1 && (
        <FilterRow
          label="币种"
          options={coinTypes.map(({ id, name }) => ({
            key: String(id),
            label: name,
            to: pathOf({ gt, gid, coinType: id === coinType ? null : id }),
            chosen: id === coinType,
          }))}
        />
      )}
    </div>
  );
}

/** Bestsellers: coin offers by lots sold, and the most viewed listings, by game and type. */
export default function HotMall() {
  const data = useLoaderData<typeof loader>();
  const { gt, gid, offers, goods, gameName } = data;
  const typeName = goodsTypeName(gt);
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '热卖商城' }]} />
      </div>
      <section className="panel max-md:mt-3" aria-labelledby="mall">
        <div className="panel-head">
          <h1 id="mall" className="text-16 font-semibold">
            {gameName}热卖商城
          </h1>
          <p className="max-md:hidden">按成交与浏览排，不接受付费置顶</p>
        </div>
        <Filters data={data} />
      </section>
      {offers && offers.length > 0 && (
        <section className="panel mt-4" aria-labelledby="mall-coin">
          <div className="panel-head">
            <h2 id="mall-coin">极速金币</h2>
            <p className="max-md:hidden">成交最多的报价</p>
            <Link to={`/fastGold/fastGoldOrder${gid === null ? '' : `?gid=${gid}`}`} className="more">
              全部报价
            </Link>
          </div>
          <OfferList offers={offers} withGame={gid === null} />
        </section>
      )}
      <section className="panel mt-4" aria-labelledby="mall-goods">
        <div className="panel-head">
          <h2 id="mall-goods">热门{typeName}</h2>
          <Link to={`/wares?gt=${gt}${gid === null ? '' : `&gid=${gid}`}`} className="more">
            全部{typeName}
          </Link>
        </div>
        {goods.length === 0 ? (
          <EmptyState title={`还没有在售的${typeName}`} action={<ButtonLink to="/wares">查看其他商品</ButtonLink>}>
            换个游戏或类型看看。
          </EmptyState>
        ) : (
          <ul className="card-grid p-4 max-md:p-3">
            {goods.map((item) => (
              <GoodsTile key={item.goodsSn} goods={item} withGame={gid === null} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
