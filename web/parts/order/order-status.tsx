import { OrderStatus } from '#contract/rules/order-status.ts';
import { cx } from '#web/ui/class-names.ts';

/** Amber while a party has something to do, green once it is done, grey when the order was cancelled. */
function dotOf(status: number): string {
  if (status === OrderStatus.Unpaid || status === OrderStatus.Paid) return 'dot-attn';
  return status === OrderStatus.Shipped || status === OrderStatus.Completed ? 'dot-on' : '';
}

/** The state of an order with its coloured dot; the text carries the same information. */
export function OrderStatusLabel({ status, name, className }: { status: number; name: string; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 whitespace-nowrap', className)}>
      <i className={cx('dot', dotOf(status))} aria-hidden="true" />
      {name}
    </span>
  );
}
