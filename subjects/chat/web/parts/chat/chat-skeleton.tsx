import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/states.tsx';
import { draftOf, saveDraft } from '../chat-link/drafts.ts';

/** Bubbles of the skeleton: width in pixels and sender; `card` is a note in the middle. */
const BUBBLES: readonly [width: number, of: 'other' | 'mine' | 'card'][] = [
  [220, 'other'],
  [160, 'mine'],
  [196, 'card'],
  [260, 'other'],
  [148, 'other'],
  [190, 'mine'],
  [212, 'card'],
  [124, 'mine'],
];

/** Placeholder for messages that are still loading. */
export function MessagesSkeleton() {
  return (
    <div className="chat-list" role="status" aria-label="正在加载消息">
      {BUBBLES.map(([width, of]) => (
        <div
          key={width}
          className={cx('chat-row chat-row-first', of === 'mine' && 'chat-row-mine', of === 'card' && 'justify-center')}
        >
          {of === 'other' && <Skeleton className="size-8.5 rounded-full" />}
          <Skeleton className="h-10 rounded-card" style={{ width }} />
        </div>
      ))}
    </div>
  );
}

/** The state that the composer takes over from the skeleton's field, in addition to the draft. */
interface Handed {
  groupId: string;
  hasFocus: boolean;
  /** The user has clicked 发送 already. */
  isSent: boolean;
}

let handed: Handed | null = null;

/** Returns the user's activity in the skeleton's field of this group, once. */
export function takeOver(groupId: string): Pick<Handed, 'hasFocus' | 'isSent'> {
  const found = handed?.groupId === groupId ? handed : { hasFocus: false, isSent: false };
  handed = null;
  return found;
}

/** Widths of the quick sentences' placeholders, in pixels. */
const QUICK = [84, 72, 78];

/**
 * The input before the conversation is open: usable immediately; the text is the group's draft, which the composer
 * takes over.
 */
export function PendingField({
  groupId,
  draftOwner,
  hasQuick,
}: {
  groupId: string | null;
  draftOwner: string;
  hasQuick: boolean;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = field.current;
    if (area && area.value === '' && groupId !== null) area.value = draftOf(draftOwner, groupId);
  }, [groupId, draftOwner]);
  const [isSent, setSent] = useState(false);
  const isSentRef = useRef(false);
  const send = () => {
    if (groupId === null || field.current?.value.trim() === '') return;
    isSentRef.current = true;
    setSent(true);
  };
  useLayoutEffect(() => {
    const area = field.current;
    if (groupId === null) return undefined;
    const before = takeOver(groupId);
    if (before.hasFocus) area?.focus();
    if (before.isSent) isSentRef.current = true;
    return () => {
      handed = { groupId, hasFocus: document.activeElement === area, isSent: isSentRef.current };
    };
  }, [groupId]);
  const onKeyDown = (event: KeyboardEvent) => {
    // With a touch keyboard Enter inserts a line break, as in the composer.
    if (pressedKey(event) !== 'Enter' || event.shiftKey || event.altKey || window.matchMedia('(hover: none)').matches)
      return;
    event.preventDefault();
    send();
  };
  return (
    <div className={cx('chat-field flex flex-col overflow-hidden', hasQuick ? 'h-25 md:h-44.75' : 'h-15 md:h-34.75')}>
      {hasQuick && (
        <div className="chat-quick flex-none" aria-hidden="true">
          {QUICK.map((width) => (
            <Skeleton key={width} className="h-8 flex-none rounded-full" style={{ width }} />
          ))}
        </div>
      )}
      <div className="flex min-h-0 flex-1 items-end gap-2 md:block md:pt-9">
        <textarea
          ref={field}
          rows={1}
          maxLength={2000}
          aria-label="消息"
          placeholder="输入消息"
          className="md:min-h-12"
          onKeyDown={onKeyDown}
          onChange={(event) => groupId !== null && saveDraft(draftOwner, groupId, event.target.value)}
        />
        <div className="flex items-center justify-between md:mt-1">
          <span className="inline-flex items-center gap-1.5 text-12 text-ink-3 max-md:hidden">
            <i className="dot dot-attn" aria-hidden="true" />
            {isSent ? '正在连接，连上后自动发送' : '正在连接，可以先写'}
          </span>
          <Button kind="primary" busy={isSent} onClick={send} aria-label="发送">
            发送
          </Button>
        </div>
      </div>
    </div>
  );
}

/**
 * A conversation before its script has loaded: server-rendered header and pinned strip, and placeholders for the rest.
 */
export function ChatSkeleton({
  strip,
  hasQuick,
  groupId,
  draftOwner,
}: {
  strip: ReactNode;
  hasQuick: boolean;
  groupId: string | null;
  draftOwner: string;
}) {
  return (
    <section className="chat" aria-label="聊天">
      <header className="chat-head">
        <span className="flex -space-x-2 max-md:hidden" aria-hidden="true">
          {[0, 1, 2].map((n) => (
            <Skeleton key={n} className="size-7.5 rounded-full ring-2 ring-panel" />
          ))}
        </span>
        <div className="grid min-w-0 flex-1 gap-1">
          <h2 className="text-14 font-semibold">交易群</h2>
          <Skeleton className="h-3 w-24" />
        </div>
      </header>
      {strip}
      <div className="chat-scroll">
        <MessagesSkeleton />
      </div>
      <PendingField groupId={groupId} draftOwner={draftOwner} hasQuick={hasQuick} />
    </section>
  );
}
