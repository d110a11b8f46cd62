import { type LoaderFunctionArgs, Outlet, useLoaderData, useLocation, useSearchParams } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { footerOf } from '#web/lib/pages/layout-data.ts';
import { LateBoundary } from '#web/lib/loading/hydrated-later.tsx';
import { Footer } from '#web/parts/site/chrome.tsx';
import { PlainHeader } from '#web/parts/site/plain-header.tsx';

export function loader(args: LoaderFunctionArgs) {
  const { brand } = market(args);
  return { name: brand.distBaseConf.websiteName, logo: brand.pictArea.logo, footer: footerOf(brand) };
}

/** Log-in, registration and similar pages: the brand, one panel, the footer; no other links. */
export default function LoginLayout() {
  const { name, logo, footer } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <PlainHeader name={name} logo={logo} />
      <main id="main" className="wrap flex w-full flex-1 flex-col items-center py-10 max-md:py-5" tabIndex={-1}>
        {query.has('returnUrl') && pathname === '/login' && (
          <p
            className="mb-4 rounded-control border border-attn-line bg-attn-bg px-3 py-1.5 text-13 text-attn"
            role="status"
          >
            {query.get('why') === 'expired'
              ? '登录已过期，请重新登录，登录后回到刚才的页面'
              : query.get('returnUrl')?.startsWith('/chatSystem')
                ? '请先登录，以享受更全面的服务体验'
                : '请登录，登录后回到刚才的页面'}
          </p>
        )}
        <noscript>
          <p className="mb-4 text-13 text-attn">登录和注册需要开启浏览器的 JavaScript；浏览商品不需要。</p>
        </noscript>
        <Outlet />
      </main>
      <LateBoundary>
        <Footer conf={footer} />
      </LateBoundary>
    </div>
  );
}
