import { OrderStatus, FAILED_TAB } from '#subjects/orders/rules/order-status.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { getImGroupIdMap, getImParams, lastMessages } from '#subjects/chat/contract/im.ts';
import { orderDetail, queryOrderList } from '#subjects/orders/contract/order.ts';
import { CHAT_PAGE_SIZE } from '#contract/rules/limits.ts';
import { type LoadContext, marketContext } from '#web/lib/pages/context.ts';
import { attempt } from '#web/lib/api/attempt.ts';
import { chatTab } from '#subjects/orders/web/parts/order/order-links.ts';
import { groupsOf } from './latest-messages.ts';
import { noGroups } from './no-groups-text.ts';

/** Tabs of the chat page, in the order of a trade (product.md 2); any other status counts as failed. */
export const CHAT_TABS = [
  { status: OrderStatus.Paid, label: '已付款' },
  { status: OrderStatus.Shipped, label: '已发货' },
  { status: OrderStatus.Completed, label: '交易成功' },
  { status: FAILED_TAB, label: '交易失败' },
] as const;

/** returnType: 0 the viewer buys, 1 the viewer sells. */
export const CHAT_PARTIES = [
  { party: 0, label: '我买的' },
  { party: 1, label: '我卖的' },
] as const;

/** The light layout shows orders in progress only (product.md 2). */
export const LIGHT_TABS = [
  { status: OrderStatus.Paid, label: '待发货' },
  { status: OrderStatus.Shipped, label: '已发货' },
] as const;

export interface ChatQuery {
  status: number | null;
  party: 0 | 1 | null;
  /** The order number in the URL, even when malformed; null when absent. */
  orderSn: string | null;
  light: boolean;
}

/** Parses the query; absent values are null, so that the page can choose defaults. */
export function parseChat(query: URLSearchParams): ChatQuery {
  const status = query.get('status');
  const party = query.get('returnType');
  return {
    status: status === null || status === '' ? null : ['1', '2', '3'].includes(status) ? Number(status) : -1,
    light: query.get('layout') === 'light',
    party: party === '1' ? 1 : party === '0' ? 0 : null,
    orderSn: query.get('orderSn') || null,
  };
}

/** The page's URL for a tab, a party, and an order. */
export function chatHref(at: {
  status: number;
  party: 0 | 1;
  orderSn?: string | undefined;
  light?: boolean | undefined;
}): string {
  const tail = at.orderSn === undefined ? '' : `&orderSn=${at.orderSn}`;
  return `/chatSystem?status=${at.status}&returnType=${at.party}${tail}${at.light ? '&layout=light' : ''}`;
}

type Call = LoadContext['call'];

const list = (call: Call, status: number, party: 0 | 1, pageSize: number) =>
  call(queryOrderList, { belong: party, status, pages: 1, pageSize });

/** The default tab: the first one with an order, orders in progress before finished ones. */
async function landing(call: Call, { status, party }: ChatQuery): Promise<{ status: number; party: 0 | 1 }> {
  const [bought, sold] = await Promise.all([list(call, 1, 0, 1), list(call, 1, 1, 1)]);
  const counts = [bought.counts, sold.counts];
  for (const tab of status === null ? [1, 2, 3] : [status])
    for (const on of party === null ? ([0, 1] as const) : [party])
      if ((counts[on]?.[String(tab)] ?? 0) > 0) return { status: tab, party: on };
  return { status: status ?? 1, party: party ?? 0 };
}

/** Why an order has no conversation: not found for the viewer, not paid, or a temporary load failure. */
export type ChatFault = 'missing' | 'unpaid' | 'failed';

type OrderLookup = { order: Data<typeof orderDetail>; fault: null } | { order: null; fault: ChatFault };

/** The order of a number, or why it has no conversation. Temporary failures are distinguished from missing orders. */
async function loadOrder(call: Call, orderSn: string): Promise<OrderLookup> {
  if (!/^[A-Za-z0-9-]{1,32}$/.test(orderSn)) return { order: null, fault: 'missing' };
  const lookup = await attempt(call(orderDetail, { orderSn }));
  if (lookup.ok)
    return lookup.data.status === OrderStatus.Unpaid
      ? { order: null, fault: 'unpaid' }
      : { order: lookup.data, fault: null };
  const isMissing = [codes.NOT_FOUND, codes.ORDER_NOT_FOUND, codes.ORDER_FORBIDDEN, codes.FORBIDDEN].some(
    ([code]) => code === lookup.code,
  );
  return { order: null, fault: isMissing ? 'missing' : 'failed' };
}

/** An order's group, created now for a paid order without one. Null when it has none. */
async function loadGroup(call: Call, order: { orderSn: string; groupId: string | null; payTime: string | null }) {
  if (order.groupId !== null || order.payTime === null) return order.groupId;
  const map = await attempt(call(getImGroupIdMap, { orderSnList: order.orderSn }));
  return map.ok ? (map.data[order.orderSn]?.[0]?.groupId ?? null) : null;
}

/**
 * One tab of the viewer's orders, and the order whose conversation is open: the one in the URL, else the first. An
 * order in the URL determines its tab, so that an old link still finds it. When it cannot be opened, no other order is
 * opened instead.
 */
export async function chatData({ context, request, url }: LoaderFunctionArgs) {
  const { call } = context.get(marketContext);
  const query = parseChat(url.searchParams);
  const requested = query.orderSn === null ? null : await loadOrder(call, query.orderSn);
  const named = requested?.order ?? null;
  const position = named
    ? { status: chatTab(named.status), party: named.viewer === 'buyer' ? (0 as const) : (1 as const) }
    : query.status === null || query.party === null
      ? await landing(call, query)
      : { status: query.status, party: query.party };
  const at = { ...position, light: query.light };
  const [result, im] = await Promise.all([
    attempt(list(call, at.status, at.party, CHAT_PAGE_SIZE)),
    attempt(call(getImParams, {})),
  ]);
  const first = result.ok ? result.data.orderList[0] : undefined;
  const orders = result.ok ? result.data.orderList : [];
  const [order, last] = await Promise.all([
    requested ? named : first ? loadOrder(call, first.orderSn).then((lookup) => lookup.order) : null,
    attempt(call(lastMessages, { groups: groupsOf(orders) })),
  ]);
  return {
    at,
    result,
    /** The newest message of each order's group. */
    last: last.ok ? last.data.list : [],
    order,
    groupId: order ? await loadGroup(call, order) : null,
    /** The URL names the order: a phone then shows the conversation instead of the list. */
    isNamed: requested !== null,
    /** Why the named order cannot be opened; null when it is open or none is named. */
    fault: requested?.fault ?? null,
    askedSn: query.orderSn,
    /** The text of an empty list. */
    none: noGroups(at.status, at.party),
    isOldBrowser: /MSIE |Trident\//.test(request.headers.get('user-agent') ?? ''),
    /** App key of the IM provider's SDK, when a provider delivers the messages. */
    appKey: im.ok && im.data.transport === 'rongcloud' ? im.data.appKey : null,
    now: new Date().toISOString(),
  };
}

export type ChatData = Awaited<ReturnType<typeof chatData>>;
export type ChatOrder = NonNullable<ChatData['order']>;
