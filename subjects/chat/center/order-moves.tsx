import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { OrderListItem } from '#subjects/orders/contract/order.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { useMessages } from '../web/parts/chat-link/chat-context.tsx';
import { usePhone } from '../web/parts/chat/use-phone.ts';
import { type ChatData, chatHref } from './chat-loader.ts';

/** The new status of an order after a system message, with its text. */
const MOVES = {
  send_goods: { status: OrderStatus.Shipped, words: '卖家已发货', serviceWords: '服务已完成' },
  confirm_goods: { status: OrderStatus.Completed, words: '已确认收货', serviceWords: '已确认完成' },
} as const;

const NONE: ReadonlySet<string> = new Set();

/**
 * The order's new status according to a message, with its data from the list; null for every other message. A late message, from a sync or
 * a newly opened group, may report a status that the order has already passed.
 */
export function orderMoveOf(
  { expansion }: Pick<ChatMessage, 'expansion'>,
  list: readonly Pick<OrderListItem, 'orderSn' | 'status' | 'bigTitle' | 'tradedTypeId'>[],
): OrderMove | null {
  if (!expansion || expansion.type === 'transfer_order') return null;
  const { status, words, serviceWords } = MOVES[expansion.type];
  const move = list.find(({ orderSn }) => orderSn === expansion.orderSn);
  if (!move || move.status >= status) return null;
  const text = isService(move.tradedTypeId) ? serviceWords : words;
  return { orderSn: move.orderSn, title: move.bigTitle, status, text };
}

interface OrderMove {
  orderSn: string;
  title: string;
  status: number;
  text: string;
}

/**
 * A send_goods or confirm_goods message removes its order from the list and selects another (product.md 4). A notice above the list links
 * to its new tab; on a phone, where the list is hidden, the conversation stays open.
 */
export function useOrderMoves(data: ChatData): { hidden: ReadonlySet<string>; notice: ReactNode } {
  const navigate = useNavigate();
  const isPhone = usePhone();
  const { at, result, order } = data;
  const [lastMove, setLastMove] = useState<OrderMove | null>(null);
  const tab = `${at.status}:${at.party}`;
  const [left, setLeft] = useState<{ tab: string; sns: ReadonlySet<string> }>({ tab, sns: NONE });
  useMessages(
    useCallback(
      (message: ChatMessage) => {
        const list = result.ok ? result.data.orderList : [];
        const move = orderMoveOf(message, list);
        if (!move) return;
        const { orderSn, status } = move;
        setLeft((was) => ({ tab, sns: new Set(was.tab === tab ? was.sns : NONE).add(orderSn) }));
        setLastMove(move);
        if (order?.orderSn !== orderSn) return;
        const next = list.find((o) => o.orderSn !== orderSn)?.orderSn;
        void navigate(chatHref(isPhone ? { ...at, status, orderSn } : { ...at, orderSn: next }), { replace: true });
      },
      [result, at, tab, order, navigate, isPhone],
    ),
  );
  const notice = lastMove && lastMove.status !== at.status && (
    <Link
      to={chatHref({ ...at, status: lastMove.status, orderSn: lastMove.orderSn })}
      className="flex items-center gap-2 border-b border-line-soft bg-safe-bg px-3 py-2 text-12 text-safe"
      onClick={() => setLastMove(null)}
    >
      <span className="min-w-0 flex-1">
        <span className="line-clamp-1">{lastMove.title}</span>
        {lastMove.text}，点击查看
      </span>
      <ArrowRight className="icon" aria-hidden="true" />
    </Link>
  );
  return { hidden: left.tab === tab ? left.sns : NONE, notice };
}
