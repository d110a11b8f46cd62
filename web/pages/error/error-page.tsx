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
const REFUSED = 403;

/** An error page: status, message, next step. The home link is for 404 only (product.md 2). */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { status, title, meaning, requestId } = describe(error);
  const { pathname } = useLocation();
  const isLost = status === 404;
  const isDesk = pathname.startsWith('/backstage');
  const isRefusedStaff = isDesk && status === REFUSED;
  const number = useRequestNumber(error, requestId);
  const { revalidate, state } = useRevalidator();
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
      <p className="max-w-120 text-ink-3">
        {isLost ? title : isRefusedStaff ? '您的角色没有这个权限，需要时请管理员在「员工与角色」里开通' : meaning}
      </p>
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
            {!isDesk && <ButtonLink to="/customerService?open=1">联系客服</ButtonLink>}
          </>
        ) : isRefusedStaff ? (
          <ButtonLink to="/backstage" kind="primary">
            回到工作台
          </ButtonLink>
        ) : (
          <Button busy={state === 'loading'} onClick={onRetry ?? (() => void revalidate())}>
            重试
          </Button>
        )}
      </div>
      {isLost && !isDesk && <LostPage />}
    </section>
  );
}
