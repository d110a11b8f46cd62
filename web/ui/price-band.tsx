import { fenOf, wholeYuan, grouped } from '#web/lib/format.ts';
import { cx } from './class-names.ts';

/** Low, typical and high price of comparable sales, in yuan text as on the wire. */
export interface Band {
  low: string;
  typical: string;
  high: string;
}

/** The positions of low, typical and high in every band, in percent of its width. */
const LOW_AT = 14;
const TYPICAL_AT = 50;
const HIGH_AT = 86;

/** Position of a price on the band, in percent: linear between the three marks, clamped to its ends. */
export function positionOf(price: string, band: Band): number {
  const [at, low, typical, high] = [price, band.low, band.typical, band.high].map(fenOf) as [
    number,
    number,
    number,
    number,
  ];
  const position =
    at <= typical
      ? LOW_AT + ((at - low) / Math.max(1, typical - low)) * (TYPICAL_AT - LOW_AT)
      : TYPICAL_AT + ((at - typical) / Math.max(1, high - typical)) * (HIGH_AT - TYPICAL_AT);
  return Math.round(Math.min(97, Math.max(3, position)));
}

/** From here on a price is worth a second look: below half, or above twice the typical one. */
export const isFarOff = (diffPercent: number): boolean => diffPercent <= -50 || diffPercent >= 100;

/** The difference as text: 低于参考价 10%, 与参考价相当, 低于参考价 83%，请核对. */
export function bandText(diffPercent: number): string {
  if (diffPercent === 0) return '与参考价相当';
  return `${diffPercent < 0 ? '低于' : '高于'}参考价 ${Math.abs(diffPercent)}%${isFarOff(diffPercent) ? '，请核对' : ''}`;
}

/** The price as a point on the band of comparable sales. */
export function PriceBand({
  price,
  band,
  labels = false,
  className,
}: {
  price: string;
  band: Band;
  labels?: boolean;
  className?: string;
}) {
  const summary = `同类成交 ${grouped(band.low)} 至 ${grouped(band.high)} 元，参考价 ${grouped(band.typical)} 元`;
  return (
    <span className={cx('band', className)} role="img" aria-label={summary} title={summary}>
      <span className="band-track">
        <span className="band-range" />
        <span className="band-typical" />
        <span className="band-point" style={{ '--at': `${positionOf(price, band)}%` }} />
      </span>
      {labels && (
        <span className="band-labels">
          <span>{wholeYuan(band.low)}</span>
          <span>参考价 {wholeYuan(band.typical)}</span>
          <span>{wholeYuan(band.high)}</span>
        </span>
      )}
    </span>
  );
}
