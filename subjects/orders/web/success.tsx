import { CircleCheck, Lock, MessageSquare, ScanLine, ShieldCheck } from 'lucide-react';
import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { serviceOrder } from '#subjects/services/contract/services.ts';
import { OrderStatus, isCancelled } from '../rules/order-status.ts';
import { handoverName, isAccountOrder, isService } from '../rules/order-types.ts';
import { staffLabel } from '../rules/order-text.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { protectionText } from '../rules/protection.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { GoodsSummary } from './parts/order/goods-line.tsx';
import { chatPath, orderPath } from './parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { ServiceNext } from '#subjects/services/web/parts/service/service-next.tsx';
import { Next } from './parts/actions/next.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';

export const handle = { phone: { back: true, isShort: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '支付成功', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const orderSn = args.url.searchParams.get('orderSn');
  if (!orderSn) return notFound('没有这笔订单');
  const { call } = market(args);
  const order = await call(orderDetail, { orderSn });
  if (order.viewer !== 'buyer') return notFound('订单不存在');
  const base = args.url.pathname.replace(/\/success\/?$/, '');
  if (order.status === OrderStatus.Unpaid) return redirect(`${base}/pay?orderSn=${orderSn}`);
  if (isCancelled(order.status)) return redirect(orderPath(orderSn));
  return { order, service: isService(order.orderTypeId) ? await call(serviceOrder, { orderSn }) : null };
}

/** After payment: the next steps, with links to the order and the conversation. */
export default function SuccessPage() {
  const { order, service } = useLoaderData<typeof loader>();
  const chat = chatPath(order);
  return (
    <section className="panel mx-auto my-4 max-w-150 md:my-8" aria-labelledby="paid">
      <div className="grid justify-items-center gap-2 px-4 pt-8 pb-6 text-center">
        <CircleCheck className="icon size-12 text-safe" strokeWidth={1.25} aria-hidden="true" />
        <div role="status">
          <h1 id="paid" className="text-20 font-semibold">
            付款成功
          </h1>
        </div>
        <Price yuan={order.totalPrice} size="lg" />
        <p className="text-13 text-ink-2">
          {service ? '货款已由平台托管，按完成的部分付给对方。' : '货款已由平台托管，您验收、保护期满后才放款给卖家。'}
        </p>
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          <ButtonLink to={orderPath(order.orderSn)} kind="primary" size="lg">
            查看订单
          </ButtonLink>
          {chat && (
            <ButtonLink to={chat} size="lg">
              进入交易群
            </ButtonLink>
          )}
        </div>
      </div>
      <div className="border-t border-line-soft px-4 py-3.5">
        <GoodsSummary
          title={order.bigTitle}
          gameName={order.gameName}
          typeId={order.orderTypeId}
          typeName={order.orderTypeName}
          thumbnail={order.thumbnail}
          seed={order.goodsSn ?? order.orderSn}
          lines={1}
        >
          <p className="text-12 text-ink-3">订单 {order.orderSn}</p>
        </GoodsSummary>
      </div>
      {service ? (
        <ServiceNext service={service} staffName={order.staffName} protection={order.protection} />
      ) : (
        <ol className="border-t border-line-soft px-4 py-2" aria-label="接下来">
          <Next icon={<MessageSquare className="icon size-5" />} title="卖家与客服进入交易群">
            {order.staffName ? `${staffLabel(order.staffName)}负责本单。` : '客服会在群里带着双方一步一步完成。'}
            {order.deadline && `卖家须在 ${fullAt(order.deadline)} 前发货；逾期您可立即取消，一直未发货自动全额退款。`}
          </Next>
          {order.handover.length > 0 ? (
            <Next
              icon={<ScanLine className="icon size-5" />}
              title={`${handoverName(order.tradedTypeId)}，共 ${order.handover.length} 步`}
            >
              {order.due.title}。每一步有时限和凭证
              {isAccountOrder(order.tradedTypeId) && '，账号密码只走密封信息'}。
            </Next>
          ) : (
            <Next icon={<ScanLine className="icon size-5" />} title="卖家发货">
              发货后请在游戏内核对数量与内容。
            </Next>
          )}
          <Next icon={<Lock className="icon size-5" />} title="核对无误再确认收货">
            不要提前确认，也不要离开本站付款或加好友。
          </Next>
          <Next icon={<ShieldCheck className="icon size-5" />} title="保护期内仍可申诉">
            {protectionText(order.protection)}；期满没有申诉才放款给卖家。
          </Next>
        </ol>
      )}
    </section>
  );
}
