import type { coinRatioHistory } from '#subjects/quick-coin/contract/quick-coin.ts';
import { plainNumber, ratioText } from '#subjects/quick-coin/rules/coin.ts';
import type { Data } from '#contract/endpoint.ts';
import { cx } from '#web/ui/class-names.ts';

export type RatioHistory = Data<typeof coinRatioHistory>;

const WIDTH = 300;
const HEIGHT = 100;
/** A line needs two points. */
const MIN_DAYS = 2;

type Day = RatioHistory['list'][number];

/** Coordinates of the chart: days by date, so that gaps stay visible; units per yuan on the vertical axis. */
function scaleOf(list: readonly Day[]) {
  const low = Math.min(...list.map((d) => d.low));
  const high = Math.max(...list.map((d) => d.high));
  const pad = Math.max((high - low) * 0.1, high * 0.005);
  const first = Date.parse(list[0]?.day ?? '');
  const span = Math.max(1, Date.parse(list.at(-1)?.day ?? '') - first);
  return {
    x: (day: string) => (((Date.parse(day) - first) / span) * WIDTH).toFixed(1),
    y: (value: number) => (HEIGHT - ((value - low + pad) / (high - low + 2 * pad)) * HEIGHT).toFixed(1),
    low,
    high,
  };
}

/**
 * Units per yuan over 90 days: the middle half as a band, the median as a line. Shows a message when there is too
 * little data.
 */
export default function RatioChart({ history, className }: { history: RatioHistory; className?: string }) {
  const { list, unit } = history;
  const last = list.at(-1);
  if (list.length < MIN_DAYS || !last) {
    return <p className={cx('text-13 text-ink-3', className)}>这个大区的行情不足 2 天，暂时画不出走势。</p>;
  }
  const { x, y, low, high } = scaleOf(list);
  const upper = list.map((d) => `${x(d.day)},${y(d.high)}`);
  const lower = list.toReversed().map((d) => `${x(d.day)},${y(d.low)}`);
  const deals = list.reduce((sum, d) => sum + d.deals, 0);
  const summary = `近 ${list.length} 天，1 元可买 ${plainNumber(low)} 至 ${plainNumber(high)} ${unit}，最新 ${plainNumber(last.typical)} ${unit}`;
  return (
    <figure className={cx('ratio-chart', className)}>
      <div className="relative">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
          <polygon points={[...upper, ...lower].join(' ')} fill="var(--brand-100)" />
          <polyline
            points={list.map((d) => `${x(d.day)},${y(d.typical)}`).join(' ')}
            fill="none"
            stroke="var(--brand-600)"
            strokeWidth="1.75"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <span className="ratio-high">{plainNumber(high)}</span>
        <span className="ratio-low">{plainNumber(low)}</span>
      </div>
      <figcaption>
        <span>{list[0]?.day.slice(5)}</span>
        <span className="text-ink-2">
          {ratioText(last.typical, unit)}，成交 {deals} 笔
        </span>
        <span>{last.day.slice(5)}</span>
      </figcaption>
    </figure>
  );
}
