import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { listingStatistics, shopStatistics } from '#subjects/seller-statistics/contract/seller-statistics.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ListingFigures } from './listing-figures.tsx';
import { ShopWeeks } from './shop-weeks.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '经营统计', noindex: true });
}

/** The shop by week, and a page of the listings on sale. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const cursor = args.url.searchParams.get('cursor');
  const [shop, listings] = await Promise.all([
    call(shopStatistics, {}),
    call(listingStatistics, cursor === null ? {} : { cursor }),
  ]);
  return { shop, listings };
}

/** 经营统计: the results of a seller's shop and listings, with suggestions. */
export default function Statistics() {
  const { shop, listings } = useLoaderData<typeof loader>();
  const isEmpty = shop.listed === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section className="panel" aria-labelledby="shop">
        <div className="panel-head flex-wrap">
          <h1 id="shop" className="text-16 font-semibold">
            经营统计
          </h1>
          <p>
            最近八周，周一到周日
            {shop.keptSince !== null &&
              shop.keptSince > (shop.weeks[0]?.week ?? '') &&
              `；浏览和收藏从 ${shop.keptSince} 起按周记录`}
          </p>
        </div>
        {isEmpty ? (
          <EmptyState
            title="发布商品后，这里会有统计"
            action={
              <ButtonLink kind="primary" to="/center/sell">
                发布商品
              </ButtonLink>
            }
          >
            浏览、收藏、提问、成交和同类价格，都会按商品和店铺列出。
          </EmptyState>
        ) : (
          <ShopWeeks shop={shop} />
        )}
      </section>
      {!isEmpty && (
        <section className="panel" aria-labelledby="listings">
          <div className="panel-head flex-wrap">
            <h2 id="listings">在售商品</h2>
            <p>上架最久的在前；建议只在有数据时给出</p>
          </div>
          {listings.list.length === 0 ? (
            <EmptyState title="没有在售的商品" action={<ButtonLink to="/center/sellOutGoods">我的商品</ButtonLink>}>
              上架后，每件商品的浏览、收藏、提问和同类价格会列在这里。
            </EmptyState>
          ) : (
            <ListingFigures {...listings} />
          )}
        </section>
      )}
    </div>
  );
}
