import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ReviewPart } from '../../../rules/review.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { cx } from '#web/ui/class-names.ts';

const ReportDialog = lazyWithRetry(() => import('./report-dialog.lazy.tsx'));

/** Reports a review or its reply; a visitor is sent to the log-in, which returns here. */
export function ReportButton({
  reviewId,
  part,
  className,
}: {
  reviewId: number;
  part: ReviewPart;
  className?: string;
}) {
  const [state, setState] = useState<'closed' | 'open' | 'done'>('closed');
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  if (state === 'done') return <span className={cx('text-12 text-ink-3', className)}>已举报</span>;
  const open = () => {
    if (cookie('token')) setState('open');
    else void navigate(`/login?returnUrl=${encodeURIComponent(pathname + search)}`);
  };
  return (
    <>
      <button type="button" className={cx('hit text-12 text-ink-3 hover:text-link', className)} onClick={open}>
        {part === 'review' ? '举报' : '举报回复'}
      </button>
      {state === 'open' && (
        <ReportDialog
          reviewId={reviewId}
          part={part}
          onClose={() => setState('closed')}
          onDone={() => setState('done')}
        />
      )}
    </>
  );
}
