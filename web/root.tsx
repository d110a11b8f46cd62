import { type CSSProperties, type ReactNode, use, useEffect, useState } from 'react';
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
import { notFound } from './lib/pages/not-found.ts';
import { marketContext } from './lib/pages/context.ts';
import { leaveToReplay, replayPreHydrationEvents } from './lib/loading/pre-hydration.ts';
import { NonceContext } from './lib/loading/nonce.ts';
import { isFault } from './lib/api/failure.ts';
import { isHydrationFailure, KeptPage, useHydrationEnd } from './lib/loading/failed-hydration.tsx';
import { withoutReload } from './lib/loading/chunk-reload.ts';
import { loginPath } from './lib/pages/paths.ts';
import { serverResponds } from './lib/api/server-health.ts';
import { useSite } from './lib/pages/site.ts';
import { pageStyleFile, STYLE_PLACEHOLDER } from './lib/loading/page-style.ts';
import { currentLayout, holdUnreached } from './lib/loading/failed-navigation.ts';
import { type Access, entryOf, LOST_STAFF_PAGE } from './lib/pages/url-map.ts';
// oxlint-disable-next-line import/default -- the build gives it one (web/build/head-script.ts)
import headText from './head/head.ts?head-script';
import olderUrl from './older/older.js?url';
import { ErrorPage } from './pages/error/error-page.tsx';
import { SiteLayout } from './parts/site/site-layout.tsx';
import { Prompts } from './parts/site/prompts.tsx';
import { Statistics } from './parts/site/statistics.tsx';
import { Unreached } from './parts/site/failed-navigation.tsx';
import { NavProgress } from './ui/nav-progress.tsx';
import { OfflineBar } from './ui/offline-bar.tsx';
import printCss from './styles/print.css?url';
import { toast } from './ui/overlays/toast-store.ts';
import { Toasts } from './ui/overlays/toasts.tsx';

/** Where a user without the required role is sent: the page to apply for it. */
const APPLY: Partial<Record<Access, string>> = {
  isQuickShop: '/center/myshop/joinshop',
  isBooster: '/center/boosting/booster',
  isAccompanyer: '/center/accompanyer/accompanyer',
};

/**
 * Access control of pages, derived from the URL map; no page repeats it. The back office's pages do not exist on public
 * hosts, and the market's do not exist on the back office's.
 */
const guard: MiddlewareFunction<Response> = ({ context, url, pattern }) => {
  const { user, staff, isBackstage } = context.get(marketContext);
  if (isBackstage && url.pathname === '/') return redirect('/backstage');
  if (pattern === LOST_STAFF_PAGE) {
    if (!isBackstage) notFound();
    return staff ? undefined : redirect(loginPath(url, '/backstage/login'));
  }
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

function styleOfDocument(): string {
  const own = document.getElementById('app-css');
  return own?.nextElementSibling instanceof HTMLLinkElement && own.nextElementSibling.sheet
    ? `@import"${pageStyleFile.url}";`
    : (own?.textContent ?? '');
}

/**
 * On the server this is a placeholder, which the server replaces with the page's part of the style sheet. In the browser, the
 * style is read back from the page, so the text is in no script and survives a client render; a style rendered after the whole sheet
 * imports the whole sheet, since its own rules would otherwise override it.
 */
const pageCss = import.meta.env.SSR ? STYLE_PLACEHOLDER : styleOfDocument();

/**
 * The document's nonce, read while the style element still exposes it: a style element created again without it would be
 * blocked.
 */
const pageNonce = import.meta.env.SSR ? undefined : document.getElementById('app-css')?.nonce || undefined;

/**
 * The head's script with the files it may load. The browser never recreates it, so neither its text nor the addresses are in a script file; in
 * development every page has the whole style sheet.
 */
const headScript = import.meta.env.SSR
  ? {
      dangerouslySetInnerHTML: { __html: headText },
      'data-older': olderUrl,
      'data-style': import.meta.env.PROD ? pageStyleFile.url : undefined,
      'data-style-cookie': `${pageStyleFile.cookie.name}=${pageStyleFile.cookie.value}`,
    }
  : { dangerouslySetInnerHTML: { __html: '' } };

/** For a browser without scripts: what still works, and which browsers can do more. */
const NOSCRIPT_LINE = import.meta.env.SSR
  ? '<p class="trial-bar">浏览器没有运行脚本：可以浏览，不能登录和交易。请开启 JavaScript，或换用 Chrome 109、Safari 16.4、Firefox 121 及更新的浏览器。</p>'
  : '';

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext) ?? pageNonce;
  const site = useSite();
  const brand: CSSProperties = site ? { '--brand-h': site.hue, '--brand-k': site.chroma } : {};
  return (
    <html lang="zh-CN" data-theme={site?.theme} style={brand} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="format-detection" content="telephone=no" />
        {/* Painting a partly received page causes layout shifts as the rest arrives: rows grow, right-aligned elements move. */}
        <link rel="expect" href="#page-read" blocking="render" />
        <link rel="icon" href={site?.icon || '/icon.svg'} />
        {/* Read once by the browser, so that only the server renders them; React leaves unknown links of the head alone. */}
        {import.meta.env.SSR && site && !site.isBackstage && (
          <>
            <link rel="manifest" href="/manifest.webmanifest" />
            <link rel="apple-touch-icon" href="/art/app/180.png" />
            <link rel="alternate" type="application/atom+xml" title="新上架" href="/feed.xml" />
            <link rel="alternate" type="application/rss+xml" title="在售商品" href="/products.xml" />
          </>
        )}
        {site?.statistics?.proofs.map(({ name, content }) => (
          <meta key={name} name={name} content={content} />
        ))}
        {!site?.isFramed && <script nonce={nonce} suppressHydrationWarning {...headScript} />}
        <style id="app-css" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: pageCss }} />
        {import.meta.env.SSR && import.meta.env.PROD && (
          <noscript>
            <link rel="stylesheet" href={pageStyleFile.url} />
          </noscript>
        )}
        <Meta />
        <Links />
        {import.meta.env.SSR && <link rel="stylesheet" href={printCss} media="print" />}
      </head>
      <body onClickCapture={leaveToReplay} onSubmitCapture={leaveToReplay}>
        {site?.trial && (
          <a className="trial-bar" href={site.isBackstage ? '/backstage/trial' : undefined}>
            {site.trial}
          </a>
        )}
        {/* React leaves the content of a noscript alone, so the browser's script has no text for it. Nothing runs in a framed page. */}
        {!site?.isFramed && (
          <noscript
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? NOSCRIPT_LINE : '' }}
          />
        )}
        {children}
        <i id="page-read" hidden />
        {!site?.isFramed && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

/** Shows that the page is a working copy, with a link back to the published site. */
function PreviewBar() {
  return (
    <p
      className="flex flex-wrap items-center justify-center gap-x-4 bg-ink px-4 py-1.5 text-13 text-page"
      role="status"
    >
      草稿预览，只有您能看到
      <a href="/?preview=off" className="underline">
        退出预览
      </a>
    </p>
  );
}

/** Shows that the site takes no orders. */
function SuspendBar({ notice }: { notice: string }) {
  return (
    <p className="bg-attn-bg px-4 py-2 text-center text-13 text-attn" role="status">
      {notice}
    </p>
  );
}

/** The elements around every page: progress, connection messages, web analytics, toasts. */
export default function Root() {
  const site = useSite();
  useHydrationEnd();
  // The effect of the outermost component runs last: all others are hydrated by then.
  useEffect(() => replayPreHydrationEvents(), []);
  useEffect(() => {
    // A page works without it.
    void withoutReload(() => import('./lib/loading/page-scripts.ts')).then(
      ({ watchLinks }) => watchLinks(),
      () => undefined,
    );
  }, []);
  return (
    <>
      <NavProgress />
      <OfflineBar />
      {site?.isPreview && <PreviewBar />}
      {site?.suspendNotice && <SuspendBar notice={site.suspendNotice} />}
      <Statistics />
      <Outlet />
      <Unreached />
      <Prompts />
      <Toasts />
    </>
  );
}

/** Reloads the page if there is a server to load it from. */
async function loadAfresh(): Promise<void> {
  if (await serverResponds()) window.location.reload();
  else toast('提示：网络超时', 'warn');
}

/**
 * The last resort: the error occurred before any layout, or above the current one, which is kept unless it may have
 * caused the error. A page that could not be hydrated stays as the server sent it.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  const [isKept] = useState(isHydrationFailure);
  if (isKept) return <KeptPage />;
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
