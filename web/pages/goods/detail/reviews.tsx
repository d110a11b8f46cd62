import { Link } from 'react-router';
import { grouped } from '#web/lib/format.ts';
import { ReviewItem } from '#web/parts/review/review-item.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { DetailData } from './loader.ts';
import { rate } from './rate.ts';

type GoodsReviews = NonNullable<DetailData['reviews']>;

/** Reviews of this listing when it is sold more than once, else of the seller. */
export default function Reviews({ reviews, sellerId }: { reviews: GoodsReviews; sellerId: string }) {
  const { counts, goodRate, list, ofGoods } = reviews;
  return (
    <section className="panel" id="reviews" aria-label="买家评价">
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
