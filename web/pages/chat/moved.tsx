import { ArrowRight } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ChatMessage } from '#contract/im.ts';
import type { OrderListItem } from '#contract/order.ts';
import { useMessages } from '#web/parts/chat/chat-context.tsx';
import { usePhone } from '#web/parts/chat/use-phone.ts';
import { type ChatData, chatHref } from './chat-loader.ts';

/** Where an order goes by the system's own message, and in what words. */
const GOES = {
  send_goods: { status: 2, words: '卖家已发货' },
  confirm_goods: { status: 3, words: '已确认收货' },
} as const;

const NONE: ReadonlySet<string> = new Set();

/**
 * Where a message says that an order has gone, and the order as the list has it; null for every other message. What comes late, by a
 * sync or in a group that opens afterwards, tells of a step that the order has behind it.
 */
export function movedBy(
  { expansion }: Pick<ChatMessage, 'expansion'>,
  list: readonly Pick<OrderListItem, 'orderSn' | 'status' | 'bigTitle'>[],
): Moved | null {
  if (!expansion || expansion.type === 'transfer_order') return null;
  const { status, words } = GOES[expansion.type];
  const gone = list.find(({ orderSn }) => orderSn === expansion.orderSn);
  return gone && gone.status < status ? { orderSn: gone.orderSn, title: gone.bigTitle, status, words } : null;
}

interface Moved {
  orderSn: string;
  title: string;
  status: number;
  words: string;
}

/**
 * A send_goods or confirm_goods message takes its order out of the list and chooses another (product.md 4). Where it went is
 * said above the list, with the way there; on a phone, where no list is seen, the conversation stays.
 */
export function useMoved(data: ChatData): { hidden: ReadonlySet<string>; notice: ReactNode } {
  const navigate = useNavigate();
  const isPhone = usePhone();
  const { at, answer, order } = data;
  const [moved, setMoved] = useState<Moved | null>(null);
  const tab = `${at.status}:${at.side}`;
  const [left, setLeft] = useState<{ tab: string; sns: ReadonlySet<string> }>({ tab, sns: NONE });
  useMessages(
    useCallback(
      (message: ChatMessage) => {
        const list = answer.ok ? answer.data.orderList : [];
        const gone = movedBy(message, list);
        if (!gone) return;
        const { orderSn, status } = gone;
        setLeft((was) => ({ tab, sns: new Set(was.tab === tab ? was.sns : NONE).add(orderSn) }));
        setMoved(gone);
        if (order?.orderSn !== orderSn) return;
        const next = list.find((o) => o.orderSn !== orderSn)?.orderSn;
        void navigate(chatHref(isPhone ? { ...at, status, orderSn } : { ...at, orderSn: next }), { replace: true });
      },
      [answer, at, tab, order, navigate, isPhone],
    ),
  );
  const notice = moved && moved.status !== at.status && (
    <Link
      to={chatHref({ ...at, status: moved.status, orderSn: moved.orderSn })}
      className="flex items-center gap-2 border-b border-line-soft bg-safe-bg px-3 py-2 text-12 text-safe"
      onClick={() => setMoved(null)}
    >
      <span className="min-w-0 flex-1">
        <span className="line-clamp-1">{moved.title}</span>
        {moved.words}，点击查看
      </span>
      <ArrowRight className="icon" aria-hidden="true" />
    </Link>
  );
  return { hidden: left.tab === tab ? left.sns : NONE, notice };
}
