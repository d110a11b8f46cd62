import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { MessageRow } from '../queries.ts';

/** A stored message as `viewer` receives it. A recalled message is empty: the server no longer discloses its content. */
export function messageOf(row: MessageRow, viewer: string): ChatMessage {
  const groupId = String(row.groupId);
  return {
    groupId,
    targetId: groupId,
    seq: row.seq,
    messageUId: row.uid,
    clientMsgId: row.clientMsgId,
    senderUserId: row.sender,
    messageType: row.type,
    messageDirection: row.sender === viewer ? 1 : 2,
    sentTime: row.createdAt.getTime(),
    content: row.recalledAt ? {} : row.content,
    expansion: row.expansion,
    recalled: row.recalledAt !== null,
  };
}
