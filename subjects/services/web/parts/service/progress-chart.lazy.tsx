import { cx } from '#web/ui/class-names.ts';
import { type Course, chartOf, standingText, tickText, ticksOf } from './progress-course.ts';

const LINES = [0, 25, 50, 75, 100];

/** The reports of a boosting order compared with the agreement: percent of the whole over the hours since the start. */
export default function ProgressChart({ course, now, isOpen }: { course: Course; now: string; isOpen: boolean }) {
  const { due, until, hours, points, percent, ahead, stages } = chartOf(course, now, isOpen);
  const x = (hour: number) => (hour / hours) * 100;
  const line = [{ hour: 0, percent: 0 }, ...points, { hour: until, percent }];
  const path = line.map((p) => `${x(p.hour).toFixed(2)},${(100 - p.percent).toFixed(2)}`).join(' ');
  const ticks = ticksOf(hours);
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  const standing = standingText(percent, ahead, isOpen);
  return (
    <figure className="border-t border-line-soft px-4 py-3">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13">
        <b className="font-medium">进度</b>
        <span className={cx('text-12', isOpen && ahead < 0 && percent < 100 ? 'text-attn' : 'text-ink-2')}>
          {standing}
        </span>
        <span className="ml-auto flex items-center gap-3 text-12 text-ink-3" aria-hidden="true">
          <span className="flex items-center gap-1">
            <i className="h-0.5 w-4 bg-brand-600" />
            实际
          </span>
          <span className="flex items-center gap-1">
            <i className="w-4 border-t-2 border-dashed border-line-strong" />
            约定
          </span>
        </span>
      </figcaption>
      <div className="relative mt-3 mr-3 ml-9 h-40" role="img" aria-label={`进度：${standing}`}>
        {LINES.map((at) => (
          <span
            key={at}
            className="absolute right-0 left-0 border-t border-line-soft text-11 text-ink-3"
            style={{ bottom: `${at}%` }}
          >
            <i className="absolute -top-2 right-full mr-2 whitespace-nowrap not-italic">{at}%</i>
          </span>
        ))}
        <svg
          className="absolute inset-0 size-full overflow-visible"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <polygon points={`0,100 ${path} ${x(until).toFixed(2)},100`} fill="var(--brand-100)" fillOpacity="0.6" />
          <polyline
            points={`0,100 ${x(due).toFixed(2)},0`}
            fill="none"
            stroke="var(--line-strong)"
            strokeWidth="1.5"
            strokeDasharray="4 4"
            vectorEffect="non-scaling-stroke"
          />
          <polyline
            points={path}
            fill="none"
            stroke="var(--brand-600)"
            strokeWidth="2"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {stages.length > 1 &&
          stages.map(({ seq, percent: whole, hour }) => {
            const done = points.find((point) => point.seq === seq);
            return (
              <i
                key={seq}
                className={cx(
                  'absolute grid size-4.5 -translate-x-1/2 translate-y-1/2 place-items-center rounded-full border bg-panel text-11 not-italic',
                  done ? 'border-brand-600 text-brand-700' : 'border-line-strong text-ink-3',
                )}
                style={{ left: `${x(done?.hour ?? hour)}%`, bottom: `${whole}%` }}
                aria-hidden="true"
              >
                {seq}
              </i>
            );
          })}
        <i
          className="absolute size-2 -translate-x-1/2 translate-y-1/2 rounded-full bg-brand-600"
          style={{ left: `${x(until)}%`, bottom: `${percent}%` }}
          aria-hidden="true"
        />
      </div>
      <div className="relative mt-1 mr-3 ml-9 h-4 text-11 text-ink-3" aria-hidden="true">
        {ticks.map((hour) => (
          <span key={hour} className="absolute -translate-x-1/2 whitespace-nowrap" style={{ left: `${x(hour)}%` }}>
            {tickText(hour, step)}
          </span>
        ))}
      </div>
      <table className="sr-only">
        <caption>打手的进度报告</caption>
        <tbody>
          {points.map((point) => (
            <tr key={`${point.hour}:${point.percent}`}>
              <th scope="row">开始后 {Math.round(point.hour * 10) / 10} 小时</th>
              <td>{Math.round(point.percent)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
