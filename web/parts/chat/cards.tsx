import {
  Ban,
  CircleCheck,
  CircleHelp,
  ClipboardPen,
  Gavel,
  HandCoins,
  Link2Off,
  type LucideIcon,
  PackageCheck,
  Scale,
  ShieldCheck,
  Truck,
  Undo2,
} from 'lucide-react';
import { Link } from 'react-router';
import type { ChatMember, ChatMessage } from '#contract/im.ts';
import { disputePath, orderPath } from '#web/parts/order/order-links.ts';
import { useChat } from './chat-context.tsx';
import type { GroupView } from './group.ts';
import { senderOf } from './rows.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  'order.paid': ShieldCheck,
  'order.shipped': Truck,
  'order.completed': PackageCheck,
  'order.refunded': Undo2,
  'order.cancelled': Ban,
  'order.cancelAsked': CircleHelp,
  'order.cancelDeclined': Ban,
  'order.handover': CircleCheck,
  form: ClipboardPen,
  'dispute.opened': Scale,
  'dispute.ruled': Gavel,
  'dispute.appealed': Scale,
  'dispute.closed': Gavel,
  'claim.refused': Ban,
  bargain: HandCoins,
  staff: ShieldCheck,
  link: Link2Off,
  closed: Ban,
};

/** Where a card leads, and what the way there is called; undefined for those that say everything themselves. */
function wayOf({ content }: ChatMessage, group: GroupView, me: string): { to: string; label: string } | undefined {
  const { card = '', ref } = content;
  const orderSn = group.info?.orderSn;
  const isStaff = /\D/.test(me);
  if (ref !== undefined && card.startsWith('dispute.'))
    return { to: isStaff ? `/backstage/disputes/${ref}` : disputePath(ref), label: '查看申诉' };
  if (isStaff || !orderSn) return undefined;
  if (card === 'form') {
    const isSeller = group.info?.members.some(({ imUid, role }) => imUid === me && role === 'seller');
    return { to: orderPath(orderSn), label: isSeller ? '去填写' : '查看交付进度' };
  }
  if (card === 'order.handover') return { to: orderPath(orderSn), label: '查看交付进度' };
  return undefined;
}

/** A line of the system's own: what has happened to the order, what is asked of somebody, or a warning. */
export function SystemCard({ message, group }: { message: ChatMessage; group: GroupView }) {
  const { imUid } = useChat();
  const { card = '', title = '', content = '' } = message.content;
  if (card === 'warn') return <p className="chat-note text-attn">{content}</p>;
  const Icon = ICONS[card] ?? ShieldCheck;
  const way = wayOf(message, group, imUid);
  return (
    <div className="chat-card">
      <Icon className="icon mt-0.5 text-ink-3" aria-hidden="true" />
      <div className="grid gap-0.5">
        <p className="text-13 font-semibold">{title}</p>
        <p className="text-12 text-ink-3">{content}</p>
        {way && (
          <p>
            <Link to={way.to} className="link text-12">
              {way.label}
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}

/** What stands for a message that was taken back (product.md 4). */
export function RecalledLine({ message, members }: { message: ChatMessage; members: readonly ChatMember[] }) {
  const who = message.messageDirection === 1 ? '您' : senderOf(members, message.senderUserId).name;
  return <p className="chat-note">{who}撤回了一条消息</p>;
}
