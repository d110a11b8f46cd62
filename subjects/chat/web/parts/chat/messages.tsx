import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { UNREAD_CLEAR_MS, unreadText } from '#contract/rules/limits.ts';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Bubble, PendingBubble } from './bubble.tsx';
import { RecalledNotice, SystemCard } from './cards.tsx';
import { useChat, useLinkState } from '../chat-link/chat-context.tsx';
import { MessagesSkeleton } from './chat-skeleton.tsx';
import type { GroupView } from '../chat-link/group.ts';
import { lastSeq, messageText } from '../chat-link/log.ts';
import { type Row, rowsOf, senderOf } from '../chat-link/rows.ts';
import type { Focus } from './search-panel.lazy.tsx';
import { useScroll } from './use-scroll.ts';

function RowView({ row, group }: { row: Row; group: GroupView }) {
  const chat = useChat();
  const members = group.info?.members ?? [];
  const { groupId } = group;
  if (row.kind === 'time')
    return (
      <p className="chat-note">
        <TimeLabel at={new Date(row.at).toISOString()} form="chat" />
      </p>
    );
  if (row.kind === 'card') return <SystemCard message={row.message} group={group} />;
  if (row.kind === 'recalled') return <RecalledNotice message={row.message} members={members} />;
  if (row.kind === 'pending') {
    const { clientMsgId } = row.pending;
    return (
      <PendingBubble
        pending={row.pending}
        first={row.first}
        onRetry={() => chat.retry(groupId, clientMsgId)}
        onDiscard={() => chat.discard(groupId, clientMsgId)}
      />
    );
  }
  const context = { members, me: chat.imUid, orderSn: group.info?.orderSn ?? null };
  const recall = () => {
    if (!chat.recall(groupId, row.message.seq)) toast('网络连接不可用，请稍后再试', 'warn');
  };
  return <Bubble message={row.message} first={row.first} last={row.last} context={context} onRecall={recall} />;
}

/**
 * Marks the visible messages as read, half a second after they were displayed at the bottom of a page in the foreground
 * (product.md 9).
 */
function useReading(
  box: RefObject<HTMLDivElement | null>,
  group: GroupView,
  { atBottom, last }: { atBottom: boolean; last: string },
): void {
  const chat = useChat();
  const { groupId } = group;
  const members = group.info !== null;
  // Messages may be loaded before the connection is up, which the read mark needs.
  const isOnline = useLinkState() === 'online';
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    const recheck = () => setSeen((n) => n + 1);
    document.addEventListener('visibilitychange', recheck);
    return () => document.removeEventListener('visibilitychange', recheck);
  }, []);
  useEffect(() => {
    if (!isOnline || !atBottom || last === '' || document.visibilityState !== 'visible') return;
    const timer = setTimeout(() => {
      // Hidden behind a phone's list, the conversation is not visible.
      if (box.current?.getClientRects().length) chat.read(groupId);
    }, UNREAD_CLEAR_MS);
    return () => clearTimeout(timer);
  }, [box, chat, groupId, atBottom, last, seen, members, isOnline]);
}

/** Scrolls the requested message into the middle and highlights it; the highlight fades automatically (chat.css). */
function useFocus(box: RefObject<HTMLDivElement | null>, focus: Focus | null): void {
  useEffect(() => {
    if (!focus) return;
    const row = box.current?.querySelector(`[data-seq="${focus.seq}"]`);
    if (!row) return;
    row.scrollIntoView({ block: 'center' });
    row.classList.add('chat-row-found');
    return () => row.classList.remove('chat-row-found');
  }, [box, focus]);
}

/** Announces new messages of others to screen readers; messages loaded before are not announced. */
function Announcer({ group }: { group: GroupView }) {
  const last = group.log.list.at(-1);
  const [initialSeq] = useState(() => lastSeq(group.log));
  const text =
    last && last.seq > initialSeq && last.messageDirection === 2
      ? `${last.messageType === 'card' ? '' : `${senderOf(group.info?.members ?? [], last.senderUserId).name}：`}${messageText(last)}`
      : '';
  return (
    <p className="sr-only" aria-live="polite">
      {text}
    </p>
  );
}

/** The conversation's messages: older ones are loaded on scrolling up, new ones appear at the bottom or as a pill. */
export function Messages({ group, focus }: { group: GroupView; focus: Focus | null }) {
  const chat = useChat();
  const { groupId, log, pending, loading, error } = group;
  const rows = useMemo(() => rowsOf(log.list, pending), [log.list, pending]);
  const older = () => {
    if (!log.hasOlder || loading) return;
    void chat.older(groupId).then((ok) => {
      if (!ok) toast('网络错误', 'warn');
    });
  };
  const own = pending.length + log.list.filter((m) => m.messageDirection === 1).length;
  const ends = { first: String(log.list[0]?.seq ?? ''), last: rows.at(-1)?.key ?? '', own, count: log.list.length };
  const { box, unseen, atBottom, toBottom, onScroll } = useScroll(ends, older);
  useReading(box, group, { atBottom, last: ends.last });
  useFocus(box, focus);
  if (error)
    return (
      <div className="chat-scroll">
        <ErrorState message={error} onRetry={() => void chat.open(groupId)} />
      </div>
    );
  return (
    <div className="chat-scroll">
      {log.list.length > 0 && <Announcer group={group} />}
      {loading === 'first' && log.list.length === 0 ? (
        <MessagesSkeleton />
      ) : (
        <div
          ref={box}
          className="chat-list"
          role="log"
          // The announcer reads new messages; the log itself would also read older pages and own messages.
          aria-live="off"
          aria-label="聊天记录"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          onScroll={onScroll}
        >
          {/* A single child, whose size changes when content below has grown. */}
          <div>
            <p className="chat-note mt-0!">
              {loading === 'older' ? '正在加载更早的消息…' : log.hasOlder ? '' : '没有更多消息'}
            </p>
            {rows.map((row) => (
              <RowView key={row.key} row={row} group={group} />
            ))}
          </div>
        </div>
      )}
      {unseen > 0 && (
        <button type="button" className="chat-pill" onClick={toBottom}>
          <ArrowDown className="icon size-3.5" aria-hidden="true" />
          {unreadText(unseen)} 条新消息
        </button>
      )}
    </div>
  );
}
