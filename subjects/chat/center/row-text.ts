import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { OrderListItem } from '#subjects/orders/contract/order.ts';
import { CLOCK_STOPPED, OrderStatus, isInProgress, nextDeadline } from '#subjects/orders/rules/order-status.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { BUYS } from '#contract/rules/parties.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { messageText } from '../web/parts/chat-link/log.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The last message of an order's group with its sender: the viewer, customer service, or the other party without a name. */
export function lastMessageText(message: ChatMessage): string {
  const text = messageText(message);
  if (message.messageDirection === 1) return `我：${text}`;
  const isStaff = message.senderUserId !== 'system' && /\D/.test(message.senderUserId);
  if (isStaff) return `客服：${text}`;
  return message.messageType === 'recall' ? `对方${text}` : text;
}

function timeLeftText(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.floor(ms / MINUTE))}分钟`;
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)}小时` : `${Math.floor(ms / DAY)}天`;
}

/**
 * Deadline text of an order's row: time left for the current step, to ship or to confirm, a stopped clock, or overdue. Null when no deadline
 * runs. `now` in ms.
 */
export function clockText(
  order: Pick<OrderListItem, 'status' | 'deadline' | 'deadlineText' | 'stepDue' | 'tradedTypeId'>,
  now: number,
): { text: string; isOverdue: boolean } | null {
  if (order.deadlineText === CLOCK_STOPPED) return { text: '申诉中', isOverdue: false };
  const { at, isStep } = nextDeadline(order);
  if (at === null || !isInProgress(order.status)) return null;
  const left = Date.parse(at) - now;
  if (isStep)
    return left <= 0
      ? { text: '这一步超时', isOverdue: true }
      : { text: `这一步剩${timeLeftText(left)}`, isOverdue: false };
  const work = isService(order.tradedTypeId) ? '完成' : '发货';
  if (left <= 0) return order.status === OrderStatus.Paid ? { text: `${work}超时`, isOverdue: true } : null;
  return {
    text: order.status === OrderStatus.Paid ? `剩${timeLeftText(left)}${work}` : `${timeLeftText(left)}后确认`,
    isOverdue: false,
  };
}

/** Amount of a finished order's row: the total for the buyer; the goods' price for the seller, who does not see the total. Yuan text. */
export function amountOf(order: Pick<OrderListItem, 'belong' | 'totalPrice' | 'unitPrice' | 'goodsNum'>): string {
  return order.belong === BUYS ? order.totalPrice : yuanOf(fenOf(order.unitPrice) * order.goodsNum);
}
