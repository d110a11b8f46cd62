import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { describe } from '#web/lib/failure.ts';
import { rememberFailed } from '#web/lib/failed-navigation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';

/** An error page: status, message, next step. The home link is for 404 only (product.md 2). */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { status, title, meaning } = describe(error);
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
    <section className="grid justify-items-center gap-3 px-6 py-24 text-center" role="alert">
      <title>{title}</title>
      {status !== null && <p className="font-mono text-28 font-semibold text-brand-600">{status}</p>}
      <h1 className="text-20 font-semibold">{title}</h1>
      <p className="max-w-120 text-ink-3">{meaning}</p>
      <div className="mt-3 flex gap-2">
        {status === 404 ? (
          <ButtonLink to="/" kind="primary">
            回到首页
          </ButtonLink>
        ) : (
          <Button busy={state === 'loading'} onClick={onRetry ?? (() => void revalidate())}>
            重试
          </Button>
        )}
      </div>
    </section>
  );
}
