import { useCallback } from 'react';
import { useRevalidator } from 'react-router';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { useMessages } from './chat-context.tsx';

/**
 * Reloads the page's data on system messages: an order has changed, a group has opened or closed, customer service has
 * joined.
 */
export function useCardRefresh(): void {
  const { revalidate } = useRevalidator();
  useMessages(
    useCallback(
      ({ messageType, content }: ChatMessage) => {
        if (messageType === 'card' && content.card !== 'warn') void revalidate();
      },
      [revalidate],
    ),
  );
}
