import { Store } from 'lucide-react';
import { Link, type LinksFunction, type LoaderFunctionArgs, Outlet, useLoaderData, useLocation } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { layoutData } from '#web/lib/pages/layout-data.ts';
import { SiteLayout } from '#web/parts/site/site-layout.tsx';
import toolsCss from '#web/styles/tools.css?url';
import { centerMenu } from './shell/center-menu.ts';

/** Its pages have a back button on phones, like those of the centre. */
export const handle = { phone: { back: true } };

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

export async function loader(args: LoaderFunctionArgs) {
  const { user } = market(args);
  const items = centerMenu.flatMap((group) => group.items).filter(({ to }) => to.startsWith('/center/myshop/'));
  return {
    frame: await layoutData(args),
    nickName: user?.nickName ?? '',
    places: items.filter(({ flag }) => !flag || user?.[flag] === 1),
  };
}

const APPLICATION = '/center/myshop/joinshop';

/** Store management: the full width for tables of offers and orders, the shop's few pages as tabs above. */
export default function ShopLayout() {
  const { frame: layoutData, nickName, places } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  // Who has a shop has nothing to apply for.
  const tabs = places.filter(({ to }) => to !== APPLICATION || places.length === 1 || pathname === APPLICATION);
  return (
    <SiteLayout data={layoutData} isWork>
      <div className="panel mt-4 flex flex-wrap items-center gap-x-6 px-4 max-md:mt-3">
        <p className="flex items-center gap-2 py-3 font-semibold">
          <Store className="icon size-5" strokeWidth={1.6} aria-hidden="true" />
          {nickName} 的店铺
        </p>
        <nav className="tabs border-b-0! px-0!" aria-label="店铺管理">
          {tabs.map(({ label, to }) => (
            <Link key={to} to={to} className="tab" aria-current={to === pathname ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <Link to="/center" className="link ml-auto py-3 text-13">
          个人中心
        </Link>
      </div>
      <div className="pt-4 max-md:pt-3">
        <Outlet />
      </div>
    </SiteLayout>
  );
}
