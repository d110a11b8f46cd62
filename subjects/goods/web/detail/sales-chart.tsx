import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { Amount } from '#web/ui/price.tsx';
import type { DetailData, DetailMore } from './loader.ts';

type Compared = Pick<DetailMore['goods'], 'sales'> & Pick<DetailData['goods'], 'band' | 'price'>;

const WIDTH = 280;
const HEIGHT = 96;
const EDGE = 5;
const DAY_MS = 86_400_000;

/** Bounds of the chart in fen: outliers are drawn at the edge, so that they do not compress the rest. */
function boundsOf(prices: readonly number[], own: number): [low: number, high: number] {
  const sorted = prices.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? own;
  const low = Math.min(at(0.05), own);
  const high = Math.max(at(0.95), own);
  const pad = Math.max(100, (high - low) * 0.08);
  return [Math.max(0, low - pad), high + pad];
}

/** Comparable sales of 90 days as dots, with the common range behind them and a line at this listing's price. */
export default function SalesChart({ sales, band, price }: Compared) {
  const [first, last] = [sales[0], sales.at(-1)];
  if (!first || !last) return null;
  const own = fenOf(price);
  const prices = sales.map((sale) => fenOf(sale.price));
  const [low, high] = boundsOf(prices, own);
  const from = Date.parse(first.day);
  const span = Math.max(DAY_MS, Date.parse(last.day) - from);
  const x = (day: string): number => EDGE + ((Date.parse(day) - from) / span) * (WIDTH - 2 * EDGE);
  const y = (fen: number): number => {
    const part = Math.min(1, Math.max(0, (fen - low) / (high - low)));
    return Number((HEIGHT - EDGE - part * (HEIGHT - 2 * EDGE)).toFixed(1));
  };
  const range = band && !band.wide ? band : null;
  const [top, bottom] = range ? [y(fenOf(range.high)), y(fenOf(range.low))] : [0, 0];
  return (
    <figure className="sales-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`同类 ${sales.length} 笔成交价走势，${first.day} 至 ${last.day}，本商品标价 ${grouped(price)} 元`}
      >
        {range && <rect className="chart-band" x="0" y={top} width={WIDTH} height={Math.max(1, bottom - top)} />}
        <line className="chart-own" x1="0" x2={WIDTH} y1={y(own)} y2={y(own)} />
        {sales.map(({ day, price: paid }, i) => (
          <circle
            key={`${day}${paid}${String(i)}`}
            className="chart-dot"
            cx={x(day).toFixed(1)}
            cy={y(fenOf(paid))}
            r="2.5"
          />
        ))}
      </svg>
      <figcaption>
        <span>{first.day.slice(5)}</span>
        <span>
          <i className="chart-own-key" aria-hidden="true" />
          本商品 <Amount yuan={yuanOf(own)} />
        </span>
        <span>{last.day.slice(5)}</span>
      </figcaption>
    </figure>
  );
}
