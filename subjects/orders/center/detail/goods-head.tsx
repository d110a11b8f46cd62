import { isCancelled } from '../../rules/order-status.ts';
import { staffLabel } from '../../rules/order-text.ts';
import { sellerNoun } from '../../rules/order-types.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { GoodsSummary } from '../../web/parts/order/goods-line.tsx';
import { OrderStatusLabel } from '../../web/parts/order/order-status.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import type { OrderPageData } from './load-order.ts';

/** Describes the amount of the head: a cancelled order that was never paid asks for nothing and pays nobody. */
function priceLabel({ status, payTime, viewer, money }: OrderPageData['order']): string {
  if (isCancelled(status) && !payTime) return '未成交';
  if (viewer === 'seller') return isCancelled(status) && money.sellerGets === null ? '商品价' : '您到手';
  return payTime ? '实付' : '应付';
}

/** The first panel: goods, seller and price. */
export function GoodsHead({ order }: { order: OrderPageData['order'] }) {
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
            {priceLabel(order)}，
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
          {order.viewer === 'buyer' ? sellerNoun(order.tradedTypeId) : '买家'}{' '}
          {order.partnerName.replace(/^[买卖]家(?=.)/, '')}
        </span>
        {order.staffName && <span>{staffLabel(order.staffName)}</span>}
        <span className="md:ml-auto">{fullAt(order.createTime)} 下单</span>
      </p>
    </section>
  );
}
