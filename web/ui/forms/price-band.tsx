import { fenOf, wholeYuan, grouped } from '#web/lib/format/format.ts';
import { cx } from '../class-names.ts';

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

/** The band of a listing if it is meaningful: not if similar accounts differ too much. */
export function shownBand<T extends { diffPercent: number | null }>(
  band: T | null,
): (T & { diffPercent: number }) | null {
  return band && band.diffPercent !== null ? { ...band, diffPercent: band.diffPercent } : null;
}

/** The difference as text: 低于参考价 10%, 与参考价相当, 低于参考价 83%，请核对. */
export function bandText({ diffPercent, outlier }: { diffPercent: number; outlier: boolean }): string {
  if (diffPercent === 0) return '与参考价相当';
  return `${diffPercent < 0 ? '低于' : '高于'}参考价 ${Math.abs(diffPercent)}%${outlier ? '，请核对' : ''}`;
}

/** The band of similar sales, with the listing's price as a point on it if it has one. */
export function PriceBand({
  price,
  band,
  labels = false,
  className,
}: {
  price?: string | undefined;
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
        {price !== undefined && <span className="band-point" style={{ '--at': `${positionOf(price, band)}%` }} />}
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
