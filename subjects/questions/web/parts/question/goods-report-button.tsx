import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { GoodsReportPart } from '../../../rules/question.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { cx } from '#web/ui/class-names.ts';

const ReportDialog = lazyWithRetry(() => import('./goods-report-dialog.lazy.tsx'));

/** Reports a listing, a question or an answer; a visitor is sent to the log-in, which returns here. */
export function GoodsReportButton({
  goodsSn,
  part,
  questionId,
  className,
}: {
  goodsSn: string;
  part: GoodsReportPart;
  questionId?: number;
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
      <button
        type="button"
        className={cx('hit inline-flex items-center gap-1 text-12 text-ink-3 hover:text-link', className)}
        onClick={open}
      >
        {part === 'goods' ? '举报这件商品' : '举报'}
      </button>
      {state === 'open' && (
        <ReportDialog
          goodsSn={goodsSn}
          part={part}
          questionId={questionId}
          onClose={() => setState('closed')}
          onDone={() => setState('done')}
        />
      )}
    </>
  );
}
