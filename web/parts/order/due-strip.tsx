import { UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { type OrderTextInput, orderHeadline, turnLabel } from '#contract/rules/order-text.ts';
import { cx } from '#web/ui/class-names.ts';
import { dueStep } from './due-step.ts';
import { StepLeft } from './handover-clock.tsx';
import type { HandoverStep } from './handover-step.ts';

/** What is due, in one line below the head of a conversation: the same words and the same clock as the order's card. */
export function DueStrip({
  order,
  action,
  className,
}: {
  order: OrderTextInput & { viewer: 'buyer' | 'seller'; handover: readonly HandoverStep[] };
  /** A button at its end, where the step itself is not in view. */
  action?: ReactNode;
  className?: string;
}) {
  const { title, turn } = orderHeadline(order, order.viewer);
  if (turn === null) return null;
  const mine = turn === order.viewer;
  const dueTime = dueStep(order)?.dueTime ?? null;
  return (
    <div
      className={cx(
        'flex flex-none items-center gap-2 border-b px-4 py-2 text-13',
        mine ? 'border-attn-line bg-attn-bg text-attn' : 'border-line-soft bg-sunken text-ink-2',
        className,
      )}
    >
      <UserRound className="icon flex-none" aria-hidden="true" />
      <p className="min-w-0 flex-1 truncate">
        <b className="font-semibold">{title}</b>，{turnLabel(turn, order.viewer)}
      </p>
      {dueTime !== null && <StepLeft due={dueTime} />}
      {action}
    </div>
  );
}
