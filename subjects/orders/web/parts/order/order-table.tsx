import { OrderStatus, isEnded, nextDeadline } from '../../../rules/order-status.ts';
import { isService } from '../../../rules/order-types.ts';
import { MessageSquare } from 'lucide-react';
import { Link } from 'react-router';
import type { OrderListItem } from '#subjects/orders/contract/order.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { GoodsSummary } from './goods-line.tsx';
import { OfflineTag } from '../handover/offline-note.tsx';
import { OrderActions } from '../actions/order-actions.tsx';
import { chatPath, orderPath } from './order-links.ts';
import { detailsOf } from './order-details.ts';
import { OrderStatusLabel } from './order-status.tsx';
import { fenOf } from '#web/lib/format/format.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';

/** The next deadline of the order; a countdown only when minutes matter. */
function DueText({ order, now }: { order: OrderListItem; now: string }) {
  const { at, isStep } = nextDeadline(order);
  if (at === null) return <span>{order.acts.some(({ act }) => act === 'rate') ? '可评价' : order.partnerName}</span>;
  if (order.status === OrderStatus.Unpaid) {
    return (
      <span>
        剩 <Countdown until={at} now={now} />
      </span>
    );
  }
  const isPast = (time: string): boolean => Date.parse(time) <= Date.parse(now);
  const isPaid = order.status === OrderStatus.Paid;
  const work = isService(order.orderTypeId) ? '完成' : '发货';
  const isWorkLate = isPaid && order.deadline !== null && isPast(order.deadline);
  const title = `${fullAt(order.deadline ?? at)} ${order.deadlineText ?? ''}`;
  if (isWorkLate || (isStep && isPast(at)))
    return (
      <span className="text-danger" title={title}>
        {isWorkLate ? `${work}已超时` : '这一步已超时'}
      </span>
    );
  return (
    <span title={title}>
      {isStep ? `这一步 ${shortAt(at)} 前` : `${shortAt(at)} ${isPaid ? `前${work}` : '自动确认'}`}
    </span>
  );
}

function ChatLink({ order }: { order: OrderListItem }) {
  const chat = chatPath(order);
  if (!chat || isEnded(order.status)) return null;
  return (
    <Link to={chat} className="hit inline-flex items-center gap-1 text-12 text-ink-3 hover:text-link">
      <MessageSquare className="icon size-3.5" aria-hidden="true" />
      交易群
      {order.unread > 0 && <span className="badge">{Math.min(order.unread, 99)}</span>}
    </Link>
  );
}

/**
 * The one button of a row: the viewer's pending action, a new search after a cancelled order, otherwise the order's
 * page.
 */
function RowAction({ order }: { order: OrderListItem }) {
  const action =
    order.acts.find(({ primary, enabled }) => primary && enabled) ??
    order.acts.find(({ act: action }) => action === 'again');
  if (action) return <OrderActions order={order} actions={[action]} size="sm" />;
  return (
    <ButtonLink to={orderPath(order.orderSn)} size="sm">
      查看
    </ButtonLink>
  );
}

/** For the buyer the payment; for the seller what the order brings, and what was deducted from its price. */
function Money({ order: { sale, status, totalPrice } }: { order: OrderListItem }) {
  if (!sale) return <Price yuan={totalPrice} />;
  const { price, commission, gets } = sale;
  if (isEnded(status) && fenOf(gets) === 0)
    return (
      <span className="grid gap-0.5 text-12 text-ink-3">
        <Amount yuan={price} className="text-14" />
        没有收入
      </span>
    );
  return (
    <span className="grid gap-0.5 text-12 text-ink-3 max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-2">
      <span>
        到手 <Amount yuan={gets} className="text-14 font-semibold text-ink" />
      </span>
      <span>
        {commission === null ? (
          '退款后'
        ) : fenOf(commission) === 0 ? (
          '免佣金'
        ) : (
          <>
            佣金 <Amount yuan={commission} sign="-" />
          </>
        )}
      </span>
    </span>
  );
}

function Row({ order, now }: { order: OrderListItem; now: string }) {
  const { gameName, region } = detailsOf(order.details);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0 md:grid-cols-[minmax(0,1fr)_96px_136px_96px] xl:grid-cols-[minmax(0,1fr)_112px_148px_112px]">
      <GoodsSummary
        title={order.bigTitle}
        gameName={gameName}
        typeId={order.orderTypeId}
        typeName={order.orderTypeName}
        thumbnail={order.thumbnail}
        seed={order.goodsSn ?? order.orderSn}
        to={orderPath(order.orderSn)}
        lines={1}
        className="max-md:col-span-2"
      >
        <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
          <span className="max-md:hidden">{order.orderSn}</span>
          <time className="max-md:hidden" dateTime={order.createTime}>
            {fullAt(order.createTime)}
          </time>
          {region && <span>{region}</span>}
          {order.goodsNum > 1 && <span>数量 {order.goodsNum}</span>}
          <OfflineTag offline={order.offline} />
        </p>
      </GoodsSummary>
      <span className="max-md:order-2 max-md:pl-27">
        <Money order={order} />
      </span>
      <span className="grid gap-0.5 text-13 max-md:order-first max-md:col-span-2 max-md:flex max-md:items-baseline max-md:gap-2 max-md:font-semibold">
        <OrderStatusLabel status={order.status} name={order.statusName} />
        <span className="text-12 font-normal text-ink-3 md:pl-3.5">
          <DueText order={order} now={now} />
        </span>
      </span>
      <span className="grid justify-items-end gap-1.5 max-md:order-3 max-md:flex max-md:items-center max-md:justify-end max-md:gap-4">
        <ChatLink order={order} />
        <RowAction order={order} />
      </span>
    </li>
  );
}

/** Orders as a table on wide screens and as cards on phones: item, price, state with its deadline, next action. */
export function OrderTable({ orders, now, label }: { orders: readonly OrderListItem[]; now: string; label: string }) {
  return (
    <>
      <div
        className="grid h-9 grid-cols-[minmax(0,1fr)_96px_136px_96px] items-center gap-x-4 border-b border-line-soft px-4 text-12 text-ink-3 max-md:hidden xl:grid-cols-[minmax(0,1fr)_112px_148px_112px]"
        aria-hidden="true"
      >
        <span>商品</span>
        <span>{orders.some(({ sale }) => sale) ? '到手' : '金额'}</span>
        <span>状态</span>
        <span className="text-right">操作</span>
      </div>
      <ul aria-label={label}>
        {orders.map((order) => (
          <Row key={order.orderSn} order={order} now={now} />
        ))}
      </ul>
    </>
  );
}
