import { useEffect } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { NUMBER_ELEMENT, useRequestNumber } from '#web/lib/api/request-number.ts';
import { describe } from '#web/lib/api/failure.ts';
import { rememberFailed } from '#web/lib/loading/failed-navigation.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';

const NotFoundSuggestions = lazyWithRetry(() => import('./suggestions.lazy.tsx'));

/** Content that loads later appears below the fold: a page this high keeps its footer in place. */
const FRAME = 'grid w-full content-start justify-items-center gap-3 px-6 py-16 text-center';

/** From this status on the server is responsible, and the log has more. */
const FAULT = 500;

/** An error page: status, message, next step. The home link is for 404 only (product.md 2). */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { status, requestId, ...texts } = describe(error);
  const { title, meaning, heading } = texts;
  const isLost = status === 404;
  const number = useRequestNumber(error, requestId);
  const { revalidate, state } = useRevalidator();
  const { pathname } = useLocation();
  const hasSuggestions = isLost && !pathname.startsWith('/backstage');
  useEffect(() => {
    rememberFailed(true);
    return () => rememberFailed(false);
  }, []);
  useEffect(() => {
    if (status !== null) return undefined;
    const again = () => void revalidate();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [status, revalidate]);
  return (
    <section className={cx(FRAME, hasSuggestions && 'min-h-dvh')} role="alert">
      <title>{title}</title>
      {status !== null && <p className="font-mono text-28 font-semibold text-brand-600">{status}</p>}
      <h1 className="max-w-120 text-20 font-semibold text-balance">{texts[heading]}</h1>
      <p className="max-w-120 text-ink-3">{heading === 'title' ? meaning : title}</p>
      {status !== null && status >= FAULT && number !== undefined && (
        <p className="text-13 text-ink-3">
          联系客服时请报编号{' '}
          <span id={NUMBER_ELEMENT} className="font-mono text-ink-2 select-all">
            {number}
          </span>
        </p>
      )}
      <div className="mt-3 flex gap-2">
        {isLost ? (
          <>
            <ButtonLink to="/" kind="primary">
              回到首页
            </ButtonLink>
            {hasSuggestions && <ButtonLink to="/customerService?open=1">联系客服</ButtonLink>}
          </>
        ) : (
          <Button busy={state === 'loading'} onClick={onRetry ?? (() => void revalidate())}>
            重试
          </Button>
        )}
      </div>
      {hasSuggestions && <NotFoundSuggestions />}
    </section>
  );
}
