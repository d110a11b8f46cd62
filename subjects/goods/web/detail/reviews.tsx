import { Link } from 'react-router';
import { type ReviewLevel, reviewLevelNames } from '#subjects/reviews/rules/review.ts';
import { grouped } from '#web/lib/format/format.ts';
import { ReviewItem } from '#subjects/reviews/web/parts/review/review-item.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import type { DetailData } from './loader.ts';
import { rate } from './rate.ts';

type GoodsReviews = NonNullable<DetailData['reviews']>;

const SPREAD = [
  ['good', 'bg-brand-500'],
  ['fair', 'bg-brand-200'],
  ['bad', 'bg-ink-4'],
] as const satisfies readonly (readonly [ReviewLevel, string])[];

/** The distribution of the reviews, as one bar with its three counts. */
function Spread({ counts }: { counts: GoodsReviews['counts'] }) {
  if (counts.all === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line-soft px-4 py-3 text-12 text-ink-3">
      <span className="flex h-2 min-w-40 flex-1 gap-0.5 overflow-hidden rounded-full" aria-hidden="true">
        {SPREAD.map(
          ([level, look]) => counts[level] > 0 && <i key={level} className={look} style={{ flex: counts[level] }} />,
        )}
      </span>
      {SPREAD.map(([level, look]) => (
        <span key={level} className="inline-flex items-center gap-1.5">
          <i className={cx('size-2 rounded-full', look)} aria-hidden="true" />
          {reviewLevelNames[level]} <b className="font-semibold text-ink">{grouped(counts[level])}</b>
        </span>
      ))}
    </div>
  );
}

/** Reviews of this listing when it is sold more than once, else of the seller. */
export default function Reviews({ reviews }: { reviews: GoodsReviews }) {
  const { counts, goodRate, list, ofGoods, sellerId } = reviews;
  return (
    <section className="panel scroll-mt-16" id="reviews" aria-label="买家评价">
      <div className="panel-head">
        <h2>{ofGoods ? '本商品的评价' : '卖家的评价'}</h2>
        {goodRate !== null && (
          <p>
            {grouped(counts.all)} 条，好评 {rate(goodRate)}%
          </p>
        )}
        <Link to={`/seller/${sellerId}`} className="more">
          {ofGoods ? '查看卖家的全部评价' : '查看全部'}
        </Link>
      </div>
      <Spread counts={counts} />
      {list.length === 0 ? (
        <EmptyState title="还没有评价">交易完成后，买家的评价会显示在这里。</EmptyState>
      ) : (
        <ul>
          {list.map((review) => (
            <ReviewItem key={review.reviewId} review={review} />
          ))}
        </ul>
      )}
    </section>
  );
}
