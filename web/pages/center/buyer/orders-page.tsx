import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Form, Link, useNavigation, useRevalidator } from 'react-router';
import { OrderTable } from '#web/parts/order/order-table.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Input } from '#web/ui/input.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { ORDER_TABS, ORDERS_PAGE, type OrdersData, ordersPath } from './orders-loader.ts';

function Tabs({ data, path }: { data: OrdersData; path: string }) {
  const { state, answer } = data;
  const counts = answer.ok ? answer.data.counts : {};
  return (
    <nav className="tabs" aria-label="订单状态">
      {ORDER_TABS.map(({ status, label }) => {
        const count = counts[status === null ? 'all' : String(status)] ?? 0;
        return (
          <Link
            key={label}
            to={ordersPath(path, { status, keyWord: state.keyWord })}
            className="tab"
            aria-current={state.status === status ? 'page' : undefined}
            preventScrollReset
          >
            {label}
            {count > 0 && <small className="text-12 font-normal text-ink-3">{count > 9999 ? '9999+' : count}</small>}
          </Link>
        );
      })}
    </nav>
  );
}

function Finder({ data }: { data: OrdersData }) {
  const { status, keyWord } = data.state;
  return (
    <Form method="get" role="search" className="flex items-center gap-2 md:ml-auto">
      {status !== null && <input type="hidden" name="status" value={status} />}
      <Input
        key={keyWord}
        small
        name="keyWord"
        defaultValue={keyWord}
        maxLength={40}
        placeholder="订单编号、商品编号、标题"
        aria-label="搜索订单"
        className="md:w-52!"
      />
      <Button type="submit" size="sm" aria-label="搜索">
        <Search className="icon size-3.5" aria-hidden="true" />
        搜索
      </Button>
    </Form>
  );
}

/** A list of orders with tabs, search and pages, for either side of a trade. */
export function OrdersPage({
  data,
  path,
  title,
  empty,
}: {
  data: OrdersData;
  path: string;
  title: string;
  /** What to do when there is no order at all. */
  empty: { title: string; text: string; action: ReactNode };
}) {
  const { state, answer, now } = data;
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
        <Finder data={data} />
      </div>
      <Tabs data={data} path={path} />
      <div className={cx(busy && 'opacity-60')} aria-busy={busy}>
        {!answer.ok ? (
          <ErrorState message={answer.msg} onRetry={() => void revalidate()} />
        ) : answer.data.orderList.length > 0 ? (
          <>
            <OrderTable orders={answer.data.orderList} now={now} label={title} />
            <Pagination
              page={state.page}
              pages={Math.ceil(answer.data.total / ORDERS_PAGE)}
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
