import { Link } from 'react-router';
import type { staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import type { ChatMember, ChatMessage } from '#subjects/chat/contract/im.ts';
import { staffImGroupInfo, staffImHistory } from '#subjects/chat/contract/im-staff.ts';
import { staffLabel } from '../../rules/order-text.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { messageText } from '#subjects/chat/web/parts/chat-link/log.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { DrawerPart, useRecord } from '#subjects/back-office/staff/list/drawer.tsx';

type Order = Data<typeof staffOrderDetail>;

/** Number of latest messages shown next to the list. */
const SHOWN = 6;

interface TalkOf {
  order: Order;
  members: readonly ChatMember[];
}

function Message({ message, order, members }: { message: ChatMessage } & TalkOf) {
  const { senderUserId: by, messageType } = message;
  if (messageType === 'card' || message.recalled)
    return <li className="text-center text-12 text-ink-3">{messageText(message)}</li>;
  // Staff who have handed the order over are no longer members, so their name is unknown here.
  const served = staffLabel(members.find(({ imUid }) => imUid === by)?.nickName ?? null);
  const [name, label] =
    by === order.buyerId
      ? [order.buyerName, `${order.buyerName} 买家`]
      : by === order.sellerId
        ? [order.sellerName, `${order.sellerName} 卖家`]
        : [served, served];
  return (
    <li className="flex gap-2">
      <Avatar name={name} size={28} className="flex-none" />
      <span className="min-w-0">
        <span className="block text-12 text-ink-3">
          {label} {shortAt(new Date(message.sentTime).toISOString())}
        </span>
        <span className="mt-1 inline-block rounded-card bg-sunken px-3 py-1.5 whitespace-pre-wrap">
          {messageText(message)}
        </span>
      </span>
    </li>
  );
}

/** The last messages of the order's conversation, and the link to all of them. */
export default function DrawerTalk({ groupId, order, to }: { groupId: string; order: Order; to: string }) {
  const { data, message, again } = useRecord(staffImHistory, { groupId, pageSize: SHOWN });
  const { data: group } = useRecord(staffImGroupInfo, { groupId });
  const list = data?.list.filter(({ messageType }) => messageType !== 'recall') ?? [];
  return (
    <DrawerPart title="会话" note={data && (data.more ? `最近 ${list.length} 条` : `共 ${list.length} 条`)}>
      {message !== null ? (
        <p className="flex items-center gap-2 text-13 text-ink-3">
          {message}
          <Button size="sm" kind="ghost" onClick={again}>
            重试
          </Button>
        </p>
      ) : data ? (
        <ul className="grid gap-3">
          {list.map((one) => (
            <Message key={one.messageUId} message={one} order={order} members={group?.members ?? []} />
          ))}
        </ul>
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
      <Link to={to} className="link justify-self-start">
        打开会话
      </Link>
    </DrawerPart>
  );
}
