import { Link, type LinksFunction, type LoaderFunctionArgs, Outlet, useLoaderData, useLocation } from 'react-router';
import { market } from '#web/lib/context.ts';
import { useSite } from '#web/lib/site.ts';
import { urlMap } from '#web/lib/url-map.ts';
import { ThemeSwitch } from '#web/parts/theme-switch.tsx';
import deskCss from '#web/styles/desk.css?url';
import { Desk } from './desk/mantine.tsx';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: deskCss }];

export function loader(args: LoaderFunctionArgs) {
  const { user } = market(args);
  const items = urlMap
    .filter(({ layout, file, path }) => layout === 'backstage' && file && !path.includes(':'))
    .map(({ path, name }) => ({ path, name }));
  return { items, nickName: user?.nickName ?? '' };
}

/** The back office: a rail with every page at the left, dense content at the right. */
export default function BackstageLayout() {
  const { items, nickName } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const site = useSite();
  const here = items.find(({ path }) => path === pathname);
  return (
    <Desk>
      <div className="office">
        <nav className="office-rail" aria-label="后台导航">
          <p className="px-2.5 py-1 text-14 font-semibold max-lg:hidden">{site?.name}</p>
          {items.map(({ path, name }) => (
            <Link key={path} to={path} aria-current={path === pathname ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <div className="min-w-0">
          <header className="office-bar">
            <h1 className="text-14 font-semibold">{here?.name}</h1>
            <span className="ml-auto flex items-center gap-4 text-12 text-ink-2">
              {nickName}
              <ThemeSwitch />
            </span>
          </header>
          <main id="main" className="p-5" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
    </Desk>
  );
}
