import { useEffect, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

export type ClockTone = 'calm' | 'soon' | 'over';

/** The state of a deadline: overdue, in the last third of its time, or on time. */
export function clockTone(leftMs: number, limitSeconds: number): ClockTone {
  if (leftMs <= 0) return 'over';
  return leftMs <= (limitSeconds * 1000) / 3 ? 'soon' : 'calm';
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration as text: 0:38, 42 分, 1 小时 28 分, 2 天 3 小时. */
export function leftText(ms: number): string {
  const left = Math.abs(ms);
  if (left < 10 * MINUTE)
    return `${Math.floor(left / MINUTE)}:${String(Math.floor((left % MINUTE) / 1000)).padStart(2, '0')}`;
  if (left < HOUR) return `${Math.floor(left / MINUTE)} 分`;
  if (left < DAY) {
    const minutes = Math.floor((left % HOUR) / MINUTE);
    return `${Math.floor(left / HOUR)} 小时${minutes > 0 ? ` ${minutes} 分` : ''}`;
  }
  const hours = Math.floor((left % DAY) / HOUR);
  return `${Math.floor(left / DAY)} 天${hours > 0 ? ` ${hours} 小时` : ''}`;
}

/** The current time, updated every second below ten minutes and every half minute above. */
export function useNow(until: string | null): number {
  const [now, setNow] = useState(() => Date.now());
  const isNear = until !== null && Math.abs(Date.parse(until) - now) < 10 * MINUTE;
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setNow(Date.now()), isNear ? 1000 : 30_000);
    return () => clearInterval(timer);
  }, [until, isNear]);
  return now;
}

const RADIUS = 5;
const AROUND = 2 * Math.PI * RADIUS;

/** The time left until a deadline: a ring that empties and text; never the age. `what` precedes the time. */
export function DeadlineClock({
  until,
  limitSeconds,
  what,
  className,
}: {
  until: string;
  limitSeconds: number;
  what?: string;
  className?: string;
}) {
  const now = useNow(until);
  const left = Date.parse(until) - now;
  const tone = clockTone(left, limitSeconds);
  const part = tone === 'over' ? 1 : Math.min(1, left / (limitSeconds * 1000));
  return (
    <span className={cx('ck', tone !== 'calm' && `ck-${tone}`, className)} suppressHydrationWarning>
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r={RADIUS} className="ck-ground" />
        <circle
          cx="7"
          cy="7"
          r={RADIUS}
          strokeDasharray={`${part * AROUND} ${AROUND}`}
          transform="rotate(-90 7 7)"
          suppressHydrationWarning
        />
      </svg>
      <span suppressHydrationWarning>
        {what !== undefined && `${what} `}
        {tone === 'over' ? '已超 ' : '剩 '}
        {leftText(left)}
      </span>
    </span>
  );
}
