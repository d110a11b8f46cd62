import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Form, Link, useLocation, useRevalidator } from 'react-router';
import { disputedTypes } from '#subjects/disputes/rules/dispute-reasons.ts';
import { isInProgress, orderStatusName } from '../rules/order-status.ts';
import { BOOSTING, orderTypeName } from '../rules/order-types.ts';
import { ListFinder } from '#web/parts/search/list-finder.tsx';
import { OrderTable } from '../web/parts/order/order-table.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { ListBody } from '#web/ui/lists/list-body.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { emptyReason, ORDER_TABS, ORDERS_PAGE, type OrdersData, ordersPath } from './orders-loader.ts';

function Tabs({ data, path, isOneType }: { data: OrdersData; path: string; isOneType: boolean }) {
  const { state, result } = data;
  const counts = result.ok ? result.data.counts : {};
  return (
    <LinkTabs
      label="订单状态"
      items={ORDER_TABS.map(({ status, label }) => ({
        key: label,
        // Both services use the same state names.
        label: isOneType && isInProgress(status ?? 0) ? orderStatusName(status ?? 0, BOOSTING) : label,
        to: ordersPath(path, { status, keyWord: state.keyWord, filters: state.filters }),
        isCurrent: state.status === status,
        count: counts[status === null ? 'all' : String(status)],
      }))}
    />
  );
}

/** Narrows the list by day, type of goods and offline orders; the URL stores the selection. */
function Filters({
  state,
  path,
  isOneType,
  className,
}: {
  state: OrdersData['state'];
  path: string;
  isOneType: boolean;
  className: string;
}) {
  const { filters, status, keyWord } = state;
  return (
    <Form
      key={JSON.stringify(filters)}
      method="get"
      aria-label="筛选订单"
      className={cx('flex flex-wrap items-center gap-2 text-13', className)}
    >
      {status !== null && <input type="hidden" name="status" value={status} />}
      {keyWord && <input type="hidden" name="keyWord" value={keyWord} />}
      {!isOneType && (
        <Select
          small
          name="goodsTypeId"
          aria-label="商品类型"
          defaultValue={filters.goodsTypeId ?? ''}
          className="w-32!"
        >
          <option value="">全部类型</option>
          {disputedTypes.map((id) => (
            <option key={id} value={id}>
              {orderTypeName(id)}
            </option>
          ))}
        </Select>
      )}
      <span className="flex items-center gap-2 max-md:w-full">
        <Input
          small
          type="date"
          name="minTime"
          aria-label="下单日期从"
          defaultValue={filters.minTime}
          className="min-w-0 max-md:flex-1 md:w-36!"
        />
        <span aria-hidden="true">至</span>
        <Input
          small
          type="date"
          name="maxTime"
          aria-label="下单日期到"
          defaultValue={filters.maxTime}
          className="min-w-0 max-md:flex-1 md:w-36!"
        />
      </span>
      {!isOneType && (
        <label className="flex min-h-9 max-md:min-h-10 items-center gap-1.5">
          <input
            type="checkbox"
            className="checkbox"
            name="isRecovery"
            value="1"
            defaultChecked={filters.isRecovery === '1'}
          />
          线下订单
        </label>
      )}
      <Button type="submit" size="sm">
        筛选
      </Button>
      {Object.keys(filters).length > 0 && (
        <Link to={ordersPath(path, { status, keyWord })} className="link">
          清除
        </Link>
      )}
    </Form>
  );
}

/** On phones search and filters are behind one icon next to the tabs, marked while they are active. */
function PhoneFinder({
  state,
  path,
  isOneType,
  finder,
}: {
  state: OrdersData['state'];
  path: string;
  isOneType: boolean;
  finder: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState(key);
  const isNarrowed = state.keyWord !== '' || Object.keys(state.filters).length > 0;
  return (
    <>
      <button
        type="button"
        className="relative grid w-12 flex-none place-items-center border-b border-l border-line-soft md:hidden"
        aria-label={isNarrowed ? '搜索与筛选，已启用' : '搜索与筛选'}
        aria-haspopup="dialog"
        onClick={() => {
          setOpenedAt(key);
          setOpen(true);
        }}
      >
        <SlidersHorizontal className="icon size-5" aria-hidden="true" />
        {isNarrowed && <i className="absolute top-2.5 right-2.5 size-2 rounded-full bg-act" aria-hidden="true" />}
      </button>
      {isOpen && openedAt === key && (
        <Dialog title="搜索与筛选" shape="sheet" asksFirst={false} onClose={() => setOpen(false)}>
          <div className="grid gap-4">
            {finder}
            <Filters state={state} path={path} isOneType={isOneType} className="" />
          </div>
        </Dialog>
      )}
    </>
  );
}

/** A list of orders with tabs, search and pages, for either party. */
export function OrdersPage({
  data,
  path,
  title,
  isOneType = false,
  empty,
}: {
  data: OrdersData;
  path: string;
  title: string;
  /** The list contains only one service: no filter by type. */
  isOneType?: boolean;
  /** Content when the viewer has no order at all. */
  empty: { title: string; text: string; action: ReactNode };
}) {
  const { state, result, now } = data;
  const { revalidate } = useRevalidator();
  const reason = emptyReason(state);
  const finder = (
    <ListFinder
      label="搜索订单"
      placeholder="订单编号、商品编号、标题"
      keyWord={state.keyWord}
      status={state.status}
      kept={state.filters}
    />
  );
  return (
    <section className="panel" aria-labelledby="orders">
      <div className="panel-head flex-wrap py-2 max-md:sr-only">
        <h1 id="orders" className="text-16 font-semibold">
          {title}
        </h1>
        <div className="ml-auto max-md:hidden">{finder}</div>
      </div>
      <Filters
        state={state}
        path={path}
        isOneType={isOneType}
        className="border-t border-line-soft px-4 py-2 max-md:hidden"
      />
      <div className="flex">
        <div className="min-w-0 flex-1">
          <Tabs data={data} path={path} isOneType={isOneType} />
        </div>
        <PhoneFinder state={state} path={path} isOneType={isOneType} finder={finder} />
      </div>
      <ListBody path={path}>
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
        ) : reason !== null ? (
          <EmptyState title={reason} action={<ButtonLink to={path}>查看全部订单</ButtonLink>} />
        ) : (
          <EmptyState title={empty.title} action={empty.action}>
            {empty.text}
          </EmptyState>
        )}
      </ListBody>
    </section>
  );
}
