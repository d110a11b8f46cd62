import type { PublicReview } from '#subjects/reviews/contract/review.ts';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { ReportButton } from './report-button.tsx';
import { Stars } from './stars.tsx';

/** One review as shown publicly, with the seller's reply. */
export function ReviewItem({ review }: { review: PublicReview }) {
  const { score, tags, content, buyer, answer } = review;
  return (
    <li className="grid gap-1.5 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
        <b className="font-medium">{buyer}</b>
        <Stars score={score} />
        <span className="text-12 text-ink-3">
          {review.gameName} {review.goodsTypeName}
        </span>
        <TimeLabel at={review.time} className="text-12 text-ink-3 md:ml-auto" />
      </p>
      {content !== '' && <p className="text-14 leading-text break-words whitespace-pre-line">{content}</p>}
      <p className="flex flex-wrap items-center gap-1.5">
        {tags.map((tag) => (
          <span key={tag} className="chip">
            {tag}
          </span>
        ))}
        {content === '' && tags.length === 0 && <span className="text-13 text-ink-3">没有写评价内容</span>}
        <ReportButton reviewId={review.reviewId} part="review" className="ml-auto" />
      </p>
      {answer && (
        <div className="rounded-control bg-sunken px-3 py-2 text-13">
          <p className="break-words whitespace-pre-line">
            <b className="font-medium">卖家回复：</b>
            {answer.content}
          </p>
          <p className="mt-1 flex gap-3 text-12 text-ink-3">
            <TimeLabel at={answer.time} />
            <ReportButton reviewId={review.reviewId} part="answer" className="ml-auto" />
          </p>
        </div>
      )}
    </li>
  );
}
