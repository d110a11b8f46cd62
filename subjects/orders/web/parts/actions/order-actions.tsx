import { type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import {
  type ActionOrder,
  actionKind,
  isBarOnly,
  isInBar,
  isInMenu,
  type OrderAction,
  visibleActions,
} from './action-kinds.ts';
import type { AskedAction } from './more-actions.lazy.tsx';
import { orderPath } from '../order/order-links.ts';

const ActionDialog = lazyWithRetry(() => import('./action-dialog.lazy.tsx'));
const MoreActions = lazyWithRetry(() => import('./more-actions.lazy.tsx'));
const ReceiptDialog = lazyWithRetry(() => import('./receipt-dialog.lazy.tsx'));

/**
 * The buttons of an order, from the server's transition table. A disabled one states the reason. After an action the
 * page's data is reloaded, because money and state are only displayed as the server reports them.
 */
export function OrderActions({
  order,
  actions,
  size = 'md',
  reasons = false,
  only,
  isStart = false,
  note,
  onDone,
  className,
}: {
  order: ActionOrder;
  actions: readonly OrderAction[];
  size?: 'sm' | 'md';
  /** Displays the reason of a disabled button below it, besides its tooltip. */
  reasons?: boolean;
  /** Only the due actions; or all others on narrow screens, where a bar at the bottom has the due ones. */
  only?: 'due' | 'others';
  /** The main button first, at the left. */
  isStart?: boolean;
  /** A second line of a due button: the time left. */
  note?: ReactNode;
  onDone?: (action: string) => void;
  className?: string;
}) {
  const { revalidate } = useRevalidator();
  const [dialog, setDialog] = useState<AskedAction | null>(null);
  const [receipt, setReceipt] = useState<OrderAction | null>(null);
  const sorted = visibleActions(actions).filter((action) => !isInMenu(action) && (only !== 'due' || isInBar(action)));
  const more = only === 'due' ? [] : actions.filter((action) => isInMenu(action) && action.enabled);
  const visible = isStart ? sorted.toReversed() : sorted;
  const closed = reasons ? visible.filter(({ enabled, reason }) => !enabled && reason) : [];
  if (visible.length === 0 && more.length === 0) return null;
  return (
    <div
      className={cx(
        'grid gap-1.5',
        only === 'others' && more.length === 0 && isBarOnly(visible) && 'max-md:hidden',
        className,
      )}
    >
      <div className={only === 'due' ? 'grid' : cx('flex flex-wrap items-center gap-2', !isStart && 'md:justify-end')}>
        {visible.map((action) => {
          const kind = actionKind(action.act);
          if (!kind) return null;
          const style = {
            size,
            kind: action.primary ? ('primary' as const) : ('plain' as const),
            className: only === 'others' && isInBar(action) ? 'max-md:hidden' : only === 'due' ? 'w-full' : '',
          };
          const label = (
            <span className="grid">
              {action.label}
              {note && isInBar(action) && (
                // Announced at the top of the page; the button's name stays the same.
                <span className="text-11 leading-3.5 font-normal opacity-90" aria-hidden="true">
                  {note}
                </span>
              )}
            </span>
          );
          // A list has no steps to show: the receipt is confirmed on the order's page.
          const to =
            kind.kind === 'link'
              ? kind.to(order)
              : kind.kind === 'receipt' && !order.receipt
                ? orderPath(order.orderSn)
                : null;
          if (to !== null && action.enabled) {
            return (
              <ButtonLink key={action.act} to={to} {...style}>
                {label}
              </ButtonLink>
            );
          }
          return (
            <Button
              key={action.act}
              {...style}
              disabled={!action.enabled}
              title={action.enabled ? undefined : (action.reason ?? undefined)}
              onClick={() => (kind.kind === 'ask' ? setDialog({ act: action, kind }) : setReceipt(action))}
            >
              {label}
            </Button>
          );
        })}
        {more.length > 0 && <MoreActions actions={more} size={size} onAsk={setDialog} />}
      </div>
      {closed.map(({ act: action, label, reason }) => (
        <p key={action} className={cx('text-12 text-ink-3', !isStart && 'md:text-right')}>
          {label}：{reason}
        </p>
      ))}
      {receipt && order.receipt && (
        <ReceiptDialog
          order={order}
          receipt={order.receipt}
          label={receipt.label}
          question={receipt.confirm ?? '确认已收到商品？'}
          onClose={() => setReceipt(null)}
          onDone={() => {
            setReceipt(null);
            void revalidate();
            onDone?.('confirm');
          }}
        />
      )}
      {dialog && (
        <ActionDialog
          orderId={order.id}
          action={dialog.act}
          kind={dialog.kind}
          onClose={() => setDialog(null)}
          onDone={() => {
            setDialog(null);
            void revalidate();
            onDone?.(dialog.act.act);
          }}
        />
      )}
    </div>
  );
}
