import type { ChatMember, ChatMessage } from '#subjects/chat/contract/im.ts';
import type { Pending } from './group.ts';

/** Pause between two messages after which the time is displayed, in ms. */
const TIME_GAP_MS = 5 * 60_000;

/** The rows of the message list, in order. `key` stays the same when a queued message becomes a stored one. */
export type Row =
  | { kind: 'time'; key: string; at: number }
  | { kind: 'card'; key: string; message: ChatMessage }
  | { kind: 'recalled'; key: string; message: ChatMessage }
  | { kind: 'message'; key: string; message: ChatMessage; first: boolean; last: boolean }
  | { kind: 'pending'; key: string; pending: Pending; first: boolean };

type MessageRow = Extract<Row, { kind: 'message' | 'pending' }>;

const keyOf = (m: ChatMessage): string => (m.messageDirection === 1 ? m.clientMsgId : m.messageUId);

/**
 * Converts messages and the queue into rows: the time after a pause; `first` and `last` mark the ends of a run of
 * messages by one sender, for the name above and the read mark below.
 */
export function rowsOf(list: readonly ChatMessage[], pending: readonly Pending[]): Row[] {
  const rows: Row[] = [];
  let before = 0;
  let speaker: string | null = null;
  let open: MessageRow | null = null;
  const pause = (at: number): void => {
    if (at - before >= TIME_GAP_MS) {
      rows.push({ kind: 'time', key: `time-${at}`, at });
      speaker = null;
    }
    before = at;
  };
  const pushRow = (row: MessageRow, by: string): void => {
    row.first = by !== speaker;
    if (!row.first && open?.kind === 'message') open.last = false;
    speaker = by;
    open = row;
    rows.push(row);
  };
  for (const message of list) {
    // A recall is displayed in place of the message that it withdraws.
    if (message.messageType === 'recall') continue;
    pause(message.sentTime);
    const key = keyOf(message);
    if (message.recalled || message.messageType === 'card') {
      speaker = null;
      rows.push({ kind: message.recalled ? 'recalled' : 'card', key, message });
    } else {
      const by = message.messageDirection === 1 ? 'me' : message.senderUserId;
      pushRow({ kind: 'message', key, message, first: true, last: true }, by);
    }
  }
  const stored = new Set(list.flatMap((m) => (m.messageDirection === 1 ? [m.clientMsgId] : [])));
  for (const unsent of pending) {
    if (stored.has(unsent.clientMsgId)) continue;
    pause(unsent.at);
    pushRow({ kind: 'pending', key: unsent.clientMsgId, pending: unsent, first: true }, 'me');
  }
  return rows;
}

const ROLE_LABELS: Readonly<Record<string, string>> = { buyer: '买家', seller: '卖家', owner: '用户' };

/** The sender's display name and role. Customer service that has left the group keeps its badge. */
export function senderOf(
  members: readonly ChatMember[],
  imUid: string,
): { name: string; role: string; isStaff: boolean; avatar: string | null } {
  const member = members.find((m) => m.imUid === imUid);
  const isStaff = member?.isStaff ?? !/^\d+$/.test(imUid);
  const role = isStaff ? '平台客服' : (ROLE_LABELS[member?.role ?? ''] ?? '');
  return { name: member?.nickName ?? (isStaff ? '客服' : '已注销用户'), role, isStaff, avatar: member?.avatar ?? null };
}

/** Whether all, some or none of the others have read up to this number. */
export function readText(members: readonly ChatMember[], me: string, seq: number): string {
  const others = members.filter((m) => m.imUid !== me);
  const read = others.filter((m) => m.readSeq >= seq);
  if (others.length > 0 && read.length === others.length) return '全部已读';
  const partners = others.filter((m) => !m.isStaff);
  if (partners.length === 1 && read.includes(partners[0] as ChatMember)) return '对方已读';
  return read.length > 0 ? `${read.length} 人已读` : '未读';
}
