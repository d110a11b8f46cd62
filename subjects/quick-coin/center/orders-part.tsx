import { OrderStatus, isEnded } from '#subjects/orders/rules/order-status.ts';
import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { queryQuickOrderList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { type Belong, BUYS, SELLS } from '#contract/rules/parties.ts';
import { marketContext } from '#web/lib/pages/context.ts';
import { ListFinder } from '#web/parts/search/list-finder.tsx';
import { attempt } from '#web/lib/api/attempt.ts';
import { chatPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { OrderStatusLabel } from '#subjects/orders/web/parts/order/order-status.tsx';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { ORDER_TABS, ordersPath, parseOrders } from '#subjects/orders/center/orders-loader.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

const PAGE = 10;

/** A page of coin orders: bought, or sold by the shop. */
export async function coinOrdersData({ context, url }: LoaderFunctionArgs, belong: Belong) {
  const state = parseOrders(url.searchParams);
  const { status, page, keyWord } = state;
  const result = await attempt(
    context.get(marketContext).call(queryQuickOrderList, {
      belong,
      pages: page,
      pageSize: PAGE,
      ...(status !== null && { status }),
      ...(keyWord && { keyWord }),
    }),
  );
  return { state, result };
}

type OrdersData = Awaited<ReturnType<typeof coinOrdersData>>;
type Order = Data<typeof queryQuickOrderList>['orderList'][number];

/** The page of one coin order. */
export const coinOrderPath = (orderSn: string): string => `/center/buyFastGoldDetail?orderSn=${orderSn}`;

/** Label of the row's next action. */
function nextAction(order: Order): string {
  if (order.status === OrderStatus.Unpaid && order.belong === BUYS) return '去付款';
  if (order.status === OrderStatus.Paid && order.belong === SELLS) return '去发货';
  if (order.status === OrderStatus.Shipped && order.belong === BUYS) return '去确认';
  return '查看';
}

function Row({ order }: { order: Order }) {
  const chat = chatPath(order);
  const action = nextAction(order);
  const region = [order.gameName, order.areaName, order.serverName].filter(Boolean).join(' ');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0 md:grid-cols-[minmax(0,1fr)_104px_132px_124px] xl:grid-cols-[minmax(0,1fr)_180px_112px_132px_124px]">
      <span className="min-w-0 max-md:col-span-2">
        <Link to={coinOrderPath(order.orderSn)} className="hit block truncate text-14 hover:text-link">
          {order.bigTitle}
        </Link>
        <span className="flex flex-wrap gap-x-3 text-12 text-ink-3">
          <span>{order.orderSn}</span>
          <time dateTime={order.createTime}>{fullAt(order.createTime)}</time>
          <span>{region}</span>
        </span>
      </span>
      <span className="grid text-13 max-md:col-span-2 md:max-xl:col-start-1 md:max-xl:row-start-2">
        <b className="font-semibold">{order.coinText}</b>
        <span className="truncate text-12 text-ink-3">
          {order.deliveryName}给 {order.roleName}
          {order.roleLevel !== null && ` ${order.roleLevel} 级`}
        </span>
      </span>
      <span className="grid max-md:order-2 max-md:justify-items-end md:max-xl:row-span-2 md:max-xl:row-start-1">
        <Price yuan={order.totalPrice} />
        {order.net !== null && (
          <span className="text-12 text-ink-3">
            到手 <Amount yuan={order.net} />
          </span>
        )}
      </span>
      <span className="grid gap-0.5 text-13 max-md:order-1 md:max-xl:row-span-2 md:max-xl:row-start-1">
        <OrderStatusLabel status={order.status} name={order.statusName} />
        <span className="pl-3.5 text-12 text-ink-3">
          {order.deadline && order.status === OrderStatus.Paid
            ? `${shortAt(order.deadline)} 前发货`
            : order.partnerName}
        </span>
      </span>
      <span className="flex items-center justify-end gap-3 max-md:order-3 max-md:col-span-2 md:max-xl:row-span-2 md:max-xl:row-start-1">
        {chat && !isEnded(order.status) && (
          <Link to={chat} className="hit flex-none text-12 text-ink-3 hover:text-link">
            交易群
          </Link>
        )}
        <ButtonLink to={coinOrderPath(order.orderSn)} size="sm" kind={action === '查看' ? 'plain' : 'tonal'}>
          {action}
        </ButtonLink>
      </span>
    </li>
  );
}

/** Coin orders of either party: tabs by state, search, pages. */
export function CoinOrders({
  data,
  path,
  title,
  empty,
}: {
  data: OrdersData;
  path: string;
  title: string;
  empty: { title: string; text: string; action: ReactNode };
}) {
  const { state, result } = data;
  const { revalidate } = useRevalidator();
  const counts = result.ok ? result.data.counts : {};
  const filtered = state.status !== null || state.keyWord !== '';
  return (
    <section className="panel" aria-labelledby="coin-orders">
      <div className="panel-head flex-wrap py-2">
        <h1 id="coin-orders" className="text-16 font-semibold">
          {title}
        </h1>
        <ListFinder label="搜索订单" placeholder="订单编号、报价编号" keyWord={state.keyWord} status={state.status} />
      </div>
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
      {!result.ok ? (
        <ErrorState message={result.msg} onRetry={() => void revalidate()} />
      ) : result.data.orderList.length > 0 ? (
        <>
          <ul aria-label={title}>
            {result.data.orderList.map((order) => (
              <Row key={order.orderSn} order={order} />
            ))}
          </ul>
          <Pagination
            page={state.page}
            pages={Math.ceil(result.data.total / PAGE)}
            hrefOf={(page) => ordersPath(path, { ...state, page })}
          />
        </>
      ) : (
        <EmptyState
          title={filtered ? '没有符合条件的订单' : empty.title}
          action={filtered ? <ButtonLink to={path}>查看全部订单</ButtonLink> : empty.action}
        >
          {filtered ? null : empty.text}
        </EmptyState>
      )}
    </section>
  );
}
