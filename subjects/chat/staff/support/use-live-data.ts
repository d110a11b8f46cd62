import { useCallback, useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { useLinkState, useMessages } from '../../web/parts/chat-link/chat-context.tsx';
import { messageText } from '../../web/parts/chat-link/log.ts';
import { notify } from '../../web/parts/chat-link/notify.ts';
import { playSound } from '../../web/parts/chat-link/sound.ts';

/** Polling interval of the queue, and the delay between a message and the reload of the list, in ms. */
const POLL_MS = 20_000;
const REFRESH_DELAY_MS = 800;

/** Reloads the page's data shortly after each message, and at intervals for the queue. */
export function useLiveData(groupId: string | null): void {
  const { revalidate } = useRevalidator();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void revalidate(), REFRESH_DELAY_MS);
  }, [revalidate]);
  useMessages(
    useCallback(
      (message: ChatMessage) => {
        soon();
        if (message.messageDirection === 1 || message.messageType === 'recall') return;
        if (document.visibilityState !== 'visible' || message.groupId !== groupId) playSound();
        notify(message.groupId, '客服会话', messageText(message), () => undefined);
      },
      [soon, groupId],
    ),
  );
  const state = useLinkState();
  const wasLost = useRef(false);
  useEffect(() => {
    // A failed reload would replace unsent text with the error page, so nothing is reloaded while offline.
    if (state !== 'online') {
      wasLost.current = state === 'lost';
      return;
    }
    if (wasLost.current) soon();
    const poll = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, POLL_MS);
    return () => {
      clearInterval(poll);
      clearTimeout(timer.current);
    };
  }, [revalidate, soon, state]);
}
