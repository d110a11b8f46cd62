import {
  Ban,
  CircleCheck,
  CircleHelp,
  HandCoins,
  Link2Off,
  type LucideIcon,
  PackageCheck,
  ShieldCheck,
  Truck,
  Undo2,
} from 'lucide-react';
import type { ChatMember, ChatMessage } from '#contract/im.ts';
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
  bargain: HandCoins,
  staff: ShieldCheck,
  link: Link2Off,
  closed: Ban,
};

/** A line of the system's own: what has happened to the order, or a warning. */
export function SystemCard({ message }: { message: ChatMessage }) {
  const { card = '', title = '', content = '' } = message.content;
  if (card === 'warn') return <p className="chat-note text-attn">{content}</p>;
  const Icon = ICONS[card] ?? ShieldCheck;
  return (
    <div className="chat-card">
      <Icon className="icon mt-0.5 text-ink-3" aria-hidden="true" />
      <div className="grid gap-0.5">
        <p className="text-13 font-semibold">{title}</p>
        <p className="text-12 text-ink-3">{content}</p>
      </div>
    </div>
  );
}

/** What stands for a message that was taken back (product.md 4). */
export function RecalledLine({ message, members }: { message: ChatMessage; members: readonly ChatMember[] }) {
  const who = message.messageDirection === 1 ? '您' : senderOf(members, message.senderUserId).name;
  return <p className="chat-note">{who}撤回了一条消息</p>;
}
