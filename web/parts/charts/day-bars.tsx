import { Link } from 'react-router';
import { cx } from '#web/ui/class-names.ts';

export interface DayBar {
  /** 2026-11-20 */
  day: string;
  count: number;
  /** URL of that day's list. */
  to: string;
  chosen: boolean;
}

/**
 * Days as columns, each a link to its list; the number is displayed above, so that no information depends on height
 * alone.
 */
export function DayBars({ bars, label, unit }: { bars: readonly DayBar[]; label: string; unit: string }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ol className="day-bars" aria-label={label}>
      {bars.map(({ day, count, to, chosen }) => (
        <li key={day}>
          <Link
            to={to}
            preventScrollReset
            aria-current={chosen || undefined}
            title={`${day}，${count} ${unit}`}
            className={cx('day-bar', chosen && 'day-bar-on')}
          >
            <b>
              {count}
              <span className="sr-only">{unit}</span>
            </b>
            <i style={{ '--share': `${Math.round((count / most) * 100)}%` }} />
            <span>{day.slice(5).replace('-', '/')}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
