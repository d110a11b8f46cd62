import { MessageSquare } from 'lucide-react';
import { Link } from 'react-router';
import { dueStep } from '../../rules/order-text.ts';
import { StepLeft } from '../../web/parts/handover/handover-clock.tsx';
import { OrderActions } from '../../web/parts/actions/order-actions.tsx';
import { chatPath } from '../../web/parts/order/order-links.ts';
import { dueActions } from '../../web/parts/order/trouble-card.tsx';
import type { OrderPageData } from './load-order.ts';

type Order = OrderPageData['order'];

/**
 * The bottom bar on phones: the conversation and the due action. The button of a step covers its right part
 * (order.css). `leading` is the state of a service whose own card shows the due action.
 */
export function OrderBar({
  order,
  leading,
  onDone,
}: {
  order: Order;
  leading: string | null;
  onDone: (action: string) => void;
}) {
  const chat = chatPath(order);
  const step = dueStep(order);
  const ownButton = leading === null && step?.mine === true && !step.isReceipt;
  const actions = dueActions(order);
  const hasAction = leading === null && actions.some(({ primary, enabled }) => primary && enabled);
  const due = step?.dueTime ?? order.deadline;
  const { title, turn } = order.due;
  return (
    <div className="order-bar">
      {chat && (
        <Link to={chat} className="order-bar-chat">
          <MessageSquare className="icon" strokeWidth={1.6} aria-hidden="true" />
          交易群
          {order.unread > 0 && <span className="badge">{Math.min(order.unread, 99)}</span>}
        </Link>
      )}
      {!ownButton && hasAction && (
        <OrderActions
          order={order}
          actions={actions}
          only="due"
          note={due !== null && <StepLeft due={due} before="剩 " />}
          onDone={onDone}
          className="min-w-0 flex-1"
        />
      )}
      {!ownButton && !hasAction && (
        <p className="min-w-0 flex-1 text-13 text-ink-2">
          {leading ?? title}
          {leading !== null && turn === order.viewer && (
            <span className="block text-12 text-ink-3">在上方「服务进度」里操作</span>
          )}
          {turn && turn !== order.viewer && <span className="block text-12 text-ink-3">您暂时无需操作</span>}
        </p>
      )}
    </div>
  );
}
