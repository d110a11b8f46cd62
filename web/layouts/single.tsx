import { ChevronLeft } from 'lucide-react';
import { Link, type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { footerOf } from '#web/lib/pages/layout-data.ts';
import { LateBoundary } from '#web/lib/loading/hydrated-later.tsx';
import { Footer } from '#web/parts/site/chrome.tsx';
import { PlainHeader } from '#web/parts/site/plain-header.tsx';

export function loader(args: LoaderFunctionArgs) {
  const { brand } = market(args);
  return { name: brand.distBaseConf.websiteName, logo: brand.pictArea.logo, footer: footerOf(brand) };
}

/** One column without side content: long texts and forms. */
export default function SingleLayout() {
  const { name, logo, footer } = useLoaderData<typeof loader>();
  return (
    <div className="flex min-h-dvh flex-col">
      <PlainHeader name={name} logo={logo}>
        <Link to="/" className="hit inline-flex items-center gap-1 hover:text-link">
          <ChevronLeft className="icon" aria-hidden="true" />
          回到首页
        </Link>
      </PlainHeader>
      <main id="main" className="wrap-single flex-1" tabIndex={-1}>
        <Outlet />
      </main>
      <LateBoundary>
        <Footer conf={footer} />
      </LateBoundary>
    </div>
  );
}
