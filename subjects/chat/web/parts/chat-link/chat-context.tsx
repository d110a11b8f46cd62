import { createContext, type ReactNode, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { ChatApi } from './api.ts';
import { ChatClient } from './client.ts';
import type { GroupView } from './group.ts';
import type { LinkState } from './link.ts';

const ClientContext = createContext<ChatClient | null>(null);

/**
 * Holds one connection for its children, and checks it when the page returns to the foreground or the network changes.
 */
export function ChatProvider({ api, children }: { api: ChatApi; children: ReactNode }) {
  const [client] = useState(() => new ChatClient({ api }));
  useEffect(() => {
    client.start();
    const probe = () => client.probe();
    const seen = () => {
      if (document.visibilityState === 'visible') probe();
    };
    window.addEventListener('online', probe);
    window.addEventListener('offline', probe);
    document.addEventListener('visibilitychange', seen);
    return () => {
      window.removeEventListener('online', probe);
      window.removeEventListener('offline', probe);
      document.removeEventListener('visibilitychange', seen);
      client.stop();
    };
  }, [client]);
  return <ClientContext value={client}>{children}</ClientContext>;
}

/** The chat of the page. Throws outside of ChatProvider. */
export function useChat(): ChatClient {
  const client = use(ClientContext);
  if (!client) throw new Error('useChat outside of ChatProvider');
  return client;
}

/** Returns a group, opening it if necessary; undefined until it is loaded. */
export function useGroup(groupId: string): GroupView | undefined {
  const client = useChat();
  useEffect(() => void client.open(groupId), [client, groupId]);
  const get = useCallback(() => client.group(groupId), [client, groupId]);
  return useSyncExternalStore(client.subscribe, get, () => undefined);
}

/** Returns the state of the connection. */
export function useLinkState(): LinkState {
  const client = useChat();
  return useSyncExternalStore(
    client.subscribe,
    () => client.state,
    () => 'connecting',
  );
}

/** Calls the listener for each new message of any group. */
export function useMessages(listener: (message: ChatMessage) => void): void {
  const client = useChat();
  useEffect(() => client.onMessage(listener), [client, listener]);
}
