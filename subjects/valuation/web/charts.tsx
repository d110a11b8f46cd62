import { fenOf, grouped, wholeYuan } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import type { Result } from './valuation-loader.ts';

type Chart = NonNullable<Result['chart']>;
interface Prices {
  low: string;
  typical: string;
  high: string;
}

const at = (yuan: string, from: number, to: number): number =>
  Math.round(Math.min(100, Math.max(0, ((fenOf(yuan) - from) / Math.max(1, to - from)) * 100)) * 10) / 10;

/** A mark over the histogram; near the right edge its label is to the left of the line. */
function Mark({ x, label, isMain = false }: { x: number; label: string; isMain?: boolean }) {
  return (
    <span className={cx('val-mark', isMain && 'val-mark-main', x > 72 && 'val-mark-left')} style={{ '--x': `${x}%` }}>
      <b>{label}</b>
    </span>
  );
}

/** Sale prices of similar accounts, adjusted to this one: bars within the band have the brand's colour. */
export function Histogram({ chart, prices, was }: { chart: Chart; prices: Prices; was: string | null }) {
  const { bins } = chart;
  const from = fenOf(bins[0]?.from ?? '0');
  const to = fenOf(bins.at(-1)?.to ?? '1');
  const most = Math.max(1, ...bins.map((b) => b.count));
  const [low, high] = [fenOf(prices.low), fenOf(prices.high)];
  const inBand = (b: Chart['bins'][number]): boolean => fenOf(b.to) > low && fenOf(b.from) < high;
  const ticks = bins.filter((_, i) => i % Math.max(1, Math.ceil(bins.length / 6)) === 0);
  return (
    <figure>
      <div
        className="val-bars"
        role="img"
        aria-label={`同类成交折算到这个号的价格分布：一成低于 ${wholeYuan(prices.low)} 元，参考价 ${wholeYuan(prices.typical)} 元，一成高于 ${wholeYuan(prices.high)} 元`}
      >
        {bins.map((b) => (
          <i
            key={b.from}
            className={inBand(b) ? 'val-in' : undefined}
            style={{ '--h': `${Math.round((b.count / most) * 100)}%` }}
            title={`${wholeYuan(b.from)}–${wholeYuan(b.to)} 元，${b.count} 笔`}
          />
        ))}
        <Mark x={at(prices.low, from, to)} label={`低 ${wholeYuan(prices.low)}`} />
        <Mark x={at(prices.high, from, to)} label={`高 ${wholeYuan(prices.high)}`} />
        <Mark x={at(prices.typical, from, to)} label={`参考价 ${wholeYuan(prices.typical)}`} isMain />
        {was !== null && (
          <span className="val-was" style={{ '--x': `${at(was, from, to)}%` }} title={`刚才 ${wholeYuan(was)} 元`} />
        )}
      </div>
      <div className="val-ticks" aria-hidden="true">
        {ticks.map((b) => (
          <span key={b.from} style={{ '--x': `${at(b.from, from, to)}%` }}>
            {wholeYuan(b.from)}
          </span>
        ))}
      </div>
    </figure>
  );
}

const DAY_MS = 86_400_000;

/** Sales of similar accounts by day, with the band and this account's price at the right edge. */
export function Scatter({ chart, prices }: { chart: Chart; prices: Prices }) {
  const { points } = chart;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const all = [...points.map((p) => fenOf(p.price)), fenOf(prices.low), fenOf(prices.high)];
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const pad = (max - min) * 0.06;
  const y = (yuan: string): number => 100 - at(yuan, min - pad, max + pad);
  const start = Date.parse(first.day);
  const span = Math.max(DAY_MS, Date.parse(last.day) - start);
  const x = (day: string): number => ((Date.parse(day) - start) / span) * 96 + 1;
  const marks = [prices.low, prices.typical, prices.high];
  return (
    <figure className="val-plot">
      <svg
        role="img"
        aria-label={`${first.day} 至 ${last.day} 的 ${points.length} 笔同类成交，多数在 ${wholeYuan(prices.low)} 到 ${wholeYuan(prices.high)} 元之间`}
      >
        <rect
          x="0"
          width="100%"
          y={`${y(prices.high)}%`}
          height={`${y(prices.low) - y(prices.high)}%`}
          fill="var(--brand-100)"
        />
        <line
          x1="0"
          x2="100%"
          y1={`${y(prices.typical)}%`}
          y2={`${y(prices.typical)}%`}
          stroke="var(--brand-600)"
          strokeWidth="1.75"
        />
        {points.map((p, i) => (
          <circle
            key={`${p.day}${p.price}${i}`}
            cx={`${x(p.day)}%`}
            cy={`${y(p.price)}%`}
            r="2.5"
            fill="var(--brand-500)"
            opacity="0.75"
          />
        ))}
        <circle cx="98%" cy={`${y(prices.typical)}%`} r="5" fill="var(--price-big)" />
      </svg>
      {marks.map((m) => (
        <span key={m} className="val-y" style={{ '--y': `${y(m)}%` }} aria-hidden="true">
          <b>{wholeYuan(m)}</b>
        </span>
      ))}
      <figcaption>
        <span>{first.day.slice(5)}</span>
        <span>{last.day.slice(5)}</span>
      </figcaption>
    </figure>
  );
}

const daysText = (days: number): string => (days < 1 ? '1 天内' : `${Math.round(days)} 天`);

/** Days to sell by asking price. A step line: each mark is a measured price. */
export function DaysCurve({ chart, typical }: { chart: Chart; typical: string }) {
  const { days } = chart;
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last) return null;
  const [from, to] = [fenOf(first.price), fenOf(last.price)];
  const most = Math.max(1, ...days.map((d) => d.days)) * 1.25;
  const x = (yuan: string): number => at(yuan, from, to) * 0.92 + 4;
  const y = (n: number): number => 100 - (n / most) * 100;
  const line = days.map((d) => `${x(d.price)},${y(d.days)}`).join(' ');
  return (
    <figure className="val-plot val-days">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polyline
          points={line}
          fill="none"
          stroke="var(--brand-600)"
          strokeWidth="1.75"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <ol aria-label="定价与卖出天数">
        {days.map((d) => (
          <li
            key={d.price}
            className={d.price === typical ? 'val-dot val-dot-on' : 'val-dot'}
            style={{ '--x': `${x(d.price)}%`, '--y': `${y(d.days)}%` }}
          >
            <b>{daysText(d.days)}</b>
            <span>{wholeYuan(d.price)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

const TARGET = [76, 84] as const;

/** Share of each month's sales within the band, against the promised range. */
export function HitRates({ months }: { months: Result['months'] }) {
  return (
    <ol className="val-months">
      {months.map((m) => (
        <li key={m.month} title={`${m.month}，${grouped(m.sales)} 笔成交`}>
          <span className="val-gauge" aria-hidden="true">
            <i style={{ '--from': `${(TARGET[0] - 60) * 2.5}%`, '--to': `${(TARGET[1] - 60) * 2.5}%` }} />
            <u
              style={{ '--y': `${Math.min(96, Math.max(4, (m.percent - 60) * 2.5))}%` }}
              className={m.percent >= TARGET[0] && m.percent <= TARGET[1] ? 'val-ok' : undefined}
            />
          </span>
          <b>{m.percent}%</b>
          <span>
            {Number(m.month.slice(5))} 月，{grouped(m.sales)} 笔
          </span>
        </li>
      ))}
    </ol>
  );
}
