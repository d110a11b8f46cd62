import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { middlemanInfo } from '#subjects/middleman/contract/middleman.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';

export type Paid = NonNullable<Data<typeof middlemanInfo>['alreadyPaid']>;

/** Warns a buyer who has paid the same seller for something that is not completed (decision 715). */
export function AlreadyPaid({ seller, paid, className }: { seller: string; paid: Paid; className?: string }) {
  return (
    <p
      className={cx(
        'flex items-start gap-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn',
        className,
      )}
    >
      <CircleAlert className="icon mt-0.5" aria-hidden="true" />
      <span className="min-w-0">
        您从 {seller} 买的“{paid.title}”已付款 ¥{grouped(paid.price)}
        ，还没有完成。如果是同一个账号或物品，请不要再付一次；对方要求重新付款时，先在
        <Link to={orderPath(paid.orderSn)} className="link">
          那笔订单
        </Link>
        里联系客服。
      </span>
    </p>
  );
}
