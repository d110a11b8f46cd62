import { useEffect } from 'react';
import { type LoaderFunctionArgs, type MetaFunction, useLoaderData, useRevalidator } from 'react-router';
import { getUserLookGoodsHistory } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { GoodsRow } from '#web/parts/goods/goods-row.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { LoadMore } from '#web/ui/lists/load-more.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const PAGE_SIZE = 20;

export const handle = { phone: { refresh: true } };

export async function loader(args: LoaderFunctionArgs) {
  const cursor = args.url.searchParams.get('cursor') ?? '';
  const input = { pageSize: PAGE_SIZE, ...(/^[\w-]{1,200}$/.test(cursor) && { cursor }) };
  return await market(args).call(getUserLookGoodsHistory, input);
}

export const meta: MetaFunction = (args) => pageMeta(args, { title: '浏览记录', noindex: true });

/**
 * Moves the views stored in this browser before the login into the account's history. The script for it is loaded on
 * demand.
 */
function useMergedViews(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    void import('#web/lib/lists/merge-viewed.ts').then(({ mergeViewed }) => mergeViewed(revalidate));
  }, [revalidate]);
}

/** The user's viewed listings, newest first. */
export default function Browsed() {
  const first = useLoaderData<typeof loader>();
  useMergedViews();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(getUserLookGoodsHistory, { pageSize: PAGE_SIZE, cursor }, { quiet: true }),
    ({ goodsSn }) => goodsSn,
  );
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '浏览记录' }]} />
      </div>
      <section className="panel list-panel" aria-labelledby="browsed">
        <div className="panel-head">
          <h1 id="browsed" className="text-16 font-semibold">
            浏览记录
          </h1>
          <p>共 {countText(first.total, first.totalCapped)} 件</p>
        </div>
        {items.length === 0 ? (
          <EmptyState title="还没有看过商品" action={<ButtonLink to="/wares">去看看</ButtonLink>}>
            看过的商品会留在这里，方便回来比较。
          </EmptyState>
        ) : (
          <>
            <h2 className="sr-only">看过的商品</h2>
            <ul>
              {items.map((goods) => (
                <GoodsRow key={goods.goodsSn} goods={goods} withGame />
              ))}
            </ul>
            <LoadMore
              visible={items.length}
              total={countText(first.total, first.totalCapped)}
              href={next && `/wares/myBrowseGoods?cursor=${next}`}
              busy={busy}
              onMore={more}
            />
            {error && (
              <p role="alert" className="pb-4 text-center text-13 text-danger">
                {error}
              </p>
            )}
          </>
        )}
      </section>
    </>
  );
}
