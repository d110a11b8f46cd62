import { MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useNavigate, useRevalidator } from 'react-router';
import { isCancelled, isEnded, isInProgress } from '../rules/order-status.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { DueCard } from '../web/parts/order/due-card.tsx';
import { FeeLines } from '../web/parts/money/fee-lines.tsx';
import { HandoverCard } from '../web/parts/handover/handover-card.tsx';
import { MoneyCard } from '../web/parts/money/money-card.tsx';
import { MoneyParts } from '../web/parts/money/money-parts.tsx';
import { OfflineNote } from '../web/parts/handover/offline-note.tsx';
import { chatPath } from '../web/parts/order/order-links.ts';
import { withoutGame } from '../web/parts/order/order-details.ts';
import { OrderSteps } from '../web/parts/order/order-steps.tsx';
import { ProcessList } from '../web/parts/handover/process-list.tsx';
import { RefundCard } from '#subjects/payments/web/parts/money/refund-card.tsx';
import { TroubleCard } from '../web/parts/order/trouble-card.tsx';
import { OrderReviews } from '#subjects/reviews/web/parts/review/order-reviews.tsx';
import { ServiceCard } from '#subjects/services/web/parts/service/service-card.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { ChatColumn } from './detail/chat-column.tsx';
import { ContactCard } from './detail/contact-card.tsx';
import { GoodsHead } from './detail/goods-head.tsx';
import { loadOrder, type OrderPageData } from './detail/load-order.ts';
import { OrderBar } from './detail/order-bar.tsx';
import { Snapshot } from './detail/snapshot.tsx';
import { CutDue, TakeOverDue } from '#subjects/recycling/center/recycle-due.tsx';
import { useAutoRefresh } from '#web/lib/loading/use-auto-refresh.ts';

export const handle = {
  phone: { back: true, title: '订单', ownBar: true },
  isWide: true,
  crumb: (data: unknown) => ({
    under: (data as { order: Order }).order.viewer === 'buyer' ? '/center/buyGoodsOrder' : '/center/sellOrder',
    name: '订单详情',
  }),
};

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '订单详情', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const orderSn = args.url.searchParams.get('orderSn');
  if (!orderSn) return redirect('/center/buyGoodsOrder');
  return await loadOrder(args, orderSn);
}

type Order = OrderPageData['order'];

/** Fee lines of an unpaid order; those of a paid one are shown with its money. */
function Fees({ order }: { order: Order }) {
  const label = !isCancelled(order.status) ? '应付' : order.money.late === '0.00' ? '未支付' : '未成交';
  return (
    <section className="panel scroll-mt-4" id="fees" aria-label="费用明细">
      <div className="panel-head">
        <h2>费用明细</h2>
        <p>下单时固定，之后不变</p>
      </div>
      <FeeLines lines={order.lines} total={order.totalPrice} totalLabel={label} rules="folded" className="px-4 py-3" />
    </section>
  );
}

/**
 * One order for buyer or seller: the item, the due action, progress, money, help with problems, and the snapshot of the
 * listing; on wide screens with the conversation next to it. `aside` is content that a page adds after the due action.
 */
export default function OrderDetailPage({ aside }: { aside?: ReactNode }) {
  const { order, service, recycle, refund, reviews, now } = useLoaderData<typeof loader>();
  // For a service, the order's card contains the same as for goods: a dispute, the receipt, and the form for the
  // buyer's account.
  const kind = service?.due.kind ?? 'over';
  const isOrders =
    kind === 'disputed' || kind === 'check' || kind === 'over' || (kind === 'account' && order.viewer === 'buyer');
  const leadsItself = service !== null && !isEnded(order.status) && !isOrders;
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [isDeleted, setDeleted] = useState(false);
  useAutoRefresh(!isEnded(order.status) && !isDeleted);
  const isToTakeOver = order.takeOver === 'recycler' && order.viewer === 'buyer' && !order.disputed;
  const chat = chatPath(order);
  const progress = (
    <div className="border-b border-line-soft px-4 pt-5 pb-4 md:px-5">
      <OrderSteps steps={order.steps} />
    </div>
  );
  const onDone = (action: string) => {
    if (action !== 'delete') return;
    setDeleted(true);
    void navigate(order.viewer === 'buyer' ? '/center/buyGoodsOrder' : '/center/sellOrder', { replace: true });
  };
  return (
    <div className="order-page">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
        <GoodsHead order={order} />
        {leadsItself && <h1 className="sr-only">订单详情</h1>}
        {!leadsItself &&
          (recycle?.status === 'reconfirm' && !order.disputed ? (
            <CutDue request={recycle} />
          ) : (
            <DueCard order={order} now={now} onDone={onDone} />
          ))}
        {isToTakeOver && order.goodsSn && <TakeOverDue requestSn={order.goodsSn} />}
        {service && (
          <ServiceCard
            service={service}
            now={now}
            what={[order.gameName, withoutGame(order.bigTitle, order.gameName)].filter(Boolean).join(' ')}
            isLeading={leadsItself}
          />
        )}
        <OfflineNote offline={order.offline} viewer={order.viewer} />
        {aside}
        {order.handover.length === 0 && <section className="panel">{progress}</section>}
        <HandoverCard
          typeId={order.tradedTypeId}
          orderId={order.id}
          steps={order.handover}
          ruledOut={order.ruledOut}
          openings={order.openings}
          isOver={isCancelled(order.status)}
          aside={
            chat && (
              <ButtonLink to={chat} size="sm" className="xl:hidden">
                <MessageSquare className="icon" aria-hidden="true" />
                交易群
                {order.unread > 0 && <span className="badge">{Math.min(order.unread, 99)}</span>}
              </ButtonLink>
            )
          }
        >
          {progress}
        </HandoverCard>
        <MoneyCard money={order.money} now={now}>
          {order.payTime && (
            <MoneyParts money={order.money} lines={order.lines} total={order.totalPrice} totalLabel="实付" />
          )}
        </MoneyCard>
        {!order.payTime && <Fees order={order} />}
        <TroubleCard order={order} isAccepted={service?.state !== 'pending'} onDone={onDone} />
        {refund && (
          <RefundCard
            orderSn={order.orderSn}
            info={refund}
            total={order.totalPrice}
            isOver={isEnded(order.status)}
            onDone={() => void revalidate()}
          />
        )}
        {isInProgress(order.status) && <ContactCard orderSn={order.orderSn} saved={order.contactSaved} />}
        <OrderReviews orderSn={order.orderSn} data={reviews} />
        <section className="panel" aria-label="状态记录">
          <div className="panel-head">
            <h2>状态记录</h2>
          </div>
          <ProcessList entries={order.process} />
        </section>
        <Snapshot order={order} />
      </div>
      <ChatColumn order={order} />
      <OrderBar order={order} leading={leadsItself ? service.due.title : null} onDone={onDone} />
    </div>
  );
}
