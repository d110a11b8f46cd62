import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type OrderListItem, queryOrderList } from '#subjects/orders/contract/order.ts';
import { unreadText, WIDGET_ORDER_TYPE, WIDGET_PAGE_SIZE } from '#contract/rules/limits.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { isNetworkFailure, isApiFailure } from '#web/lib/api/api-failure.ts';
import { call } from '#web/lib/api/api.ts';
import { Cover } from '#subjects/goods/web/parts/cover/cover.tsx';
import { chatPath, orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Picture } from '#web/ui/picture.tsx';
import { EmptyState, ErrorState, Skeleton } from '#web/ui/states.tsx';

interface Section {
  label: string;
  belong: 0 | 1;
  orders: OrderListItem[];
}
type State =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; sections: readonly Section[] };

const SECTIONS = [
  { label: '我买的', belong: BUYS },
  { label: '我卖的', belong: SELLS },
] as const;

/** Displayed for a party without orders: how to get one. */
const NONE = {
  0: { words: '还没有买入的寄售订单', to: '/wares?gt=50', way: '去看寄售账号' },
  1: { words: '还没有卖出的寄售订单', to: '/center/sell', way: '去发布商品' },
} as const;

/** Consigned orders of one party (product.md 7: the widget lists only order type 50). */
async function load(): Promise<readonly Section[]> {
  return await Promise.all(
    SECTIONS.map(async ({ label, belong }) => {
      const query = { belong, goodsTypeId: WIDGET_ORDER_TYPE, pageSize: WIDGET_PAGE_SIZE };
      return { label, belong, orders: (await call(queryOrderList, query, { quiet: true })).orderList };
    }),
  );
}

function Row({ order }: { order: OrderListItem }) {
  return (
    <li>
      <Link
        to={chatPath(order) ?? orderPath(order.orderSn)}
        className="flex items-center gap-2.5 px-3 py-2 hover:bg-hover"
        aria-label={`${order.bigTitle}，${order.statusName}${order.unread > 0 ? `，${unreadText(order.unread)} 条未读` : ''}`}
      >
        <Picture
          src={order.thumbnail}
          alt=""
          width={44}
          height={36}
          className="w-11 flex-none"
          fallback={<Cover seed={order.goodsSn ?? order.orderSn} />}
        />
        <span className="grid min-w-0 flex-1">
          <span className="truncate text-13">{order.bigTitle}</span>
          <span className="text-12 text-ink-3">{order.statusName}</span>
        </span>
        {order.unread > 0 && <span className="badge">{unreadText(order.unread)}</span>}
      </Link>
    </li>
  );
}

/** Opens the compact layout in a separate window; where the browser blocks it, in the same window. */
function openSmall(): void {
  const address = '/chatSystem?layout=light';
  if (!window.open(address, 'youshi-chat', 'popup,width=860,height=640')) window.location.assign(address);
}

/** The widget's panel. Reloads when the page returns to the foreground. */
export default function WidgetOrders() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const refresh = useCallback(() => {
    void load().then(
      (sections) => setState({ kind: 'ready', sections }),
      (error: unknown) =>
        setState({ kind: 'failed', message: isApiFailure(error) && !isNetworkFailure(error) ? error.msg : '网络错误' }),
    );
  }, []);
  useEffect(() => {
    refresh();
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [refresh]);
  const isEmpty = state.kind === 'ready' && state.sections.every(({ orders }) => orders.length === 0);
  return (
    <div className="grid min-h-80 content-start" aria-busy={state.kind === 'loading'}>
      <p className="flex items-center border-b border-line-soft px-3 py-1.5 text-14 font-semibold">
        交易群
        <button type="button" className="link ml-auto py-1 text-12 font-normal max-md:hidden" onClick={openSmall}>
          小窗打开
        </button>
        <Link to="/chatSystem" className="link ml-auto inline-block py-1 text-12 font-normal md:ml-3">
          全部订单
        </Link>
      </p>
      {state.kind === 'loading' && [0, 1, 2, 3].map((n) => <Skeleton key={n} className="mx-3 mt-3 h-12" />)}
      {state.kind === 'failed' && <ErrorState message={state.message} onRetry={refresh} />}
      {isEmpty && (
        <EmptyState
          title="还没有寄售订单"
          action={
            <Link to="/wares?gt=50" className="link text-13">
              去看寄售账号
            </Link>
          }
        >
          下单付款后，可以从这里进入和卖家、平台客服的交易群。
        </EmptyState>
      )}
      {state.kind === 'ready' &&
        !isEmpty &&
        state.sections.map(({ label, belong, orders }) => (
          <section key={belong} aria-label={label} className="py-1">
            <h3 className="px-3 pt-1.5 pb-0.5 text-12 text-ink-3">{label}</h3>
            <ul>
              {orders.map((order) => (
                <Row key={order.orderSn} order={order} />
              ))}
            </ul>
            {orders.length === 0 && (
              <p className="px-3 py-2 text-13 text-ink-3">
                {NONE[belong].words}，
                <Link to={NONE[belong].to} className="link">
                  {NONE[belong].way}
                </Link>
              </p>
            )}
          </section>
        ))}
    </div>
  );
}
