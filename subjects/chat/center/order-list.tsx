import { MessageSquare } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { queryOrderList, type OrderListItem } from '#subjects/orders/contract/order.ts';
import { CHAT_PAGE_SIZE, unreadText } from '#contract/rules/limits.ts';
import { call } from '#web/lib/api/api.ts';
import { Cover } from '#subjects/goods/web/parts/cover/cover.tsx';
import { detailsOf, withoutGame } from '#subjects/orders/web/parts/order/order-details.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { CHAT_PARTIES, CHAT_TABS, chatHref, type ChatData, LIGHT_TABS } from './chat-loader.ts';
import { useLatestMessages } from './latest-messages.ts';
import { amountOf, clockText, lastMessageText } from './row-text.ts';

type At = ChatData['at'];

/** Party tabs, and the four states with their number of orders. */
export function Tabs({ at, counts }: { at: At; counts: Readonly<Record<string, number>> }) {
  return (
    <>
      <nav className="mx-3 mt-3 grid grid-cols-2 rounded-control bg-sunken p-0.5" aria-label="买卖方">
        {CHAT_PARTIES.map(({ party, label }) => (
          <Link
            key={party}
            to={chatHref({ ...at, party })}
            aria-current={party === at.party ? 'true' : undefined}
            className={cx(
              'rounded-tag py-1.5 text-center text-13 leading-none max-md:py-3',
              party === at.party ? 'bg-panel font-semibold text-ink' : 'text-ink-2 hover:text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      <nav className={'mt-2 flex flex-wrap border-b border-line px-1'} aria-label="订单状态">
        {(at.light ? LIGHT_TABS : CHAT_TABS).map(({ status, label }) => {
          const on = status === at.status;
          const count = counts[String(status)] ?? 0;
          return (
            <Link
              key={status}
              to={chatHref({ ...at, status })}
              aria-current={on ? 'page' : undefined}
              className={cx(
                'relative flex-auto py-2.5 text-center text-13 whitespace-nowrap',
                on ? 'font-semibold text-brand-700' : 'text-ink-2 hover:text-ink',
              )}
            >
              {label}
              {count > 0 && <span className="ml-0.5 text-11 font-normal text-ink-3">{unreadText(count)}</span>}
              {on && <i className="absolute inset-x-4 -bottom-px h-0.5 rounded-full bg-act" aria-hidden="true" />}
            </Link>
          );
        })}
      </nav>
    </>
  );
}

/** Current time of the rows: the server's first, so that server and browser render the same, then this device's, updated every minute. */
function useNow(first: string): number {
  const [now, setNow] = useState(() => Date.parse(first));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Detail of a row: the time left, else the amount. */
function Stand({ order, now }: { order: OrderListItem; now: number }) {
  const clock = clockText(order, now);
  if (!clock) return <Amount yuan={amountOf(order)} className="flex-none" />;
  return (
    <span
      className={cx('flex-none', clock.isOverdue ? 'text-danger' : 'text-ink-2')}
      title={order.deadlineText ?? undefined}
    >
      {clock.text}
    </span>
  );
}

interface RowProps {
  order: OrderListItem;
  at: At;
  current: boolean;
  unread: number;
  last: ChatMessage | undefined;
  now: number;
}

function Row({ order, at, current, unread, last, now }: RowProps) {
  const { gameName } = detailsOf(order.details);
  const time = last ? new Date(last.sentTime).toISOString() : order.payTime;
  return (
    <li>
      <Link
        to={chatHref({ ...at, orderSn: order.orderSn })}
        aria-current={current ? 'true' : undefined}
        preventScrollReset
        className={cx(
          'flex items-center gap-2.5 border-b border-line-soft px-3 py-2.5',
          current ? 'md:bg-brand-50' : 'hover:bg-hover',
        )}
      >
        <span className="relative flex-none">
          <Picture
            src={order.thumbnail}
            alt=""
            width={54}
            height={36}
            className="w-13.5"
            fallback={<Cover seed={order.goodsSn ?? order.orderSn} />}
          />
          {unread > 0 && (
            <span className="badge absolute -top-1.5 -right-1.5">
              {unreadText(unread)}
              <span className="sr-only">条未读</span>
            </span>
          )}
        </span>
        <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate text-13 font-medium">
              {gameName && <b className="mr-1 font-semibold">{gameName}</b>}
              {withoutGame(order.bigTitle, gameName)}
            </span>
            {time && <TimeLabel at={time} form="chat" className="text-11 text-ink-3" />}
          </span>
          {/* The line is there before its message is: every group has one, and a row that grew would move those below it. */}
          {order.groupId !== null && (
            <span className="truncate text-12 text-ink-3">{last ? lastMessageText(last) : '\u00a0'}</span>
          )}
          <span className="flex items-center gap-1.5 text-12 text-ink-3">
            <TypeTag typeId={order.orderTypeId} name={order.orderTypeName} />
            <span className="min-w-0 flex-1 truncate">{order.partnerName}</span>
            <Stand order={order} now={now} />
          </span>
        </span>
      </Link>
    </li>
  );
}

interface Page {
  list: readonly OrderListItem[];
  next: string | null;
}
const NOTHING: Page = { list: [], next: null };
const pageOf = (data: { orderList: readonly OrderListItem[]; next: string | null }): Page => ({
  list: data.orderList,
  next: data.next,
});
const idOf = (order: OrderListItem): string => order.orderSn;

/** The orders of a tab, 50 per page, with unread counts. */
export function OrderList({
  data,
  current,
  hidden,
  unreadOf,
  onRetry,
  notice,
}: {
  data: ChatData;
  current: string | null;
  /** Orders that have moved to another tab since the list was loaded. */
  hidden: ReadonlySet<string>;
  unreadOf: (order: OrderListItem) => number;
  onRetry: () => void;
  notice: ReactNode;
}) {
  const { at, result, none } = data;
  const first = useMemo(() => (result.ok ? pageOf(result.data) : NOTHING), [result]);
  const last = useLatestMessages(data.last);
  const now = useNow(data.now);
  const { items, next, busy, error, more } = useCursorList<OrderListItem>(
    first,
    async (cursor) => {
      const page = await call(queryOrderList, {
        belong: at.party,
        status: at.status,
        pageSize: CHAT_PAGE_SIZE,
        cursor,
      });
      void last.fetchFor(page.orderList);
      return pageOf(page);
    },
    idOf,
  );
  const visible = items.filter((order) => !hidden.has(order.orderSn));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {notice}
      {!result.ok ? (
        <ErrorState message={result.msg} onRetry={onRetry} />
      ) : visible.length === 0 ? (
        <EmptyState
          title={none.title}
          icon={<MessageSquare className="icon size-8" strokeWidth={1.25} />}
          action={<ButtonLink to={none.to}>{none.label}</ButtonLink>}
        >
          {none.text}
        </EmptyState>
      ) : (
        <ul aria-label="订单">
          {visible.map((order) => (
            <Row
              key={order.orderSn}
              order={order}
              at={at}
              current={order.orderSn === current}
              unread={unreadOf(order)}
              last={last.of(order.groupId)}
              now={now}
            />
          ))}
        </ul>
      )}
      {(next || error) && (
        <p className="py-3 text-center text-12 text-ink-3">
          {error ?? ''}{' '}
          <Button size="sm" busy={busy} onClick={more}>
            加载更多
          </Button>
        </p>
      )}
    </div>
  );
}
