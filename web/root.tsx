import { type CSSProperties, type ReactNode, use, useEffect } from 'react';
import {
  Links,
  Meta,
  type MiddlewareFunction,
  Outlet,
  redirect,
  Scripts,
  ScrollRestoration,
  useRouteError,
} from 'react-router';
import { useSavedInvite } from './lib/invite.ts';
import { notFound } from './lib/not-found.ts';
import { marketContext } from './lib/context.ts';
import { replayPreHydrationEvents, preHydrationScript } from './lib/pre-hydration.ts';
import { NonceContext } from './lib/nonce.ts';
import { isFault } from './lib/failure.ts';
import { loginPath } from './lib/paths.ts';
import { serverResponds } from './lib/server-health.ts';
import { useSite } from './lib/site.ts';
import { STYLE_PLACEHOLDER } from './lib/style-mark.ts';
import { currentLayout, holdUnreached } from './lib/failed-navigation.ts';
import { type Access, entryOf } from './lib/url-map.ts';
import { startScript } from './router-internals/defer-scripts.ts';
import { ErrorPage } from './pages/error/error-page.tsx';
import { SiteLayout } from './parts/site-layout.tsx';
import { RegainHost } from './parts/login/regain-host.tsx';
import { StepUpHost } from './parts/step-up/host.tsx';
import { Statistics } from './parts/statistics.tsx';
import { Unreached } from './parts/failed-navigation.tsx';
import { NavProgress } from './ui/nav-progress.tsx';
import { OfflineBar } from './ui/offline-bar.tsx';
import { toast } from './ui/toast-store.ts';
import { Toasts } from './ui/toasts.tsx';

/** Where a user goes who lacks a role: the page that applies for it. */
const APPLY: Partial<Record<Access, string>> = {
  isQuickShop: '/center/myshop/joinshop',
  isBooster: '/center/boosting/booster',
  isAccompanyer: '/center/accompanyer/accompanyer',
};

/**
 * Who may see which page: the URL map says it, and no page repeats it. The back office's pages do not exist on public
 * hosts, and the market's do not exist on the back office's.
 */
const guard: MiddlewareFunction<Response> = ({ context, url, pattern }) => {
  const { user, staff, isBackstage } = context.get(marketContext);
  if (isBackstage && url.pathname === '/') return redirect('/backstage');
  const entry = entryOf(pattern);
  if (!entry) return undefined;
  if ((entry.section === 'backstage') !== isBackstage) notFound();
  if (entry.access === 'public') return undefined;
  if (entry.access === 'staff') return staff ? undefined : redirect(loginPath(url, '/backstage/login'));
  if (!user) return redirect(loginPath(url));
  if (entry.access === 'isQuickShop' || entry.access === 'isBooster' || entry.access === 'isAccompanyer') {
    if (user[entry.access] !== 1) return redirect(APPLY[entry.access] ?? '/center');
  }
  return undefined;
};

export const middleware = [guard];

export const clientMiddleware = [holdUnreached];

export { loader } from './root-loader.ts';

/**
 * On the server the style's place is marked and the server puts it there, already compressed. In the browser the style is read
 * back from the page, so the text is in no script and survives a client render.
 */
const pageCss = import.meta.env.SSR ? STYLE_PLACEHOLDER : (document.getElementById('app-css')?.textContent ?? '');

/** The document's nonce, read while its style still tells it: a style that is made anew without one would be refused. */
const pageNonce = import.meta.env.SSR ? undefined : document.getElementById('app-css')?.nonce || undefined;

/** Mantine wants its scheme by name before the first paint; 'auto' is known only to the browser. */
const schemeScript =
  "(function(e,t){t=e.dataset.theme;e.dataset.mantineColorScheme=t||(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light')})(document.documentElement)";

/** What must run before the first paint. In the browser it is never made anew, so the text is in no script file. */
const headScript = import.meta.env.SSR ? `${schemeScript};${preHydrationScript};${startScript}` : '';

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext) ?? pageNonce;
  const site = useSite();
  const brand: CSSProperties = site ? { '--brand-h': site.hue, '--brand-k': site.chroma } : {};
  return (
    <html
      lang="zh-CN"
      data-theme={site?.theme}
      data-mantine-color-scheme={site?.theme ?? 'light'}
      style={brand}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="format-detection" content="telephone=no" />
        {/* A page that is painted while half of it is read moves as the rest comes in: rows grow, what stands at the right goes left. */}
        <link rel="expect" href="#page-read" blocking="render" />
        <link rel="icon" href={site?.icon || '/icon.svg'} />
        {site?.statistics?.proofs.map(({ name, content }) => (
          <meta key={name} name={name} content={content} />
        ))}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: headScript }} />
        <style id="app-css" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: pageCss }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <i id="page-read" hidden />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** What stands around every page: progress, notes on the connection, statistics, toasts. */
export default function Root() {
  useSavedInvite();
  // The effect of the outermost part runs last: all others listen by then.
  useEffect(replayPreHydrationEvents, []);
  return (
    <>
      <NavProgress />
      <OfflineBar />
      <Statistics />
      <Outlet />
      <Unreached />
      <StepUpHost />
      <RegainHost />
      <Toasts />
    </>
  );
}

/** Loads the page afresh where there is a server to load it from. */
async function loadAfresh(): Promise<void> {
  if (await serverResponds()) window.location.reload();
  else toast('提示：网络超时', 'warn');
}

/** The last resort: the error came before any frame, or above the one that stood, which then stays unless the error may be its own. */
export function ErrorBoundary() {
  const error = useRouteError();
  const frame = isFault(error) ? null : currentLayout();
  if (frame)
    return (
      <>
        <SiteLayout data={frame}>
          <ErrorPage error={error} onRetry={() => void loadAfresh()} />
        </SiteLayout>
        <Toasts />
      </>
    );
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorPage error={error} onRetry={() => window.location.reload()} />
    </main>
  );
}
