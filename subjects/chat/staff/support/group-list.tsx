import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { staffImGroups } from '#subjects/chat/contract/im-staff.ts';
import { unreadText } from '#contract/rules/limits.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { serviceLevels } from '../../rules/service-levels.ts';
import { call } from '#web/lib/api/api.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { FilterBar, FilterKeyword } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { DeadlineClock } from '#subjects/back-office/staff/parts/deadline-clock.tsx';
import { GameIcon } from '#subjects/games/web/parts/games/game-icon.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { opening, slotsOf } from './slots.ts';

type Group = Data<typeof staffImGroups>['list'][number];

const EMPTY = {
  mine: '没有您负责的会话。当班时，新付款的订单会按规则分配过来。',
  waiting: '没有排队的会话。',
  all: '没有符合条件的会话。',
} as const;

/** The conversations in the server's order. While the pointer is over the list no row moves. */
function useCalmOrder(items: readonly Group[]): { visible: readonly Group[]; hold: (isHeld: boolean) => void } {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const rankOf = ({ groupId }: Group) => {
    const at = held?.indexOf(groupId) ?? -1;
    return at < 0 ? items.length : at;
  };
  const visible = held === null ? items : items.toSorted((a, b) => rankOf(a) - rankOf(b));
  const hold = (isHeld: boolean) => setHeld(isHeld ? visible.map(({ groupId }) => groupId) : null);
  return { visible, hold };
}

/** Only the nearer deadline. */
function NearClock({ group }: { group: Group }) {
  const { replyTime, stepTime } = group;
  const isReply = replyTime !== null && (stepTime === null || replyTime <= stepTime);
  const until = isReply ? replyTime : stepTime;
  if (until === null) return null;
  return isReply ? (
    <DeadlineClock until={until} limitSeconds={serviceLevels.chat.seconds} className="flex-none" />
  ) : (
    <DeadlineClock until={until} limitSeconds={group.stepLimit} what="本步" className="flex-none" />
  );
}

/** The due step, with the progress of the hand-over: 请核对登录 2/6. */
const dueText = ({ due }: Group): string =>
  due === null ? '' : due.step === null ? due.title : `${due.title} ${due.step}/${due.steps}`;

function Row({
  group,
  to,
  isHere,
  isMine,
  digit,
}: {
  group: Group;
  to: string;
  isHere: boolean;
  isMine: boolean;
  /** The column that shows it. */
  digit: number | null;
}) {
  return (
    <li>
      <Link to={to} className="workbench-row" aria-current={isHere ? 'true' : undefined} preventScrollReset>
        <span className="flex items-baseline gap-2">
          <span className="flex min-w-0 flex-1 items-center gap-1.5">
            <GameIcon src={group.gameIcon} size={16} />
            <b className="truncate font-medium">{group.title}</b>
          </span>
          {group.closed || (group.replyTime === null && group.stepTime === null) ? (
            group.lastTime && <TimeLabel at={group.lastTime} form="chat" className="flex-none text-11 text-ink-3" />
          ) : (
            <NearClock group={group} />
          )}
        </span>
        <span className="flex items-center gap-2 text-12 text-ink-3">
          <span className="min-w-0 flex-1 truncate">{group.lastText}</span>
          {digit !== null && <kbd className="flex-none">{digit}</kbd>}
          {group.unread > 0 && !isHere && <span className="badge">{unreadText(group.unread)}</span>}
        </span>
        <span className="flex gap-2 text-12 text-ink-3">
          <span className="truncate">
            {!isMine && group.staffName && `${staffLabel(group.staffName)}：`}
            {group.sellerName === '' ? group.buyerName : `${group.buyerName} 与 ${group.sellerName}`}
          </span>
          <span
            className={cx('ml-auto flex-none', !group.closed && group.due?.turn === 'staff' && 'font-medium text-attn')}
          >
            {group.closed ? '已结束' : dueText(group)}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Link to the conversation at the top of the list. */
export function MostUrgent({ groups }: { groups: readonly Group[] }) {
  const [first] = groups;
  if (!first || first.closed) return null;
  return (
    <ButtonLink kind="primary" to={`/backstage/chat?g=${first.groupId}`}>
      打开最急的一个
    </ButtonLink>
  );
}

/** The groups of a scope, searchable by order number; the selected one is shown next to the list. */
export function GroupList({
  data,
  onPick,
}: {
  data: {
    groups: Data<typeof staffImGroups>;
    scope: 'mine' | 'waiting' | 'all';
    groupId: string | null;
    isAdmin: boolean;
    duty: { waiting: number; load: number };
  };
  /** Called when a conversation is chosen. */
  onPick?: () => void;
}) {
  const { groups, scope, groupId, isAdmin, duty } = data;
  const [search] = useSearchParams();
  const { items, next, busy, error, more } = useCursorList(
    groups,
    (cursor) => call(staffImGroups, { scope, keyWord: search.get('keyWord') ?? undefined, cursor }, { quiet: true }),
    (group) => group.groupId,
  );
  const { visible, hold } = useCalmOrder(items);
  const slots = slotsOf(search);
  const href = (id: string) => {
    if (scope === 'mine') return `?${opening(search, id).toString()}`;
    const to = new URLSearchParams(search);
    to.set('g', id);
    to.delete('w');
    to.delete('orderSn');
    return `?${to.toString()}`;
  };
  return (
    <section className="panel workbench-list" aria-label="会话列表">
      <StatusTabs
        name="scope"
        label="范围"
        items={[
          { key: 'mine', text: '我的', count: duty.load },
          { key: 'waiting', text: '排队中', count: duty.waiting },
          ...(isAdmin ? [{ key: 'all', text: '全部' }] : []),
        ]}
      />
      <div className="px-3 py-2">
        <FilterBar names={['keyWord']} preserve={['scope']}>
          <FilterKeyword placeholder="订单编号" />
        </FilterBar>
      </div>
      <div
        className="min-h-0 flex-1 overflow-y-auto"
        onPointerEnter={() => hold(true)}
        onPointerLeave={() => hold(false)}
      >
        {items.length === 0 ? (
          <EmptyState title="没有会话">{EMPTY[scope]}</EmptyState>
        ) : (
          <>
            <ul
              onClick={(event) => {
                if ((event.target as HTMLElement).closest('a')) onPick?.();
              }}
            >
              {visible.map((group) => (
                <Row
                  key={group.groupId}
                  group={group}
                  to={href(group.groupId)}
                  isHere={group.groupId === groupId}
                  isMine={scope === 'mine'}
                  digit={slots.length > 1 && slots.includes(group.groupId) ? slots.indexOf(group.groupId) + 1 : null}
                />
              ))}
            </ul>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </div>
    </section>
  );
}
