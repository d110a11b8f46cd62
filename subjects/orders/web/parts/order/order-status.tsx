import { orderTone } from '../../../rules/order-status.ts';
import { cx } from '#web/ui/class-names.ts';

const DOTS = { attention: 'dot-attn', good: 'dot-on', none: '' } as const;

/** The state of an order with its coloured dot; the text carries the same information. */
export function OrderStatusLabel({ status, name, className }: { status: number; name: string; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 whitespace-nowrap', className)}>
      <i className={cx('dot', DOTS[orderTone(status)])} aria-hidden="true" />
      {name}
    </span>
  );
}
