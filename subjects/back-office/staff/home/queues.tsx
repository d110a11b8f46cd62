import { Link } from 'react-router';
import type { StaffQueue } from '#subjects/back-office/contract/overview.ts';
import type { Counters } from '#web/layouts/shell/admin-counts.ts';
import { countText } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, Skeleton } from '#web/ui/states.tsx';
import { DeadlineClock } from '../parts/deadline-clock.tsx';

/** The numbers on time, close to the deadline and late, as one bar. */
function Spread({ queue }: { queue: StaffQueue }) {
  const { count, over, soon } = queue;
  if (count === 0) return <span className="queue-spread" aria-hidden="true" />;
  const parts = [
    ['calm', count - over - soon],
    ['soon', soon],
    ['over', over],
  ] as const;
  return (
    <span
      className="queue-spread"
      role="img"
      aria-label={`已超时 ${over}，快到时限 ${soon}，其余 ${count - over - soon}`}
    >
      {parts.map(([tone, n]) => n > 0 && <i key={tone} data-tone={tone} style={{ flexGrow: n }} />)}
    </span>
  );
}

function Queue({ queue, digit }: { queue: StaffQueue; digit: number }) {
  return (
    <li>
      <Link to={queue.to}>
        <span className="flex items-center justify-between gap-2 text-12">
          {queue.name}
          {digit <= 9 && <span className="text-11 text-ink-3 max-lg:hidden">G {digit}</span>}
        </span>
        <b className={queue.count === 0 ? 'text-ink-4' : undefined}>{countText(queue.count, queue.totalCapped)}</b>
        {queue.count > 0 && queue.nextTime !== null ? (
          <DeadlineClock until={queue.nextTime} limitSeconds={queue.nextLimit} />
        ) : (
          <span className="text-12 text-ink-3">没有待办</span>
        )}
        <Spread queue={queue} />
        <span className="text-12 text-ink-3">时限 {queue.limitText}</span>
      </Link>
    </li>
  );
}

/** A queue after the first ones, as one line: its name, the count and the most urgent deadline. */
function OtherQueue({ queue, digit }: { queue: StaffQueue; digit: number }) {
  const isDue = queue.count > 0 && queue.nextTime !== null;
  return (
    <li>
      <Link to={queue.to} title={`时限 ${queue.limitText}`}>
        <span className="truncate">{queue.name}</span>
        {digit <= 9 && <span className="text-11 text-ink-3 max-lg:hidden">G {digit}</span>}
        <b className={queue.count === 0 ? 'text-ink-3' : undefined}>{countText(queue.count, queue.totalCapped)}</b>
        {isDue && queue.nextTime !== null ? (
          <DeadlineClock until={queue.nextTime} limitSeconds={queue.nextLimit} />
        ) : (
          <span className="text-12 text-ink-3">没有待办</span>
        )}
      </Link>
    </li>
  );
}

/** Queues as tiles, in one line; the others follow as a list. */
const IN_LINE = 8;

/**
 * The caller's queues: the count, the most urgent deadline, the distribution by urgency, and the time limit of each.
 */
export function QueueStrip({ of }: { of: Counters }) {
  const { data, failure, reload } = of;
  if (data === null && failure !== null)
    return (
      <section className="panel flex items-center gap-3 px-4 py-3" aria-label="待办" role="alert">
        待办没有加载出来：{failure}
        <Button size="sm" onClick={reload}>
          重试
        </Button>
      </section>
    );
  if (data === null) return <Skeleton className="h-32 w-full rounded-card" />;
  if (data.queues.length === 0)
    return (
      <section className="panel" aria-label="待办">
        <EmptyState title="没有待办">分派给您的事项会出现在这里。</EmptyState>
      </section>
    );
  return (
    <section className="panel overflow-hidden" aria-label="待办">
      <ul className="queue-strip" style={{ '--in-line': Math.min(IN_LINE, data.queues.length) }}>
        {data.queues.slice(0, IN_LINE).map((queue, i) => (
          <Queue key={queue.key} queue={queue} digit={i + 1} />
        ))}
      </ul>
      {data.queues.length > IN_LINE && (
        <ul className="queue-rest" aria-label="其他待办">
          {data.queues.slice(IN_LINE).map((queue, i) => (
            <OtherQueue key={queue.key} queue={queue} digit={IN_LINE + i + 1} />
          ))}
        </ul>
      )}
    </section>
  );
}
