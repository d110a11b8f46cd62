import { type LinksFunction, type LoaderFunctionArgs, Link, Outlet, useLoaderData, useLocation } from 'react-router';
import { frameData } from '#web/lib/frame.ts';
import { market } from '#web/lib/context.ts';
import { pageExists } from '#web/lib/url-map.ts';
import { Frame } from '#web/parts/frame.tsx';
import { Breadcrumb } from '#web/ui/breadcrumb.tsx';
import deskCss from '#web/styles/desk.css?url';
import { Desk } from './desk/mantine.tsx';
import { type CenterGroup, centerMenu } from './desk/center-menu.ts';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: deskCss }];

export async function loader(args: LoaderFunctionArgs) {
  const { user } = market(args);
  const groups: CenterGroup[] = centerMenu
    .map(({ name, items }) => ({
      name,
      items: items.filter(({ to, flag }) => pageExists(to) && (!flag || user?.[flag] === 1)),
    }))
    .filter(({ items }) => items.length > 0);
  return { frame: await frameData(args), groups };
}

function Menu({ groups }: { groups: readonly CenterGroup[] }) {
  const { pathname } = useLocation();
  return (
    <nav className="desk-menu panel" aria-label="个人中心">
      {groups.map(({ name, items }) => (
        <div key={name || 'home'}>
          {name && <h2>{name}</h2>}
          {items.map(({ label, to }) => (
            <Link key={to} to={to} aria-current={pathname === to.split('?')[0] ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** The user centre: the market's frame, the menu with its groups at the left, Mantine for forms and tables. */
export default function CenterLayout() {
  const { frame, groups } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const here = groups.flatMap(({ items }) => items).find(({ to }) => to.split('?')[0] === pathname);
  const crumbs = [
    { label: '首页', to: '/' },
    { label: '我的主页', ...(pathname !== '/center' && { to: '/center' }) },
  ];
  return (
    <Desk>
      <Frame data={frame}>
        <div className="max-md:hidden">
          <Breadcrumb items={here && pathname !== '/center' ? [...crumbs, { label: here.label }] : crumbs} />
        </div>
        <div className="desk max-md:pt-3">
          <Menu groups={groups} />
          <div className="min-w-0">
            <Outlet />
          </div>
        </div>
      </Frame>
    </Desk>
  );
}
