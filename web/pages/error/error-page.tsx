import { useEffect } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { NUMBER_ELEMENT, useRequestNumber } from '#web/lib/request-number.ts';
import { describe } from '#web/lib/failure.ts';
import { rememberFailed } from '#web/lib/failed-navigation.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';

const LostPage = lazyWithRetry(() => import('./lost-page.lazy.tsx'));

/** From this status on it is not the visitor's doing, and the log has more. */
const FAULT = 500;

/** An error page: status, message, next step. The home link is for 404 only (product.md 2). */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { status, title, meaning, requestId } = describe(error);
  const isLost = status === 404;
  const number = useRequestNumber(error, requestId);
  const { revalidate, state } = useRevalidator();
  const { pathname } = useLocation();
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
    <section className="grid justify-items-center gap-3 px-6 py-16 text-center" role="alert">
      <title>{title}</title>
      {status !== null && <p className="font-mono text-28 font-semibold text-brand-600">{status}</p>}
      <h1 className="max-w-120 text-20 font-semibold text-balance">{isLost ? meaning : title}</h1>
      <p className="max-w-120 text-ink-3">{isLost ? title : meaning}</p>
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
            {!pathname.startsWith('/backstage') && <ButtonLink to="/customerService?open=1">联系客服</ButtonLink>}
          </>
        ) : (
          <Button busy={state === 'loading'} onClick={onRetry ?? (() => void revalidate())}>
            重试
          </Button>
        )}
      </div>
      {isLost && !pathname.startsWith('/backstage') && <LostPage />}
    </section>
  );
}
