import { useCallback, useState } from 'react';
import { type ChatMessage, lastMessages } from '#contract/im.ts';
import type { OrderListItem } from '#contract/order.ts';
import { call } from '#web/lib/api.ts';
import { useMessages } from '#web/parts/chat/chat-context.tsx';

/** Groups of some orders, as lastMessages wants them. */
export const groupsOf = (orders: readonly Pick<OrderListItem, 'groupId'>[]): string =>
  JSON.stringify(orders.flatMap(({ groupId }) => groupId ?? []));

type Newest = Readonly<Record<string, ChatMessage>>;

function newest(was: Newest, messages: readonly ChatMessage[]): Newest {
  const fresh = messages.filter((m) => m.seq > (was[m.groupId]?.seq ?? -1));
  return fresh.length === 0 ? was : { ...was, ...Object.fromEntries(fresh.map((m) => [m.groupId, m])) };
}

/**
 * The newest message of each order's group: as the page was loaded with them, as they come, and as `ask` fetches them for more orders.
 */
export function useLast(loaded: readonly ChatMessage[]): {
  of: (groupId: string | null) => ChatMessage | undefined;
  ask: (orders: readonly OrderListItem[]) => Promise<void>;
} {
  const [known, setKnown] = useState<Newest>({});
  const add = useCallback((messages: readonly ChatMessage[]) => setKnown((was) => newest(was, messages)), []);
  useMessages(useCallback((message: ChatMessage) => add([message]), [add]));
  const ask = useCallback(
    async (orders: readonly OrderListItem[]) => {
      try {
        add((await call(lastMessages, { groups: groupsOf(orders) }, { quiet: true })).list);
      } catch {
        // The rows stand without their last words.
      }
    },
    [add],
  );
  const all = newest(Object.fromEntries(loaded.map((m) => [m.groupId, m])), Object.values(known));
  return { of: (groupId) => (groupId === null ? undefined : all[groupId]), ask };
}
