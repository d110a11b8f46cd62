import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from 'react-router';
import { orderDetail } from '#contract/order.ts';
import { refundInfo } from '#contract/pay.ts';
import { notFound } from '#web/lib/answers.ts';
import { market, marketContext } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { attempt } from '#web/parts/order/attempt.ts';
import { FeeLines } from '#web/parts/order/fee-lines.tsx';
import { HandoverCard } from '#web/parts/order/handover-card.tsx';
import { turnWords } from '#web/parts/order/handover-words.ts';
import { MoneyCard } from '#web/parts/order/money-card.tsx';
import { OrderActs } from '#web/parts/order/order-acts.tsx';
import { chatPath } from '#web/parts/order/order-links.ts';
import { OrderSteps } from '#web/parts/order/order-steps.tsx';
import { RefundCard } from '#web/parts/order/refund-card.tsx';
import { OrderReviews } from '#web/parts/review/order-reviews.tsx';
import { ProcessList } from '#web/parts/order/process-list.tsx';
import { fullAt, shortAt } from '#web/parts/order/times.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { ContactCard } from './detail/contact-card.tsx';
import { Snapshot } from './detail/snapshot.tsx';
import { useFresh } from './detail/use-fresh.ts';

export const handle = {
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
  if (!orderSn) return notFound('没有这笔订单');
  const order = await market(args).call(orderDetail, { orderSn });
  // Money may have come back once the order has ended; the page stands without the answer.
  const cameBack = (order.payTime && order.status >= 3) || order.money.late !== '0.00';
  const refund =
    order.viewer === 'buyer' && cameBack
      ? await attempt(args.context.get(marketContext).call(refundInfo, { orderSn }))
      : null;
  return { order, refund: refund?.ok ? refund.data : null, now: new Date().toISOString() };
}

type Order = ReturnType<typeof useLoaderData<typeof loader>>['order'];

/** What the order waits for, as one sentence under its state. */
function waitsFor(order: Order): string {
  if (order.status === 1 || order.status === 2) {
    if (order.cancelAsked)
      return order.viewer === 'buyer' ? '您已申请取消，等待卖家答复' : '买家申请取消订单，请尽快答复';
    const open = order.handover.some(({ state }) => state === 'current');
    if (open) return turnWords(order.handover);
    if (order.status === 1) return order.viewer === 'buyer' ? '等待卖家发货' : '请交付商品后确认发货';
    return order.viewer === 'buyer' ? '请核对商品后确认收货' : '等待买家验收确认';
  }
  if (order.status === 0) return order.viewer === 'buyer' ? '付款后货款由平台托管' : '等待买家付款';
  if (order.status === 3) return order.money.released ? '货款已放给卖家' : '货款在保护期内冻结，期满自动放款';
  return order.process.at(-1)?.explain ?? '';
}

function Deadline({ order, now }: { order: Order; now: string }) {
  // A clock that waits for steps has a sentence and no time.
  if (!order.deadline) return order.deadlineText ? <span className="text-danger">{order.deadlineText}</span> : null;
  if (order.status === 0) {
    return (
      <>
        剩 <Countdown until={order.deadline} now={now} />，{order.deadlineText}
      </>
    );
  }
  return (
    <span title={fullAt(order.deadline)}>
      {shortAt(order.deadline)}，{order.deadlineText}
    </span>
  );
}

function Head({ order, now, onDone }: { order: Order; now: string; onDone: (act: string) => void }) {
  return (
    <section className="panel">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-line-soft px-4 py-3.5 md:px-5">
        <h1 className="text-20 font-semibold">{order.statusName}</h1>
        <p className="min-w-0 flex-1 text-13 text-ink-2 max-md:basis-full" aria-live="polite">
          {waitsFor(order)}
        </p>
        <OrderActs order={order} acts={order.acts} reasons onDone={onDone} />
      </div>
      <div className="px-4 pt-5 pb-4 md:px-5">
        <OrderSteps steps={order.steps} />
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line-soft px-4 py-2.5 text-12 text-ink-3 md:px-5">
        <span className="inline-flex gap-1">
          订单 <CopyButton text={order.orderSn} label="订单编号" />
        </span>
        <span>
          {order.viewer === 'buyer' ? '卖家' : '买家'} {order.partnerName}
        </span>
        {order.staffName && <span>客服 {order.staffName}</span>}
        <span className="md:ml-auto">
          <Deadline order={order} now={now} />
        </span>
      </p>
    </section>
  );
}

/** Fee lines as the viewer has them: what the buyer paid, and for the seller what arrives. */
function Fees({ order }: { order: Order }) {
  const { sellerGets, commission } = order.money;
  return (
    <section className="panel" aria-label="费用明细">
      <div className="panel-head">
        <h2>费用明细</h2>
        <p>下单时固定，之后不变</p>
      </div>
      <FeeLines
        lines={order.lines}
        total={order.totalPrice}
        totalLabel={
          order.payTime ? '实付' : order.status < 6 ? '应付' : order.money.late === '0.00' ? '未支付' : '未成交'
        }
        rules="folded"
        className="px-4 py-3"
      />
      {sellerGets !== null && (
        <dl className="border-t border-line-soft px-4 py-3 text-13 text-ink-2">
          {commission !== null && (
            <div className="flex justify-between">
              <dt>卖家佣金</dt>
              <dd>
                <Amount yuan={commission} sign="-" />
              </dd>
            </div>
          )}
          <div className="mt-1 flex justify-between text-ink">
            <dt className="font-semibold">您到手</dt>
            <dd className="font-semibold">
              <Amount yuan={sellerGets} />
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}

/** One order for buyer or seller: its way, the hand-over, the money, the fees, the goods as they were, the conversation. */
export default function OrderDetailPage() {
  const { order, refund, now } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [gone, setGone] = useState(false);
  useFresh(order.status <= 2 && !gone);
  const chat = chatPath(order);
  const onDone = (act: string) => {
    if (act !== 'delete') return;
    setGone(true);
    void navigate(order.viewer === 'buyer' ? '/center/buyGoodsOrder' : '/center/sellOrder', { replace: true });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Head order={order} now={now} onDone={onDone} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4">
        <HandoverCard
          typeId={order.orderTypeId}
          orderId={order.id}
          steps={order.handover}
          ruledOut={order.ruledOut}
          openings={order.openings}
          staffName={order.staffName}
          isOver={order.status >= 6}
          aside={
            chat && (
              <ButtonLink to={chat} size="sm">
                <MessageSquare className="icon" aria-hidden="true" />
                交易群
                {order.unread > 0 && <span className="badge">{Math.min(order.unread, 99)}</span>}
              </ButtonLink>
            )
          }
        />
        {order.status >= 1 && order.status <= 2 && <ContactCard orderSn={order.orderSn} saved={order.contactSaved} />}
        <MoneyCard money={order.money} now={now} />
        {refund && <RefundCard orderSn={order.orderSn} info={refund} onDone={() => void revalidate()} />}
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Fees order={order} />
          <section className="panel" aria-label="状态记录">
            <div className="panel-head">
              <h2>状态记录</h2>
            </div>
            <ProcessList entries={order.process} />
          </section>
        </div>
        <OrderReviews orderSn={order.orderSn} status={order.status} />
        <Snapshot order={order} />
      </div>
    </div>
  );
}
