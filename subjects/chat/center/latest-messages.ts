import { useCallback, useState } from 'react';
import { type ChatMessage, lastMessages } from '#subjects/chat/contract/im.ts';
import type { OrderListItem } from '#subjects/orders/contract/order.ts';
import { call } from '#web/lib/api/api.ts';
import { useMessages } from '../web/parts/chat-link/chat-context.tsx';

/** The groups of some orders, as input of lastMessages. */
export const groupsOf = (orders: readonly Pick<OrderListItem, 'groupId'>[]): string =>
  JSON.stringify(orders.flatMap(({ groupId }) => groupId ?? []));

type Newest = Readonly<Record<string, ChatMessage>>;

function newest(was: Newest, messages: readonly ChatMessage[]): Newest {
  const newer = messages.filter((m) => m.seq > (was[m.groupId]?.seq ?? -1));
  return newer.length === 0 ? was : { ...was, ...Object.fromEntries(newer.map((m) => [m.groupId, m])) };
}

/** The newest message of each order's group: loaded with the page, received live, and requested by `fetchFor` for further orders. */
export function useLatestMessages(loaded: readonly ChatMessage[]): {
  of: (groupId: string | null) => ChatMessage | undefined;
  fetchFor: (orders: readonly OrderListItem[]) => Promise<void>;
} {
  const [received, setReceived] = useState<Newest>({});
  const add = useCallback((messages: readonly ChatMessage[]) => setReceived((was) => newest(was, messages)), []);
  useMessages(useCallback((message: ChatMessage) => add([message]), [add]));
  const fetchFor = useCallback(
    async (orders: readonly OrderListItem[]) => {
      try {
        add((await call(lastMessages, { groups: groupsOf(orders) }, { quiet: true })).list);
      } catch {
        // The rows render without their last message.
      }
    },
    [add],
  );
  const all = newest(Object.fromEntries(loaded.map((m) => [m.groupId, m])), Object.values(received));
  return { of: (groupId) => (groupId === null ? undefined : all[groupId]), fetchFor };
}
