import {
  type LinksFunction,
  type LoaderFunctionArgs,
  Link,
  Outlet,
  useLoaderData,
  useLocation,
  useMatches,
} from 'react-router';
import { layoutData } from '#web/lib/pages/layout-data.ts';
import { unreadText } from '#contract/rules/limits.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { todoCounts } from '#subjects/notices/contract/todo.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { SiteLayout } from '#web/parts/site/site-layout.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { cx } from '#web/ui/class-names.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import toolsCss from '#web/styles/tools.css?url';
import { centerIcons } from './shell/center-icons.ts';
import { allFunctions, type MenuCounts } from './shell/center-menu.ts';
import { type MenuEntry, type MenuGroup, menuOf } from './shell/role-menu.ts';

/** Functions that are not in the menu. */
const ALL = '/center/all';

/** Every page of the centre has a back button on phones; its start page has none. */
export const handle = { phone: { back: true } };

/** The position of a page that is in no menu: its parent page in the menu, and its own name. */
export interface CenterHandle {
  crumb?: (data: unknown) => { under: string; name: string };
  /** The page also takes the menu's place; the breadcrumbs lead back. */
  isWide?: boolean;
}

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

export async function loader(args: LoaderFunctionArgs) {
  const { user, call } = market(args);
  const [frame, todo] = await Promise.all([layoutData(args), optional(call(todoCounts, {}))]);
  const counts: MenuCounts = { ...todo, follows: user?.followNum ?? 0, notices: frame.user?.notices ?? 0 };
  return {
    frame,
    menu: menuOf(todo?.roles ?? [], counts),
    /** The names of all pages, for the breadcrumbs of those that this user's menu does not have. */
    names: allFunctions(user).flatMap(({ items }) =>
      items.map(({ label, to }) => ({ label, to: to.split('?')[0] ?? to })),
    ),
    isUnverified: user?.authStatus === AuthStatus.None || user?.authStatus === AuthStatus.Rejected,
  };
}

/** The entry whose pages include a path. */
const entryAt = (menu: readonly MenuGroup[], path: string): MenuEntry | undefined =>
  menu.flatMap(({ items }) => items).find(({ pages }) => pages.some(({ to }) => to === path));

function Menu({ menu, current, isUnverified }: { menu: readonly MenuGroup[]; current: string; isUnverified: boolean }) {
  const AllIcon = centerIcons.all;
  return (
    <nav className="center-menu panel" aria-label="个人中心">
      {menu.map(({ name, items }) => (
        <div key={name || 'home'}>
          {name && <h2>{name}</h2>}
          {items.map(({ label, to, icon, count, urgent }) => {
            const Icon = centerIcons[icon];
            return (
              <Link key={to} to={to} aria-current={to === current ? 'page' : undefined}>
                <Icon className="icon" aria-hidden="true" />
                <span>{label}</span>
                {icon === 'user' && isUnverified && <small data-urgent="">待完成</small>}
                {count > 0 && <small data-urgent={urgent ? '' : undefined}>{unreadText(count)}</small>}
              </Link>
            );
          })}
        </div>
      ))}
      <div>
        <Link to={ALL} aria-current={current === ALL ? 'page' : undefined}>
          <AllIcon className="icon" aria-hidden="true" />
          <span>全部功能</span>
        </Link>
      </div>
    </nav>
  );
}

/** Pages with two URLs, by the one that is not in the menu. */
const SAME_PAGE: Readonly<Record<string, string>> = { '/center/myself/cashWithdrawal': '/center/mywallets/withdrawal' };

/** The user centre: the market's layout, the menu with its groups on the left. */
export default function CenterLayout() {
  const { frame: layoutData, menu, names, isUnverified } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const matches = useMatches();
  const isWide = matches.some(({ handle }) => (handle as CenterHandle | undefined)?.isWide === true);
  const crumb = matches
    .map(({ handle, loaderData }) =>
      loaderData ? (handle as CenterHandle | undefined)?.crumb?.(loaderData) : undefined,
    )
    .findLast((found) => found !== undefined);
  const path = crumb?.under ?? SAME_PAGE[pathname] ?? pathname;
  const here = names.find(({ to }) => to === path);
  const entry = entryAt(menu, path);
  const crumbs = [
    { label: '首页', to: '/' },
    { label: '个人中心', ...(pathname !== '/center' && { to: '/center' }) },
    ...(here && pathname !== '/center' ? [{ label: here.label, ...(crumb && { to: here.to }) }] : []),
    ...(crumb ? [{ label: crumb.name }] : []),
  ];
  return (
    <SiteLayout data={layoutData} isWork>
      <div className="max-md:hidden">
        <Breadcrumb items={crumbs} />
      </div>
      <div className={cx('center-shell max-md:pt-3', isWide && 'center-shell-wide')}>
        {!isWide && <Menu menu={menu} current={path === ALL ? ALL : (entry?.to ?? '')} isUnverified={isUnverified} />}
        <div className="min-w-0">
          {entry?.tabs && pathname === path && entry.pages.length > 1 && (
            <LinkTabs
              label={entry.label}
              className="panel mb-3"
              items={entry.pages.map(({ label, to }) => ({ key: to, label, to, isCurrent: to === path }))}
            />
          )}
          <Outlet context={menu} />
        </div>
      </div>
    </SiteLayout>
  );
}
