import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { replyReview, type orderReviews, type OwnReview } from '#subjects/reviews/contract/review.ts';
import { ANSWER_TEXT_MAX } from '../../../rules/review.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { ReportButton } from './report-button.tsx';
import { Stars } from './stars.tsx';

function At({ time }: { time: string }) {
  return (
    <time dateTime={time} title={fullAt(time)} className="text-12 text-ink-3">
      {shortAt(time)}
    </time>
  );
}

function ReplyForm({ review, onDone }: { review: OwnReview; onDone: () => void }) {
  const [content, setContent] = useState('');
  const { busy, error, submit } = useMutation(replyReview, {
    check: ({ content: text }) => ({ send: text.trim() === '' ? '请填写回复内容' : undefined }),
    failed: (failure) => {
      if (isError(failure, codes.REVIEW_ANSWERED)) onDone();
    },
    done: onDone,
  });
  return (
    <form className="mt-2 grid gap-2" onSubmit={submit(() => ({ reviewId: review.reviewId, content }))}>
      <Field
        label="回复"
        required
        help={`只能回复一次，${fullAt(review.answerByTime).slice(0, 10)} 前有效；${review.by === 'buyer' ? '会公开显示，' : ''}请不要写联系方式。`}
      >
        {(control) => (
          <>
            <Textarea
              {...control}
              rows={2}
              maxLength={ANSWER_TEXT_MAX}
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
            <ContactHint text={content} />
          </>
        )}
      </Field>
      <div className="flex items-center justify-end gap-3">
        <FormError>{error}</FormError>
        <Button type="submit" size="sm" kind="tonal" busy={busy}>
          提交回复
        </Button>
      </div>
    </form>
  );
}

function Review({ review, onChange }: { review: OwnReview; onChange: () => void }) {
  const { by, isMine, answer } = review;
  const writer = by === 'buyer' ? '买家' : '卖家';
  const other = by === 'buyer' ? '卖家' : '买家';
  return (
    <li className="grid gap-1.5 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
        <b className="font-medium">{isMine ? '我的评价' : `${writer}的评价`}</b>
        <Stars score={review.score} />
        <At time={review.time} />
        {review.canReport && <ReportButton reviewId={review.reviewId} part="review" className="ml-auto" />}
      </p>
      {review.content !== '' && <p className="text-14 break-words whitespace-pre-line">{review.content}</p>}
      {review.tags.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {review.tags.map((tag) => (
            <span key={tag} className="chip">
              {tag}
            </span>
          ))}
        </p>
      )}
      {review.note && <p className="text-12 text-ink-3">{review.note}</p>}
      {answer && (
        <div className="rounded-control bg-sunken px-3 py-2 text-13">
          <p className="break-words whitespace-pre-line">
            <b className="font-medium">{isMine ? `${other}回复：` : '我的回复：'}</b>
            {answer.content}
          </p>
          <p className="mt-1 flex gap-3">
            <At time={answer.time} />
            {review.canReportAnswer && <ReportButton reviewId={review.reviewId} part="answer" className="ml-auto" />}
          </p>
        </div>
      )}
      {review.canAnswer && <ReplyForm review={review} onDone={onChange} />}
    </li>
  );
}

/** Both parties' reviews of an order; renders nothing before the trade is completed. */
export function OrderReviews({ orderSn, data }: { orderSn: string; data: Data<typeof orderReviews> | null }) {
  const { revalidate } = useRevalidator();
  if (!data || (data.list.length === 0 && !data.canRate)) return null;
  return (
    <section className="panel" aria-label="评价">
      <div className="panel-head">
        <h2>评价</h2>
        {data.canRate && (
          <span className="more">
            <ButtonLink size="sm" kind="tonal" to={`/customerAssess?orderSn=${orderSn}`}>
              去评价
            </ButtonLink>
          </span>
        )}
      </div>
      {data.list.length === 0 ? (
        <p className="px-4 py-3.5 text-13 text-ink-3">双方都还没有评价。</p>
      ) : (
        <ul>
          {data.list.map((review) => (
            <Review key={review.reviewId} review={review} onChange={() => void revalidate()} />
          ))}
        </ul>
      )}
    </section>
  );
}
