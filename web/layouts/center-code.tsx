import { ChevronLeft } from 'lucide-react';
import { Link, type LinksFunction, type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { PlainHeader } from '#web/parts/site/plain-header.tsx';
import toolsCss from '#web/styles/tools.css?url';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

export function loader(args: LoaderFunctionArgs) {
  const { brand } = market(args);
  return { name: brand.distBaseConf.websiteName, logo: brand.pictArea.logo };
}

/**
 * A page of the centre around one QR code: no menu next to it, so that the code has enough space on a phone's screen
 * too.
 */
export default function CenterCodeLayout() {
  const { name, logo } = useLoaderData<typeof loader>();
  return (
    <div className="flex min-h-dvh flex-col">
      <PlainHeader name={name} logo={logo}>
        <Link to="/center" className="hit inline-flex items-center gap-1 hover:text-link">
          <ChevronLeft className="icon" aria-hidden="true" />
          返回个人中心
        </Link>
      </PlainHeader>
      <main id="main" className="wrap-single flex-1 py-6" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
