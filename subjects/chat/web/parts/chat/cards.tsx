import {
  Ban,
  Circle,
  CircleCheck,
  CircleHelp,
  ClipboardPen,
  Eye,
  Gavel,
  HandCoins,
  Handshake,
  Link2Off,
  type LucideIcon,
  PackageCheck,
  Scale,
  ShieldCheck,
  Tag,
  Truck,
  Undo2,
} from 'lucide-react';
import { Link } from 'react-router';
import type { ChatMember, ChatMessage } from '#subjects/chat/contract/im.ts';
import { disputePath, orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { cx } from '#web/ui/class-names.ts';
import { useChat } from '../chat-link/chat-context.tsx';
import type { GroupView } from '../chat-link/group.ts';
import { senderOf } from '../chat-link/rows.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  'order.paid': ShieldCheck,
  'order.shipped': Truck,
  'order.completed': PackageCheck,
  'order.refunded': Undo2,
  'order.cancelled': Ban,
  'order.cancelAsked': CircleHelp,
  'order.cancelDeclined': Ban,
  'order.handover': CircleCheck,
  'order.offline': Handshake,
  'order.opened': Eye,
  'dispute.opened': Scale,
  'dispute.ruled': Gavel,
  'dispute.appealed': Scale,
  'dispute.closed': Gavel,
  'claim.refused': Ban,
  bargain: HandCoins,
  staff: ShieldCheck,
  'service.logIn': CircleHelp,
  'service.opened': ShieldCheck,
  'service.topic': Tag,
  link: Link2Off,
  closed: Ban,
};

/** The link of a card and its label; undefined for cards without one. */
function cardLinkOf({ content }: ChatMessage, group: GroupView, me: string): CardLink | undefined {
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
  if (card === 'order.handover' || card === 'order.opened') return { to: orderPath(orderSn), label: '查看交付进度' };
  return undefined;
}

/** The items requested by a form; each is ticked when its hand-over step is done. */
function FormItems({
  items,
  done,
}: {
  items: NonNullable<ChatMessage['content']['items']>;
  done: ReadonlySet<string>;
}) {
  return (
    <ul className="my-1 grid gap-1" aria-label="要填写的资料">
      {items.map(({ step, title, needs }) => {
        const isDone = done.has(String(step));
        const Icon = isDone ? CircleCheck : Circle;
        return (
          <li key={step} className="flex items-center gap-1.5 text-12">
            <Icon className={cx('icon size-3.5 flex-none', isDone ? 'text-safe' : 'text-ink-4')} aria-hidden="true" />
            <span className={cx('min-w-0', isDone && 'text-ink-3')}>{title}</span>
            <span className="ml-auto flex-none pl-3 text-ink-3">{isDone ? '已填' : needs.join('、')}</span>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Requests the missing parts of the hand-over. All later messages are loaded, so completed steps are known from the
 * conversation itself.
 */
function FormCard({ message, group, link }: { message: ChatMessage; group: GroupView; link: CardLink | undefined }) {
  const { title = '', content = '', items = [] } = message.content;
  const done = new Set(
    group.log.list.flatMap((m) =>
      m.seq > message.seq && m.content.card === 'order.handover' ? [m.content.ref ?? ''] : [],
    ),
  );
  const left = items.filter(({ step }) => !done.has(String(step))).length;
  const isOver = items.length > 0 && left === 0;
  // oxlint-disable-next-line forms/no-chinese-match -- a card lists what a step needs by name, also the cards of stored messages
  const needsEncryption = items.some(({ needs }) => needs.includes('密封信息'));
  const Icon = isOver ? CircleCheck : ClipboardPen;
  return (
    <div className="chat-card">
      <Icon className={cx('icon mt-0.5', isOver ? 'text-safe' : 'text-ink-3')} aria-hidden="true" />
      <div className="grid min-w-56 gap-0.5">
        <p className="text-13 font-semibold">{isOver ? '交付资料已填齐' : title}</p>
        {items.length > 0 && <FormItems items={items} done={done} />}
        {!isOver && (
          <p className="text-12 text-ink-3">
            {items.length === 0
              ? content
              : needsEncryption
                ? '密封信息每次打开都会告知双方，不要发在群里'
                : '请在交付卡片里上传，不要发在群里'}
          </p>
        )}
        {link && !isOver && <CardLinkButton link={link} />}
      </div>
    </div>
  );
}

interface CardLink {
  to: string;
  label: string;
}

function CardLinkButton({ link }: { link: CardLink }) {
  return (
    <p>
      <Link to={link.to} className="link text-12">
        {link.label}
      </Link>
    </p>
  );
}

/** A system message: an event of the order, a request to a party, or a warning. */
export function SystemCard({ message, group }: { message: ChatMessage; group: GroupView }) {
  const { imUid } = useChat();
  const { card = '', title = '', content = '' } = message.content;
  if (card === 'warn') return <p className="chat-note text-attn">{content}</p>;
  const link = cardLinkOf(message, group, imUid);
  if (card === 'form') return <FormCard message={message} group={group} link={link} />;
  const Icon = ICONS[card] ?? ShieldCheck;
  return (
    <div className="chat-card">
      <Icon className="icon mt-0.5 text-ink-3" aria-hidden="true" />
      <div className="grid gap-0.5">
        <p className="text-13 font-semibold">{title}</p>
        <p className="text-12 text-ink-3">{content}</p>
        {link && <CardLinkButton link={link} />}
      </div>
    </div>
  );
}

/** The replacement of a recalled message (product.md 4). */
export function RecalledNotice({ message, members }: { message: ChatMessage; members: readonly ChatMember[] }) {
  const who = message.messageDirection === 1 ? '您' : senderOf(members, message.senderUserId).name;
  return <p className="chat-note">{who}撤回了一条消息</p>;
}
