import { X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { staffImGroups } from '#subjects/chat/contract/im-staff.ts';
import { serviceLevels } from '../../rules/service-levels.ts';
import { Conversation } from '../../web/parts/chat/conversation.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Tag } from '#web/ui/tag.tsx';
import { DeadlineClock } from '#subjects/back-office/staff/parts/deadline-clock.tsx';
import { GameIcon } from '#subjects/games/web/parts/games/game-icon.tsx';
import { CannedReplies } from './forms/canned-replies.tsx';
import { useInserter } from './forms/inserters.ts';

export type Group = Data<typeof staffImGroups>['list'][number];

/** The two deadlines of a conversation: the reply, and the step of the order. */
export function GroupClocks({ group }: { group: Group }) {
  if (group.closed) return <span className="text-12 text-ink-3">已结束</span>;
  return (
    <>
      {group.replyTime === null ? (
        <span className="text-12 text-ink-3">已回复</span>
      ) : (
        <DeadlineClock until={group.replyTime} limitSeconds={serviceLevels.chat.seconds} what="回复" />
      )}
      {group.stepTime !== null && <DeadlineClock until={group.stepTime} limitSeconds={group.stepLimit} what="本步" />}
    </>
  );
}

/** The header of a column: its digit, the game and order, the due step with its actor, and the deadlines. */
function ColumnHead({ group, digit, onClose }: { group: Group; digit: number; onClose: () => void }) {
  const { due } = group;
  return (
    <div className="workbench-column-head">
      <p className="flex items-center gap-2">
        <kbd>{digit}</kbd>
        <GameIcon src={group.gameIcon} />
        <b className="truncate font-semibold">{group.gameName || group.title}</b>
        {group.orderSn !== null && <span className="truncate text-12 text-ink-3">{group.orderSn.slice(-6)}</span>}
        <Button kind="ghost" size="sm" icon className="ml-auto" aria-label="收起这个会话" onClick={onClose}>
          <X className="icon" aria-hidden="true" />
        </Button>
      </p>
      {due !== null && (
        <p className="flex items-center gap-2 text-13">
          <span className="truncate font-medium">{due.title}</span>
          {due.step !== null && (
            <span className="flex-none text-ink-3">
              {due.step}/{due.steps}
            </span>
          )}
          {group.turnText !== null && (
            <Tag className="ml-auto" {...(due.turn === 'staff' && { tone: 'attn' as const })}>
              {group.turnText}
            </Tag>
          )}
        </p>
      )}
      {due !== null && due.steps > 0 && (
        <span className="workbench-steps" aria-hidden="true">
          {Array.from({ length: due.steps }, (_, i) => (
            <i
              key={i}
              data-state={due.step === null || i + 1 < due.step ? 'done' : i + 1 === due.step ? 'now' : 'later'}
            />
          ))}
        </span>
      )}
      <p className="flex flex-wrap items-center justify-between gap-x-3">
        <GroupClocks group={group} />
      </p>
    </div>
  );
}

/** One of the conversations side by side. A click anywhere in it moves the focus here. */
export function Column({
  groupId,
  group,
  digit,
  order,
  draftOwner,
  headStart,
  headEnd,
  onFocus,
  onClose,
}: {
  groupId: string;
  /** Absent while it is not in the list. */
  group: Group | undefined;
  digit: number;
  /** 0 in focus; the others are hidden one by one on narrower screens. */
  order: number;
  draftOwner: string;
  headStart: ReactNode;
  headEnd: ReactNode;
  onFocus: () => void;
  onClose: () => void;
}) {
  const tools = useMemo(
    () =>
      function ColumnTools({ onPick }: { onPick: (text: string) => void }) {
        useInserter(groupId, onPick);
        return <CannedReplies onPick={onPick} />;
      },
    [groupId],
  );
  const isFocus = order === 0;
  return (
    <section
      className={cx('panel workbench-column', isFocus && 'workbench-column-focus', `workbench-column-${order}`)}
      aria-label={isFocus ? '会话' : `会话 ${digit}`}
      onPointerDownCapture={isFocus ? undefined : onFocus}
      onFocusCapture={isFocus ? undefined : onFocus}
    >
      {group && <ColumnHead group={group} digit={digit} onClose={onClose} />}
      <Conversation groupId={groupId} draftOwner={draftOwner} headStart={headStart} headEnd={headEnd} tools={tools} />
    </section>
  );
}
