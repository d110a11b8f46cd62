import { Link } from 'react-router';
import { OrderStatus, RECYCLED_ACCOUNT, isCancelled, isEnded, isInProgress } from '#contract/rules/order-status.ts';
import { type OrderTextInput, orderHeadline, turnLabel } from '#contract/rules/order-text.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { cx } from '#web/ui/class-names.ts';
import type { ActionOrder, OrderAction } from './action-kinds.ts';
import type { HandoverStep } from './handover-step.ts';
import { HandoverClock } from './handover-clock.tsx';
import { DueHead, StepNote, StepWork } from './handover-turn.tsx';
import { OrderActions } from './order-actions.tsx';
import { complaintPath } from './order-links.ts';
import { fullAt, shortAt } from '#web/lib/times.ts';

export interface DueOrder extends ActionOrder, Omit<OrderTextInput, 'handover'> {
  viewer: 'buyer' | 'seller';
  handover: readonly HandoverStep[];
  acts: readonly OrderAction[];
  staffName: string | null;
  stoppedTime: string | null;
  deadline: string | null;
  deadlineText: string | null;
  money: { released: boolean };
  process: readonly { explain: string }[];
}

/** The due step, unless a dispute or a cancellation request takes precedence. */
export function dueStep(order: DueOrder): HandoverStep | undefined {
  const runs = isInProgress(order.status);
  if (!runs || order.disputed || order.cancelAsked) return undefined;
  return order.handover.find(({ state }) => state === 'current');
}

/** The consequences of the order's state, in one or two sentences; a hand-over step explains itself. */
function followsFrom(order: DueOrder): string {
  const buys = order.viewer === 'buyer';
  if (order.status === OrderStatus.Unpaid)
    return buys ? '付款后货款由平台托管，验收确认后才放款给卖家。' : '买家付款后货款由平台托管，您再开始交付。';
  if (order.status === OrderStatus.Completed)
    return order.money.released ? '货款已放给卖家。' : '货款在保护期内冻结，期满自动放款；期间仍可申诉。';
  if (isCancelled(order.status)) return order.process.at(-1)?.explain ?? '';
  if (order.cancelAsked)
    return buys
      ? '您已申请取消。卖家同意后货款全额退回您的余额；卖家拒绝时交易继续，您可以申诉。'
      : '买家申请取消订单。同意后货款全额退回买家；拒绝后请按时完成交付。';
  if (order.status === OrderStatus.Paid) {
    if (order.tradedTypeId === RECYCLED_ACCOUNT)
      return '验号员核对读数：对得上按报价付款，对不上按公布的数减价，由卖家决定卖不卖；结果会通知双方。';
    const done = order.handover.length > 0;
    if (buys) return done ? '发货前的步骤都已完成，等卖家确认发货。' : '卖家交付后会确认发货，请留意交易群。';
    return done
      ? '发货前的步骤都已完成，确认发货后开始计算买家的验收时间。'
      : '交付后请确认发货，开始计算买家的验收时间。';
  }
  return buys
    ? '核对无误后按「确认收货」，货款转给卖家；有问题请先申诉，不要确认。'
    : '买家确认收货，或到时未提出异议，货款进入您的冻结余额。';
}

function Disputed({ order }: { order: DueOrder }) {
  return (
    <>
      <p className="text-13 text-ink-2">
        全部计时已停，货款继续由平台托管，裁决后按结果处理。
        <Link to={complaintPath(order)} className="link">
          查看申诉
        </Link>
      </p>
      <p className="text-12 text-ink-3">15 分钟内首次处理，裁决不超过 48 小时。</p>
    </>
  );
}

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
 * The due action at the top of the order's page: the step as a headline, whose turn it is, its clock or why it is
 * stopped, and the form for it.
 */
export function DueCard({ order, now, onDone }: { order: DueOrder; now: string; onDone: (act: string) => void }) {
  const due = orderHeadline(order, order.viewer);
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
        turn={due.turn ? turnLabel(due.turn, order.viewer) : undefined}
        mine={mine}
        as="h1"
        clock={step?.dueTime && <HandoverClock due={step.dueTime} minutes={step.minutes} />}
      >
        {order.disputed && !isEnded(order.status) && <Disputed order={order} />}
        {!order.disputed && step && <StepNote step={step} staffName={order.staffName} />}
        {!order.disputed && !step && (
          <>
            <p className="text-13 text-ink-2">{followsFrom(order)}</p>
            <OwnDeadline order={order} now={now} />
          </>
        )}
        {order.stoppedTime && !order.disputed && (
          <p className="text-13 text-danger" title={fullAt(order.stoppedTime)}>
            {order.deadlineText}
          </p>
        )}
      </DueHead>
      {step && <StepWork key={step.step} orderId={order.id} step={step} />}
      <OrderActions
        order={order}
        acts={order.acts}
        reasons
        only="others"
        onDone={onDone}
        className="border-t border-line-soft px-4 py-3"
      />
    </section>
  );
}
