import type { ReactNode } from 'react';
import { staffChat } from '#subjects/chat/web/parts/chat-link/apis.ts';
import { ChatProvider } from '#subjects/chat/web/parts/chat-link/chat-context.tsx';
import { Conversation } from '#subjects/chat/web/parts/chat/conversation.tsx';

/** The conversation of an order, with its connection. */
export default function OrderConversation({
  groupId,
  draftOwner,
  headEnd,
}: {
  groupId: string;
  draftOwner: string;
  headEnd: ReactNode;
}) {
  return (
    <ChatProvider api={staffChat}>
      <Conversation groupId={groupId} draftOwner={draftOwner} headEnd={headEnd} />
    </ChatProvider>
  );
}
