import type { ChatMessage } from '#contract/im.ts';

/** The part of a group's messages that this screen holds: without a gap, by number, oldest first. */
export interface Log {
  readonly list: readonly ChatMessage[];
  /** There are older ones on the server. */
  readonly hasOlder: boolean;
}

export const emptyLog: Log = { list: [], hasOlder: false };

/** Number of the newest message that is held; -1 for none (the first of a group is 0). */
export const lastSeq = (log: Log): number => log.list.at(-1)?.seq ?? -1;

/** Takes messages back that a later one says are taken back: what they held is forgotten here as well. */
function recalled(list: readonly ChatMessage[], by: readonly ChatMessage[]): readonly ChatMessage[] {
  const recalledSeqs = new Set(by.flatMap((m) => (m.messageType === 'recall' ? [m.content.recallSeq] : [])));
  if (recalledSeqs.size === 0) return list;
  return list.map((m) => (recalledSeqs.has(m.seq) && !m.recalled ? { ...m, recalled: true, content: {} } : m));
}

/**
 * Puts messages that came at the end. Those that are held already are left out, however often they come; behind a gap nothing is
 * taken, and `missing` says that the server is to be asked for what comes after the last one.
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

/** Puts a page of older messages in front. */
export function prepend(log: Log, older: readonly ChatMessage[], more: boolean): Log {
  const first = log.list[0]?.seq ?? Number.POSITIVE_INFINITY;
  const added = older.filter((m) => m.seq < first);
  return { list: recalled([...added, ...log.list], log.list), hasOlder: more };
}

/** A message in words, for a notice or the title of a list's row. */
export function messageText(message: ChatMessage): string {
  if (message.recalled || message.messageType === 'recall') return '撤回了一条消息';
  if (message.messageType === 'image') return '[图片]';
  return message.content.title ?? message.content.content ?? '';
}
