import type { ReactNode } from 'react';
import { type OrderType, orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { cx } from './class-names.ts';

/** The fixed colour of each type's tag: related types share one (product.md 9). */
const STYLES: Readonly<Record<number, string>> = {
  1: 'account',
  2: 'coin',
  8: 'first',
  22: 'coin',
  27: 'item',
  50: 'consign',
  51: 'consign',
  52: 'first',
  53: 'coin',
  60: 'service',
  61: 'service',
} satisfies Record<OrderType, string>;

/** The tag of a listing or order type: its colour is the same for every distributor. */
export function TypeTag({
  typeId,
  name,
  className,
}: {
  typeId: number;
  name?: string | undefined;
  className?: string;
}) {
  const style = STYLES[typeId];
  return <span className={cx('tag', style && `tag-${style}`, className)}>{name || orderTypeName(typeId)}</span>;
}

/** A small label on a background: green is only 'safe', amber 'attention', red 'danger'. */
export function Tag({
  tone,
  children,
  className,
}: {
  tone?: 'safe' | 'attn' | 'danger';
  children: ReactNode;
  className?: string;
}) {
  return <span className={cx('tag', tone && `tag-${tone}`, className)}>{children}</span>;
}

/** An attribute of a listing: name and value. */
export function Chip({ name, children, tint = false }: { name?: ReactNode; children?: ReactNode; tint?: boolean }) {
  return (
    <span className={cx('chip', tint && 'chip-tint')}>
      {name}
      {children !== undefined && <b>{children}</b>}
    </span>
  );
}
