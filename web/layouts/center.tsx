import { type RefObject, useLayoutEffect, useRef } from 'react';
import {
  type LinksFunction,
  type LoaderFunctionArgs,
  Link,
  Outlet,
  useLoaderData,
  useLocation,
  useMatches,
} from 'react-router';
import { layoutData } from '#web/lib/layout-data.ts';
import { unreadText } from '#contract/rules/limits.ts';
import { todoCounts } from '#contract/todo.ts';
import { market, optional } from '#web/lib/context.ts';
import { pageExists } from '#web/lib/url-map.ts';
import { SiteLayout } from '#web/parts/site-layout.tsx';
import { Breadcrumb } from '#web/ui/breadcrumb.tsx';
import { cx } from '#web/ui/class-names.ts';
import toolsCss from '#web/styles/tools.css?url';
import { type CenterGroup, centerMenu, type MenuCounts } from './shell/center-menu.ts';

/** Pixels of the menu that stay visible beyond the current entry, so that its neighbours show. */
const EDGE = 72;

/** Every page of the centre has a back button on phones; its start page has none. */
export const handle = { phone: { back: true } };

/** The position of a page that is in no menu: the menu's page above it, and its own name. */
export interface CenterHandle {
  crumb?: (data: unknown) => { under: string; name: string };
  /** The page takes the menu's place too; the breadcrumbs lead back. */
  isWide?: boolean;
}

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

export async function loader(args: LoaderFunctionArgs) {
  const { user, call } = market(args);
  const groups: CenterGroup[] = centerMenu
    .map(({ name, items }) => ({
      name,
      items: items.filter(
        ({ to, flag, until }) => pageExists(to) && (!flag || user?.[flag] === 1) && !(until && user?.[until] === 1),
      ),
    }))
    .filter(({ items }) => items.length > 0);
  const [frame, todo] = await Promise.all([layoutData(args), optional(call(todoCounts, {}))]);
  const counts: MenuCounts = { ...todo, follows: user?.followNum ?? 0, notices: frame.user?.notices ?? 0 };
  return { frame, groups, counts };
}

/** The menu may be longer than the window: scrolls the current entry into view, without scrolling the page. */
function useMenuScroll(here: string): RefObject<HTMLElement | null> {
  const menu = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const box = menu.current;
    const current = box?.querySelector<HTMLElement>('a[aria-current]');
    if (!box || !current) return;
    const end = current.offsetTop + current.offsetHeight;
    if (end > box.scrollTop + box.clientHeight - EDGE) box.scrollTop = end - box.clientHeight + EDGE;
    else if (current.offsetTop < box.scrollTop + EDGE) box.scrollTop = current.offsetTop - EDGE;
  }, [here]);
  return menu;
}

function Menu({ groups, counts, here }: { groups: readonly CenterGroup[]; counts: MenuCounts; here: string }) {
  const menu = useMenuScroll(here);
  return (
    <nav ref={menu} className="center-menu panel" aria-label="个人中心">
      {groups.map(({ name, items }) => (
        <div key={name || 'home'}>
          {name && <h2>{name}</h2>}
          {items.map(({ label, to, count }) => {
            const number = count ? (counts[count] ?? 0) : 0;
            return (
              <Link key={to} to={to} aria-current={here === to.split('?')[0] ? 'page' : undefined}>
                {label}
                {number > 0 && <small>{unreadText(number)}</small>}
              </Link>
            );
          })}
        </div>
      ))}
    </nav>
  );
}

/** Pages with two URLs, by the one that is not in the menu. */
const SAME_PAGE: Readonly<Record<string, string>> = { '/center/myself/cashWithdrawal': '/center/mywallets/withdrawal' };

/** The user centre: the market's layout, the menu with its groups on the left. */
export default function CenterLayout() {
  const { frame: layoutData, groups, counts } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const matches = useMatches();
  const isWide = matches.some(({ handle }) => (handle as CenterHandle | undefined)?.isWide === true);
  const crumb = matches
    .map(({ handle, loaderData }) =>
      loaderData ? (handle as CenterHandle | undefined)?.crumb?.(loaderData) : undefined,
    )
    .findLast((found) => found !== undefined);
  const path = crumb?.under ?? SAME_PAGE[pathname] ?? pathname;
  const here = groups.flatMap(({ items }) => items).find(({ to }) => to.split('?')[0] === path);
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
        {!isWide && <Menu groups={groups} counts={counts} here={path} />}
        <div className="min-w-0">
          <Outlet context={groups} />
        </div>
      </div>
    </SiteLayout>
  );
}
