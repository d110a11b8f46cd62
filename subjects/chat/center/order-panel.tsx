import { isCancelled, isInProgress } from '#subjects/orders/rules/order-status.ts';
import { isService, sellerNoun } from '#subjects/orders/rules/order-types.ts';
import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { Cover } from '#subjects/goods/web/parts/cover/cover.tsx';
import { HandoverCard } from '#subjects/orders/web/parts/handover/handover-card.tsx';
import { OrderActions } from '#subjects/orders/web/parts/actions/order-actions.tsx';
import { withoutGame } from '#subjects/orders/web/parts/order/order-details.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { OrderStatusLabel } from '#subjects/orders/web/parts/order/order-status.tsx';
import { ProcessList } from '#subjects/orders/web/parts/handover/process-list.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import type { ReactNode } from 'react';
import type { ChatOrder } from './chat-loader.ts';

/** Only orders with a mark have it. */
const OfflineNote = lazyWithRetry(() => import('./offline-note.lazy.tsx'));
/** Only services have it. */
const ServiceDue = lazyWithRetry(() => import('./service-due.lazy.tsx'));

function DetailRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1 text-13">
      <dt className="flex-none text-ink-3">{name}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}

function Goods({ order }: { order: ChatOrder }) {
  const text = (
    <>
      <b className="mr-1 font-semibold">{order.gameName}</b>
      {withoutGame(order.bigTitle, order.gameName)}
    </>
  );
  return (
    <div className="flex gap-3">
      <Picture
        src={order.thumbnail}
        alt=""
        width={84}
        height={60}
        className="w-21 flex-none"
        fallback={<Cover seed={order.goodsSn ?? order.orderSn} />}
      />
      <div className="min-w-0">
        <p className="line-clamp-2 text-13">
          <TypeTag typeId={order.orderTypeId} name={order.orderTypeName} className="mr-1 align-[1px]" />
          {order.goodsSn ? (
            <Link to={`/detail/${order.goodsSn}`} className="hover:text-link">
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        {order.areaText && <p className="mt-0.5 truncate text-12 text-ink-3">{order.areaText}</p>}
      </div>
    </div>
  );
}

/** The order's cost; the paid amount and the guarantee are visible to the buyer only (product.md 2). */
function Money({ order }: { order: ChatOrder }) {
  return (
    <dl className="border-t border-line-soft px-4 py-2">
      <DetailRow name="单价">
        <Amount yuan={order.unitPrice} />
        {order.goodsNum > 1 && <span className="text-ink-3"> × {order.goodsNum}</span>}
      </DetailRow>
      {order.viewer === 'buyer' && (
        <>
          <DetailRow name="包赔费">{order.ensureId > 0 ? <Amount yuan={order.ensurePrice} /> : '未购买'}</DetailRow>
          {order.fixEnsureId > 0 && (
            <DetailRow name="找回包赔费">
              <Amount yuan={order.fixEnsurePrice} />
            </DetailRow>
          )}
          <DetailRow name={order.payTime ? '实付' : '应付'}>
            <Price yuan={order.totalPrice} />
          </DetailRow>
        </>
      )}
      {order.viewer === 'seller' && order.money.sellerGets !== null && (
        <DetailRow name="到手">
          <Amount yuan={order.money.sellerGets} className="font-semibold" />
        </DetailRow>
      )}
    </dl>
  );
}

/** The order next to its conversation: state and due action, hand-over, money, history. */
export function OrderPanel({ order }: { order: ChatOrder }) {
  const isOfService = isService(order.tradedTypeId);
  return (
    <div className="grid content-start gap-3 p-3">
      {isOfService && <ServiceDue key={order.status} order={order} />}
      <section className="panel" aria-label="订单">
        <div className="flex items-center justify-between gap-3 px-4 pt-3">
          <OrderStatusLabel status={order.status} name={order.statusName} className="text-14 font-semibold" />
          {order.deadline && order.deadlineText && (
            <span className="text-right text-12 text-ink-3" title={fullAt(order.deadline)}>
              {shortAt(order.deadline)}，{order.deadlineText}
            </span>
          )}
        </div>
        <div className="px-4 py-3">
          <Goods order={order} />
        </div>
        <OrderActions order={order} actions={order.acts} reasons className="px-4 pb-3" />
        <Money order={order} />
        <dl className="border-t border-line-soft px-4 py-2">
          <DetailRow name="订单编号">
            <CopyButton text={order.orderSn} label="订单编号" />
          </DetailRow>
          {order.payTime && <DetailRow name="付款时间">{fullAt(order.payTime)}</DetailRow>}
          <DetailRow name={order.viewer === 'buyer' ? sellerNoun(order.orderTypeId) : '买家'}>
            {order.partnerName}
          </DetailRow>
          {order.staffName && <DetailRow name="平台客服">{staffLabel(order.staffName)}</DetailRow>}
        </dl>
        <Link
          to={orderPath(order.orderSn)}
          className="flex items-center justify-center gap-1 border-t border-line-soft py-2.5 text-12 text-link"
        >
          查看订单详情
          <ExternalLink className="icon size-3.5" aria-hidden="true" />
        </Link>
      </section>
      {order.offline.state !== 'none' && <OfflineNote offline={order.offline} viewer={order.viewer} />}
      {isInProgress(order.status) && (
        <HandoverCard
          orderId={order.id}
          typeId={order.tradedTypeId}
          steps={order.handover}
          ruledOut={order.ruledOut}
          openings={order.openings}
          due={!isOfService && { viewer: order.viewer, staffName: order.staffName, protection: order.protection }}
          isOver={isCancelled(order.status)}
        />
      )}
      <section className="panel" aria-label="状态记录">
        <div className="panel-head">
          <h2>状态记录</h2>
        </div>
        <ProcessList entries={order.process} />
      </section>
    </div>
  );
}
