import { OrderStatus, FAILED_TAB } from '#subjects/orders/rules/order-status.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { queryOrderList } from '#subjects/orders/contract/order.ts';
import { type Belong } from '#contract/rules/parties.ts';
import { marketContext } from '#web/lib/pages/context.ts';
import { attempt } from '#web/lib/api/attempt.ts';

/** Orders on a page of the list. */
export const ORDERS_PAGE = 10;

/** States of the tabs, in the order of a trade; the last lists cancelled orders (product.md 2). */
export const ORDER_TABS = [
  { status: null, label: '全部' },
  { status: OrderStatus.Unpaid, label: '待付款' },
  { status: OrderStatus.Paid, label: '待发货' },
  { status: OrderStatus.Shipped, label: '待收货' },
  { status: OrderStatus.Completed, label: '交易成功' },
  { status: FAILED_TAB, label: '已取消' },
] as const;

/**
 * The filters other than tab and keyword: days in China's time zone (2026-11-20), a type of goods, offline orders only;
 * empty when not chosen.
 */
export const ORDER_FILTERS = ['minTime', 'maxTime', 'goodsTypeId', 'isRecovery'] as const;
export type OrderFilters = Partial<Record<(typeof ORDER_FILTERS)[number], string>>;

const FILTER_FORMS: Readonly<Record<(typeof ORDER_FILTERS)[number], RegExp>> = {
  minTime: /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  maxTime: /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  goodsTypeId: /^\d{1,2}$/,
  isRecovery: /^1$/,
};

export interface OrdersState {
  status: number | null;
  page: number;
  keyWord: string;
  filters: OrderFilters;
}

/** Parses the query of a list of orders. An unknown tab, page or filter counts as absent. */
export function parseOrders(query: URLSearchParams): OrdersState {
  const status = ORDER_TABS.find((tab) => tab.status !== null && String(tab.status) === query.get('status'))?.status;
  const page = Number(query.get('pages') ?? 1);
  return {
    status: status ?? null,
    page: Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1,
    keyWord: (query.get('keyWord') ?? '').trim().slice(0, 40),
    filters: Object.fromEntries(
      ORDER_FILTERS.flatMap((name) => {
        const value = query.get(name) ?? '';
        return FILTER_FORMS[name].test(value) ? [[name, value]] : [];
      }),
    ),
  };
}

/**
 * Why a list is empty although orders may exist: a page beyond the end, or the filters; null when there are none at
 * all.
 */
export function emptyReason({ status, page, keyWord, filters }: OrdersState): string | null {
  if (page > 1) return '这一页没有订单';
  return status !== null || keyWord !== '' || Object.keys(filters).length > 0 ? '没有符合条件的订单' : null;
}

/** The URL of a list; defaults are left out. */
export function ordersPath(
  path: string,
  { status, page = 1, keyWord, filters = {} }: Partial<OrdersState> & Pick<OrdersState, 'status' | 'keyWord'>,
): string {
  const query = new URLSearchParams();
  if (status !== null) query.set('status', String(status));
  if (keyWord) query.set('keyWord', keyWord);
  for (const name of ORDER_FILTERS) if (filters[name]) query.set(name, filters[name]);
  if (page > 1) query.set('pages', String(page));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A page of the viewer's orders, bought or sold. */
export async function ordersData({ context, url }: LoaderFunctionArgs, belong: Belong, goodsTypeId?: number) {
  const state = parseOrders(url.searchParams);
  const { status, page, keyWord, filters } = state;
  const result = await attempt(
    context.get(marketContext).call(queryOrderList, {
      belong,
      pages: page,
      pageSize: ORDERS_PAGE,
      ...filters,
      // The last day is included.
      ...(filters.minTime && { minTime: `${filters.minTime}T00:00:00+08:00` }),
      ...(filters.maxTime && { maxTime: `${filters.maxTime}T23:59:59+08:00` }),
      ...(goodsTypeId !== undefined && { goodsTypeId }),
      ...(status !== null && { status }),
      ...(keyWord && { keyWord }),
    }),
  );
  return { state, result, now: new Date().toISOString() };
}

export type OrdersData = Awaited<ReturnType<typeof ordersData>>;
