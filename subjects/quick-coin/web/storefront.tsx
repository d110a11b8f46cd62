import { Coins } from 'lucide-react';
import { Link, type MetaFunction, useLoaderData, useLocation } from 'react-router';
import { getQuickCoinList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { deliveryNames } from '#contract/rules/catalogue.ts';
import { call } from '#web/lib/api/api.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import RatioChart from '#web/parts/charts/ratio-chart.lazy.tsx';
import { type CoinOffer, OfferList } from './parts/coin/offer-list.tsx';
import { type FilterOption, FilterRow } from '#subjects/goods/web/parts/filters/filter-row.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { MatchPanel } from './match-panel.tsx';
import type { loader, StorefrontData } from './storefront-loader.ts';
import { STOREFRONT_SORTS, storefrontInput, storefrontPath, type StorefrontState } from './storefront-query.ts';

export const handle = { phone: { refresh: true } };

export { loader } from './storefront-loader.ts';

export const meta: MetaFunction<typeof loader> = (args) => {
  const data = args.loaderData;
  const what = [data?.game?.name, data?.area?.name].filter(Boolean).join(' ');
  return pageMeta(args, {
    title: `${what ? `${what} ` : ''}极速金币`,
    description: `${what}金币按份购买：比例、库存、交货方式一目了然，货款由平台托管，发货超时可直接退款`,
    canonicalQuery: data?.game ? `gid=${data.game.id}${data.area ? `&areaId=${data.area.id}` : ''}` : undefined,
  });
};

const NUMS = [5, 10, 50, 100, 500] as const;

function Filters({ data }: { data: StorefrontData }) {
  const { state, games, areas, servers, storefront } = data;
  const row = (
    label: string,
    list: readonly { id: number; name: string }[],
    chosen: number | null,
    to: (id: number | null) => StorefrontState,
    all = true,
  ) => {
    if (list.length === 0) return null;
    const options: FilterOption[] = [
      ...(all ? [{ key: 'all', label: '全部', to: storefrontPath(to(null)), chosen: chosen === null }] : []),
      ...list.map(({ id, name }) => ({
        key: String(id),
        label: name,
        to: storefrontPath(to(id)),
        chosen: id === chosen,
      })),
    ];
    return <FilterRow label={label} options={options} />;
  };
  const cleared = { areaId: null, serverId: null, quickCoinType: null, amount: null };
  return (
    <div className="choices">
      {row('游戏', games, state.gid, (gid) => ({ ...state, ...cleared, gid }), false)}
      {row('大区', areas, state.areaId, (areaId) => ({ ...state, areaId, serverId: null }))}
      {row('服务器', servers, state.serverId, (serverId) => ({ ...state, serverId }))}
      {storefront.quickCoinTypes.length > 1 &&
        row('币种', storefront.quickCoinTypes, state.quickCoinType, (quickCoinType) => ({ ...state, quickCoinType }))}
      {row(
        '交货方式',
        Object.entries(deliveryNames).map(([id, name]) => ({ id: Number(id), name })),
        state.delivery,
        (delivery) => ({ ...state, delivery }),
      )}
      {row(
        '购买份数',
        NUMS.map((n) => ({ id: n, name: `${n} 份` })),
        state.num,
        (num) => ({ ...state, num }),
      )}
    </div>
  );
}

function Head({ data }: { data: StorefrontData }) {
  const { state, storefront } = data;
  return (
    <div className="list-head">
      <nav aria-label="排序" className="contents">
        {STOREFRONT_SORTS.map(([sort, label]) => (
          <Link
            key={sort}
            to={storefrontPath({ ...state, sort })}
            preventScrollReset
            rel="nofollow"
            className="pick"
            aria-current={state.sort === sort || undefined}
          >
            {label}
          </Link>
        ))}
        <Link
          to={storefrontPath({ ...state, online: !state.online })}
          preventScrollReset
          rel="nofollow"
          className={state.online ? 'pick pick-on' : 'pick'}
        >
          只看在线
        </Link>
      </nav>
      <span className="ml-auto text-13 whitespace-nowrap text-ink-3 max-md:hidden">
        共 <b className="font-semibold text-ink">{countText(storefront.total, storefront.totalCapped)}</b> 个报价
      </span>
    </div>
  );
}

function Offers({ data }: { data: StorefrontData }) {
  const { state, storefront } = data;
  const { items, next, busy, error, more } = useCursorList(
    storefront,
    async (cursor) => await call(getQuickCoinList, storefrontInput(state, cursor), { quiet: true }),
    (offer: CoinOffer) => offer.quickCoinSn,
  );
  if (items.length === 0) {
    const bare = { ...state, serverId: null, delivery: null, num: null, amount: null, online: false };
    return (
      <EmptyState
        icon={<Coins className="icon size-8" strokeWidth={1.25} />}
        title="没有符合条件的金币报价"
        action={
          <>
            <ButtonLink to={storefrontPath(bare)} kind="primary">
              放宽条件
            </ButtonLink>
            <ButtonLink to={`/wares?gt=2${state.gid === null ? '' : `&gid=${state.gid}`}`}>查看游戏币商品</ButtonLink>
          </>
        }
      >
        换个大区或份数看看；也可以看卖家单独发布的游戏币商品。
      </EmptyState>
    );
  }
  return (
    <>
      <OfferList offers={items} withGame={false} />
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

function StorefrontAside({ data }: { data: StorefrontData }) {
  const { area, storefront, history, isShop } = data;
  return (
    <aside className="grid content-start gap-4">
      <section className="panel" aria-labelledby="ratio">
        <div className="panel-head">
          <h2 id="ratio">{area ? `${area.name}比例` : '大区比例'}</h2>
          {area && <p>近 90 天</p>}
        </div>
        <div className="p-4">
          {area && storefront.ratio && history ? (
            <>
              <RatioChart history={history} />
              <dl className="ratio-facts">
                <dt>今日常见</dt>
                <dd>{storefront.ratio.typicalText}</dd>
                <dt>区间</dt>
                <dd>
                  {storefront.ratio.lowText.replace('1元=', '')} 至 {storefront.ratio.highText.replace('1元=', '')}
                </dd>
                {storefront.ratio.lastDealText && (
                  <>
                    <dt>最近成交</dt>
                    <dd>{storefront.ratio.lastDealText}</dd>
                  </>
                )}
              </dl>
            </>
          ) : (
            <p className="text-13 text-ink-3">
              {area ? '这个大区还没有行情。' : '选择大区后显示 1 元能买多少、近 90 天走势。'}
            </p>
          )}
        </div>
      </section>
      <section className="panel px-4 py-3.5 text-13 leading-6 text-ink-2">
        <b className="font-semibold text-ink">怎么买</b>
        <ol className="mt-1 list-decimal pl-4.5">
          <li>选报价、填份数与收货角色，付款到平台托管</li>
          <li>店铺按约定方式在游戏内交货，超时可直接退款</li>
          <li>核对到账数量后确认收货，货款才放给店铺</li>
        </ol>
        <p className="mt-3 flex flex-wrap gap-2">
          <ButtonLink to={isShop ? '/center/myshop/shopmanage' : '/center/myshop/joinshop'} size="sm">
            {isShop ? '管理我的店铺' : '我要开店'}
          </ButtonLink>
          <ButtonLink to={`/wares/goldRecycling${data.state.gid === null ? '' : `?gid=${data.state.gid}`}`} size="sm">
            卖金币给回收商
          </ButtonLink>
          <ButtonLink to="/wares/hotShoppingMall" size="sm">
            热卖商城
          </ButtonLink>
        </p>
      </section>
    </aside>
  );
}

/** The quick coin storefront: offers of one game, cheapest unit first, with the ratio of the selected area. */
export default function CoinStorefront() {
  const data = useLoaderData<typeof loader>();
  const { key } = useLocation();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '极速金币' }]} />
      </div>
      <section className="panel max-md:mt-3" aria-labelledby="coin">
        <div className="panel-head">
          <h1 id="coin" className="text-16 font-semibold">
            {data.game ? `${data.game.name} 极速金币` : '极速金币'}
          </h1>
          <p className="max-md:hidden">按份购买，先托管后发货</p>
        </div>
        <Filters data={data} />
      </section>
      <MatchPanel data={data} />
      <div className="coin-columns">
        <section className="panel min-w-0" aria-label="报价">
          <Head data={data} />
          <Offers key={key} data={data} />
        </section>
        <StorefrontAside data={data} />
      </div>
    </>
  );
}
