import type { ChatMessage } from '#subjects/chat/contract/im.ts';

/** The loaded part of a group's messages: without gaps, by number, oldest first. */
export interface Log {
  readonly list: readonly ChatMessage[];
  /** The server has older messages. */
  readonly hasOlder: boolean;
}

export const emptyLog: Log = { list: [], hasOlder: false };

/** Number of the newest loaded message; -1 for none (the first message of a group is 0). */
export const lastSeq = (log: Log): number => log.list.at(-1)?.seq ?? -1;

/** Applies recalls to the messages that they withdraw: their content is removed here as well. */
function recalled(list: readonly ChatMessage[], by: readonly ChatMessage[]): readonly ChatMessage[] {
  const recalledSeqs = new Set(by.flatMap((m) => (m.messageType === 'recall' ? [m.content.recallSeq] : [])));
  if (recalledSeqs.size === 0) return list;
  return list.map((m) => (recalledSeqs.has(m.seq) && !m.recalled ? { ...m, recalled: true, content: {} } : m));
}

/**
 * Appends new messages. Duplicates are ignored; after a gap nothing is appended, and `missing` means that the messages
 * after the last one must be requested.
 */
export function append(log: Log, incoming: readonly ChatMessage[]): { log: Log; missing: boolean } {
  const added: ChatMessage[] = [];
  let last = lastSeq(log);
  let missing = false;
  for (const message of incoming.toSorted((a, b) => a.seq - b.seq)) {
    if (message.seq <= last) continue;
    if (message.seq > last + 1 && last >= 0) {
      missing = true;
      break;
    }
    added.push(message);
    last = message.seq;
  }
  if (added.length === 0) return { log, missing };
  return { log: { ...log, list: recalled([...log.list, ...added], added) }, missing };
}

/** Prepends a page of older messages. */
export function prepend(log: Log, older: readonly ChatMessage[], more: boolean): Log {
  const first = log.list[0]?.seq ?? Number.POSITIVE_INFINITY;
  const added = older.filter((m) => m.seq < first);
  const list = [...added, ...log.list];
  return { list: recalled(list, list), hasOlder: more };
}

/** A message as text, for a notification or a row's title. */
export function messageText(message: ChatMessage): string {
  if (message.recalled || message.messageType === 'recall') return '撤回了一条消息';
  if (message.messageType === 'image') return '[图片]';
  return message.content.title ?? message.content.content ?? '';
}
