import { Link } from 'react-router';
import { OrderStatus, isCancelled } from '../../../rules/order-status.ts';
import type { DueText } from '../../../rules/order-party.ts';
import { isService, RECYCLED_ACCOUNT } from '../../../rules/order-types.ts';
import { dueStep, type OrderExplanationInput, orderExplanation, turnLabel } from '../../../rules/order-text.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { cx } from '#web/ui/class-names.ts';
import type { ActionOrder, OrderAction } from '../actions/action-kinds.ts';
import type { HandoverStep } from '../handover/handover-step.ts';
import { HandoverClock } from '../handover/handover-clock.tsx';
import { DueHead, StepNote, StepWork } from '../handover/handover-turn.tsx';
import { OrderActions } from '../actions/order-actions.tsx';
import { complaintPath } from './order-links.ts';
import { dueActions } from './trouble-card.tsx';
import { fullAt, shortAt } from '#web/lib/format/times.ts';

export interface DueOrder extends Omit<ActionOrder, 'protection'>, Omit<OrderExplanationInput, 'handover'> {
  viewer: 'buyer' | 'seller';
  handover: readonly HandoverStep[];
  due: DueText;
  acts: readonly OrderAction[];
  staffName: string | null;
  stoppedTime: string | null;
  deadline: string | null;
  deadlineText: string | null;
}

function Disputed({ order }: { order: DueOrder }) {
  return (
    <>
      <p className="text-13 text-ink-2">
        全部计时已停，尚未放出的货款继续由平台托管，裁决后按结果处理。
        <Link to={complaintPath(order)} className="link">
          查看申诉
        </Link>
      </p>
      <p className="text-12 text-ink-3">15 分钟内首次处理，裁决不超过 48 小时。</p>
    </>
  );
}

/**
 * The seller's time to ship runs in parallel with the steps; a service has its own deadline, and a recycled account
 * only that of the step.
 */
const hasToShip = ({ status, tradedTypeId }: DueOrder): boolean =>
  status === OrderStatus.Paid && !isService(tradedTypeId) && tradedTypeId !== RECYCLED_ACCOUNT;

/** The order's own deadline when no step has a clock: the time left to pay, to ship, to confirm. */
function OwnDeadline({ order, now }: { order: DueOrder; now: string }) {
  if (!order.deadline || !order.deadlineText) return null;
  return (
    <p className="text-12 text-ink-3" title={fullAt(order.deadline)}>
      {order.status === OrderStatus.Unpaid ? (
        <>
          剩 <Countdown until={order.deadline} now={now} />，{order.deadlineText}
        </>
      ) : (
        `${shortAt(order.deadline)}，${order.deadlineText}`
      )}
    </p>
  );
}

/**
 * The due action at the top of the order's page: the step as a headline, the current actor, its clock or why it is
 * stopped, and its form.
 */
export function DueCard({ order, now, onDone }: { order: DueOrder; now: string; onDone: (action: string) => void }) {
  const { due } = order;
  const step = dueStep(order);
  const mine = due.turn === order.viewer;
  return (
    <section
      className={cx('panel overflow-clip', mine ? 'border-attn-line' : due.turn && 'border-brand-200')}
      role="group"
      aria-label="这一步"
    >
      <DueHead
        title={due.title}
        turn={due.turn ? turnLabel(due.turn, order.viewer, order.tradedTypeId) : undefined}
        mine={mine}
        as="h1"
        clock={step?.dueTime && <HandoverClock due={step.dueTime} minutes={step.minutes} />}
      >
        {order.disputed && !isCancelled(order.status) && <Disputed order={order} />}
        {!order.disputed && step && (
          <StepNote
            step={step}
            typeId={order.tradedTypeId}
            staffName={order.staffName}
            isLast={hasToShip(order) && order.deadline !== null && step.dueTime === order.deadline}
          />
        )}
        {!order.disputed && !step && <p className="text-13 text-ink-2">{orderExplanation(order, order.viewer)}</p>}
        {!order.disputed && (!step || hasToShip(order)) && <OwnDeadline order={order} now={now} />}
        {order.stoppedTime && !order.disputed && (
          <p className="text-13 text-danger" title={fullAt(order.stoppedTime)}>
            {order.deadlineText}
          </p>
        )}
      </DueHead>
      {/* Actions that require the open step are not offered; the steps below show what is missing. */}
      {step && (
        <StepWork
          key={step.step}
          orderId={order.id}
          typeId={order.tradedTypeId}
          step={step}
          protection={order.protection}
          complaintTo={complaintPath(order)}
        />
      )}
      <OrderActions
        order={order}
        actions={dueActions(order).filter(({ enabled }) => enabled || !step)}
        reasons
        only="others"
        isStart
        onDone={onDone}
        className="border-t border-line-soft px-4 py-3"
      />
    </section>
  );
}
