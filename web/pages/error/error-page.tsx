import { useEffect } from 'react';
import { isRouteErrorResponse, useRevalidator } from 'react-router';
import { Button, ButtonLink } from '#web/ui/button.tsx';

/** The specification's own texts (product.md 2), with what they mean for a reader of Chinese. */
const TEXTS: Readonly<Record<number, [title: string, meaning: string]>> = {
  404: ['This page could not be found', '没有找到这个页面，链接可能有误，或者内容已被移除'],
  500: ['Unknown middleware', '系统开小差了，请稍后再试'],
};

/** A page that could not be fetched, in the words of the three great browsers. */
const isUnreached = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** Reads number and sentence of what was thrown; of a fault only the number is shown, never its words. */
function describe(error: unknown): { status: number | null; title: string; meaning: string } {
  if (isUnreached(error)) return { status: null, title: '网络超时', meaning: '没有连上服务器，请检查网络后再试' };
  const known = isRouteErrorResponse(error) ? error : null;
  const status = known?.status ?? 500;
  const [title, meaning] = TEXTS[status] ?? ['Error', '请求没有成功'];
  const msg: unknown = known?.data?.msg;
  return { status, title, meaning: typeof msg === 'string' && msg ? msg : meaning };
}

/** An error as a page: its number, its text, what to do. The link home is for 404 alone (product.md 2). */
export function ErrorPage({ error }: { error: unknown }) {
  const { status, title, meaning } = describe(error);
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (status !== null) return undefined;
    const again = () => void revalidate();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [status, revalidate]);
  return (
    <section className="grid justify-items-center gap-3 px-6 py-24 text-center">
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
          <Button busy={state === 'loading'} onClick={() => void revalidate()}>
            再试一次
          </Button>
        )}
      </div>
    </section>
  );
}
