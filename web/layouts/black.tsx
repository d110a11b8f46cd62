import { ShieldAlert } from 'lucide-react';
import { Link, type LoaderFunctionArgs, Outlet, useLoaderData, useLocation } from 'react-router';
import { layoutData } from '#web/lib/pages/layout-data.ts';
import { SiteLayout } from '#web/parts/site/site-layout.tsx';

export function loader(args: LoaderFunctionArgs) {
  return layoutData(args);
}

const PLACES = [
  { label: '查黑号', to: '/black' },
  { label: '黑号名单', to: '/black/blackList' },
  { label: '账号公示', to: '/black/zhgs' },
  { label: '举报黑号', to: '/black/releaseBlack' },
  { label: '我的举报', to: '/black/center' },
] as const;

/**
 * The blacklist's pages: the market's layout with a separate band, so that the list is not mistaken for listings.
 */
export default function BlackLayout() {
  const { pathname } = useLocation();
  const here = PLACES.some(({ to }) => to === pathname) ? pathname : '/black/blackList';
  return (
    <SiteLayout data={useLoaderData<typeof loader>()}>
      <div className="black-band">
        <p className="flex items-center gap-2 font-semibold">
          <ShieldAlert className="icon size-5" strokeWidth={1.6} aria-hidden="true" />
          黑号中心
        </p>
        <nav aria-label="黑号中心">
          {PLACES.map(({ label, to }) => (
            <Link key={to} to={to} aria-current={to === here ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <Outlet />
    </SiteLayout>
  );
}
