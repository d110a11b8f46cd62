import type { ReactNode } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { ListFinder } from '#web/parts/list-finder.tsx';
import { OrderTable } from '#web/parts/order/order-table.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { ORDER_TABS, ORDERS_PAGE, type OrdersData, ordersPath } from './orders-loader.ts';

function Tabs({ data, path }: { data: OrdersData; path: string }) {
  const { state, result } = data;
  const counts = result.ok ? result.data.counts : {};
  return (
    <LinkTabs
      label="订单状态"
      items={ORDER_TABS.map(({ status, label }) => ({
        key: label,
        label,
        to: ordersPath(path, { status, keyWord: state.keyWord }),
        isCurrent: state.status === status,
        count: counts[status === null ? 'all' : String(status)],
      }))}
    />
  );
}

/** A list of orders with tabs, search and pages, for either party. */
export function OrdersPage({
  data,
  path,
  title,
  empty,
}: {
  data: OrdersData;
  path: string;
  title: string;
  /** Content when the viewer has no order at all. */
  empty: { title: string; text: string; action: ReactNode };
}) {
  const { state, result, now } = data;
  const { revalidate } = useRevalidator();
  const navigation = useNavigation();
  const busy = navigation.state === 'loading' && navigation.location.pathname === path;
  const filtered = state.status !== null || state.keyWord !== '';
  return (
    <section className="panel" aria-labelledby="orders">
      <div className="panel-head flex-wrap py-2">
        <h1 id="orders" className="text-16 font-semibold">
          {title}
        </h1>
        <ListFinder
          label="搜索订单"
          placeholder="订单编号、商品编号、标题"
          keyWord={state.keyWord}
          status={state.status}
        />
      </div>
      <Tabs data={data} path={path} />
      <div className={cx(busy && 'opacity-60')} aria-busy={busy}>
        {!result.ok ? (
          <ErrorState message={result.msg} onRetry={() => void revalidate()} />
        ) : result.data.orderList.length > 0 ? (
          <>
            <OrderTable orders={result.data.orderList} now={now} label={title} />
            <Pagination
              page={state.page}
              pages={Math.ceil(result.data.total / ORDERS_PAGE)}
              hrefOf={(page) => ordersPath(path, { ...state, page })}
            />
          </>
        ) : filtered ? (
          <EmptyState title="没有符合条件的订单" action={<ButtonLink to={path}>看全部订单</ButtonLink>} />
        ) : (
          <EmptyState title={empty.title} action={empty.action}>
            {empty.text}
          </EmptyState>
        )}
      </div>
    </section>
  );
}
