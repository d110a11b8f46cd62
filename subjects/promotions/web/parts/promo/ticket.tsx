import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';
import { minimumText, shortYuan } from './coupon-text.ts';

/** A coupon as a ticket: its value on the left, its terms, and its actions. */
export function Ticket({
  kindName,
  amount,
  minimum,
  name,
  terms,
  past = false,
  children,
}: {
  kindName: string;
  amount: string;
  minimum: string;
  name: string;
  /** The expiry date and other terms. */
  terms: ReactNode;
  past?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={cx('ticket', past && 'ticket-past')}>
      <div className="ticket-worth">
        <b>
          <i>¥</i>
          {shortYuan(amount)}
        </b>
        <span className="text-12">{kindName}</span>
      </div>
      <div className="min-w-0 px-3 py-2">
        <p className="truncate text-14 font-medium" title={name}>
          {name}
        </p>
        <p className="text-12 text-ink-2">{minimumText(minimum)}</p>
        <p className="text-12 text-ink-3">{terms}</p>
      </div>
      {children && <div className="pr-3">{children}</div>}
    </div>
  );
}
