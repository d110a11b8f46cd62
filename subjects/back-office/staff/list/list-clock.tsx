import { createContext, useContext, useEffect, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';
import { fullAt } from '#web/lib/format/times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Below this time left a clock displays seconds. */
const CLOSE_MS = 10 * MINUTE;
const ROUND = 2 * Math.PI * 5.5;

/**
 * The server's time on this screen in ms; it advances every second while a deadline is close, else every half minute.
 */
const NowContext = createContext(0);

/** Provides the server's time to the clocks of a list; `deadlines` determine how often it advances. */
export function useListNow(now: string, deadlines: readonly (string | null)[]): number {
  const start = Date.parse(now);
  const [at, setAt] = useState(start);
  const isClose = deadlines.some((end) => end !== null && Math.abs(Date.parse(end) - at) < CLOSE_MS);
  useEffect(() => {
    const skew = start - Date.now();
    const tick = () => setAt(Date.now() + skew);
    const timer = setInterval(tick, isClose ? 1000 : 30_000);
    return () => clearInterval(timer);
  }, [start, isClose]);
  return Math.max(at, start);
}

export const NowProvider = NowContext.Provider;

function lengthText(ms: number, withSeconds: boolean): string {
  if (withSeconds && ms < CLOSE_MS) {
    const seconds = Math.floor(ms / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} 分`;
  if (ms < 3 * HOUR)
    return `${Math.floor(ms / HOUR)} 时 ${String(Math.floor((ms % HOUR) / MINUTE)).padStart(2, '0')} 分`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} 时`;
  return `${Math.floor(ms / DAY)} 天 ${Math.floor((ms % DAY) / HOUR)} 时`;
}

/**
 * The time left until the next deadline: a ring that empties, amber in its last third, red once overdue. Without `from`
 * the ring represents a day.
 */
export function ListClock({ end, from }: { end: string; from: string | null }) {
  const now = useContext(NowContext);
  const due = Date.parse(end);
  const left = due - now;
  const span = from === null ? DAY : Math.max(MINUTE, due - Date.parse(from));
  const share = Math.min(1, Math.max(0, left / span));
  const isOver = left <= 0;
  return (
    <span
      className={cx('list-clock', isOver ? 'list-clock-over' : share <= 1 / 3 && 'list-clock-late')}
      title={`${fullAt(end)} 到期`}
    >
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="5.5" />
        <circle
          cx="7"
          cy="7"
          r="5.5"
          strokeDasharray={`${(share * ROUND).toFixed(1)} ${ROUND.toFixed(1)}`}
          transform="rotate(-90 7 7)"
        />
      </svg>
      {isOver ? `已超 ${lengthText(-left, false)}` : `剩 ${lengthText(left, true)}`}
    </span>
  );
}
