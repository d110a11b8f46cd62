import { isCancelled, isEnded, isInProgress } from '#contract/rules/order-status.ts';
import { MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from 'react-router';
import { answerMilestone } from '#contract/services.ts';
import { orderHeadline, staffLabel } from '#contract/rules/order-text.ts';
import { notFound } from '#web/lib/not-found.ts';
import { pageMeta } from '#web/lib/site.ts';
import { DueCard, dueStep } from '#web/parts/order/due-card.tsx';
import { FeeLines } from '#web/parts/order/fee-lines.tsx';
import { GoodsSummary } from '#web/parts/order/goods-line.tsx';
import { HandoverCard } from '#web/parts/order/handover-card.tsx';
import { MoneyCard } from '#web/parts/order/money-card.tsx';
import { OrderActions } from '#web/parts/order/order-actions.tsx';
import { chatPath } from '#web/parts/order/order-links.ts';
import { OrderStatusLabel } from '#web/parts/order/order-status.tsx';
import { OfflineNote } from '#web/parts/order/offline-note.tsx';
import { OrderSteps } from '#web/parts/order/order-steps.tsx';
import { RefundCard } from '#web/parts/order/refund-card.tsx';
import { OrderReviews } from '#web/parts/review/order-reviews.tsx';
import { ServiceCard } from '#web/parts/service/service-card.tsx';
import { useMutation } from '#web/lib/use-mutation.ts';
import { ProcessList } from '#web/parts/order/process-list.tsx';
import { fullAt } from '#web/lib/times.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { ContactCard } from './detail/contact-card.tsx';
import { loadOrder, type OrderPageData } from './detail/load-order.ts';
import { Snapshot } from './detail/snapshot.tsx';
import { useAutoRefresh } from './detail/use-auto-refresh.ts';

export const handle = {
  phone: { back: true, ownBar: true },
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
  return await loadOrder(args, orderSn);
}

type Order = OrderPageData['order'];

/** The first panel: goods, seller and price. */
function GoodsHead({ order }: { order: Order }) {
  return (
    <section className="panel" aria-label="订单">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3.5">
        <GoodsSummary
          title={order.bigTitle}
          gameName={order.gameName}
          typeId={order.orderTypeId}
          typeName={order.orderTypeName}
          thumbnail={order.thumbnail}
          seed={order.goodsSn ?? order.orderSn}
          to={order.goodsSn ? `/detail/${order.goodsSn}` : undefined}
          className="flex-1 max-md:basis-full"
        >
          <p className="flex flex-wrap gap-x-4 text-12 text-ink-3">
            {order.areaText && <span>{order.areaText}</span>}
            {order.goodsNum > 1 && <span>数量 {order.goodsNum}</span>}
            <a href="#snapshot" className="link">
              下单时的内容
            </a>
          </p>
        </GoodsSummary>
        <p className="grid justify-items-end text-12 text-ink-3 max-md:flex max-md:basis-full max-md:items-baseline max-md:justify-between">
          {order.viewer === 'buyer' ? (
            <Price yuan={order.totalPrice} size="lg" />
          ) : (
            <span className="text-20 font-semibold text-ink">
              <Amount yuan={order.money.sellerGets ?? order.unitPrice} />
            </span>
          )}
          <span>
            {order.viewer === 'seller' ? '您到手' : order.payTime ? '实付' : '应付'}，
            <a href="#fees" className="link">
              费用明细
            </a>
          </span>
        </p>
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line-soft px-4 py-2 text-12 text-ink-3">
        <OrderStatusLabel status={order.status} name={order.statusName} className="text-ink-2" />
        <span className="inline-flex gap-1">
          订单 <CopyButton text={order.orderSn} label="订单编号" />
        </span>
        <span>
          {order.viewer === 'buyer' ? '卖家' : '买家'} {order.partnerName.replace(/^[买卖]家(?=.)/, '')}
        </span>
        {order.staffName && <span>{staffLabel(order.staffName)}</span>}
        <span className="md:ml-auto">{fullAt(order.createTime)} 下单</span>
      </p>
    </section>
  );
}

/**
 * The bottom bar on phones: the conversation and the due action. The button of a step covers its right part (order.css). `leading` is the
 * state of a service whose card says itself what is due.
 */
function Bar({ order, leading, onDone }: { order: Order; leading: string | null; onDone: (action: string) => void }) {
  const chat = chatPath(order);
  const step = dueStep(order);
  const ownButton = leading === null && step?.mine === true && !step.isReceipt;
  const hasAction = leading === null && order.acts.some(({ primary, enabled }) => primary && enabled);
  const { title, turn } = orderHeadline(order, order.viewer);
  return (
    <div className="order-bar">
      {chat && (
        <Link to={chat} className="order-bar-chat">
          <MessageSquare className="icon" strokeWidth={1.6} aria-hidden="true" />
          交易群
          {order.unread > 0 && <span className="badge">{Math.min(order.unread, 99)}</span>}
        </Link>
      )}
      {!ownButton && hasAction && (
        <OrderActions order={order} acts={order.acts} only="due" onDone={onDone} className="min-w-0 flex-1" />
      )}
      {!ownButton && !hasAction && (
        <p className="min-w-0 flex-1 text-13 text-ink-2">
          {leading ?? title}
          {leading !== null && <span className="block text-12 text-ink-3">在上方「服务进度」里操作</span>}
          {leading === null && turn && turn !== order.viewer && (
            <span className="block text-12 text-ink-3">您现在不用做什么</span>
          )}
        </p>
      )}
    </div>
  );
}

/** Fee lines for the viewer: what the buyer paid, or what the seller receives. */
function Fees({ order }: { order: Order }) {
  const { sellerGets, commission } = order.money;
  return (
    <section className="panel scroll-mt-4" id="fees" aria-label="费用明细">
      <div className="panel-head">
        <h2>费用明细</h2>
        <p>下单时固定，之后不变</p>
      </div>
      <FeeLines
        lines={order.lines}
        total={order.totalPrice}
        totalLabel={
          order.payTime
            ? '实付'
            : !isCancelled(order.status)
              ? '应付'
              : order.money.late === '0.00'
                ? '未支付'
                : '未成交'
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

/**
 * One order for buyer or seller: what was bought, the due action, progress, hand-over, money, fees and the snapshot of the listing. `aside`
 * is content that a page adds after the due action.
 */
export default function OrderDetailPage({ aside }: { aside?: ReactNode }) {
  const { order, service, refund, reviews, now } = useLoaderData<typeof loader>();
  const { send: answer } = useMutation(answerMilestone, { toasts: true, revalidates: 'always' });
  // A service says itself what is due, but for the buyer's own steps: payment, the account's form, the receipt.
  const isOwnStep = order.viewer === 'buyer' && dueStep(order)?.mine === true;
  const leadsItself = service !== null && service.state !== 'checking' && !isEnded(order.status) && !isOwnStep;
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [isDeleted, setDeleted] = useState(false);
  useAutoRefresh(!isEnded(order.status) && !isDeleted);
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
    <div className="order-page grid grid-cols-[minmax(0,1fr)] gap-4">
      <GoodsHead order={order} />
      {!leadsItself && <DueCard order={order} now={now} onDone={onDone} />}
      {service && (
        <ServiceCard
          service={service}
          now={now}
          confirm={(seq) => void answer({ orderId: String(order.id), seq: String(seq), act: 'confirm' })}
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
            <ButtonLink to={chat} size="sm">
              <MessageSquare className="icon" aria-hidden="true" />
              交易群
              {order.unread > 0 && <span className="badge">{Math.min(order.unread, 99)}</span>}
            </ButtonLink>
          )
        }
      >
        {progress}
      </HandoverCard>
      <MoneyCard money={order.money} now={now} />
      {refund && <RefundCard orderSn={order.orderSn} info={refund} onDone={() => void revalidate()} />}
      {isInProgress(order.status) && <ContactCard orderSn={order.orderSn} saved={order.contactSaved} />}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Fees order={order} />
        <section className="panel" aria-label="状态记录">
          <div className="panel-head">
            <h2>状态记录</h2>
          </div>
          <ProcessList entries={order.process} />
        </section>
      </div>
      <OrderReviews orderSn={order.orderSn} data={reviews} />
      <Snapshot order={order} />
      <Bar order={order} leading={leadsItself ? service.stateName : null} onDone={onDone} />
    </div>
  );
}
