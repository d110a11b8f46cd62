import { LogOut, Menu as MenuIcon, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  Link,
  type LinksFunction,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  Outlet,
  useLoaderData,
  useLocation,
  useNavigate,
} from 'react-router';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { quarantineBanner } from '#subjects/back-office/contract/quarantine.ts';
import { staffLogout } from '#subjects/back-office/contract/sign-in.ts';
import { call } from '#web/lib/api/api.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { clearHints, readCookie, writeCookie } from '#web/lib/session/cookies.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useMedia } from '#web/lib/browser/use-media.ts';
import { useSite } from '#web/lib/pages/site.ts';
import { FactorHost } from '#subjects/back-office/web/parts/staff/factor-host.tsx';
import { ThemeSwitch } from '#web/parts/site/theme-switch.tsx';
import toolsCss from '#web/styles/tools.css?url';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { type AdminGroup, adminMenu } from './shell/admin-menu.ts';
import { type MenuCount, menuCounts, useCounters } from './shell/admin-counts.ts';
import { Shortcuts, isTyping, useOpenKeys } from './shell/shortcuts.tsx';
import { FindAll } from './shell/find-all.tsx';
import { isHere } from './shell/is-here.ts';
import { menuIcon } from './shell/menu-icons.ts';
import { QueueCount } from './shell/queue-count.tsx';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

/** Opened by a click. */
const AllPages = lazyWithRetry(() => import('./shell/all-pages.lazy.tsx'));

/** How the member of staff left the rail: 'open' or 'folded'; by default 'narrow' on screens whose tables need the width. */
const RAIL_COOKIE = 'rail';
/** On pages that need the width, the rail is folded until it is opened there. */
const WIDE_WORK: ReadonlySet<string> = new Set(['/backstage/chat', '/backstage/orders']);
const NARROW = '(max-width: 1199px)';
const YEAR_HOURS = 365 * 24;

export async function loader(args: LoaderFunctionArgs) {
  const { staff, call: request } = market(args);
  // A page must open even if these are unknown.
  const [held, counters] = staff
    ? await Promise.all([optional(request(quarantineBanner, {})), optional(request(staffCounters, {}))])
    : [null, null];
  return {
    rail: readCookie(args.request.headers.get('cookie') ?? '', RAIL_COOKIE),
    restoredTo: held?.restoredTo ?? null,
    counters,
    groups: staff ? adminMenu(staff) : [],
    staff: staff ? { name: staff.name, roleName: staff.roleName, isOfBrand: staff.distId !== null } : null,
  };
}

/** Navigation does not reload the counters of the menu; a write on the page does. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.href === nextUrl.href && defaultShouldRevalidate;
}

async function leave(): Promise<void> {
  try {
    await call(staffLogout, {}, { quiet: true });
  } finally {
    clearHints();
    window.location.assign('/backstage/login');
  }
}

/** Nothing is sent out of a restored market until it is released. */
function QuarantineBanner({ restoredTo, isThere }: { restoredTo: string; isThere: boolean }) {
  return (
    <p role="status" className="mb-3 rounded-control border border-attn-line bg-attn-bg px-4 py-2.5 text-13 text-attn">
      系统从备份恢复，数据截至 {fullAt(restoredTo)}。放行之前，定时任务、通知、短信、退款和打款都不会发出。
      {!isThere && (
        <Link to="/backstage/quarantine" className="whitespace-nowrap underline">
          查看与放行
        </Link>
      )}
    </p>
  );
}

const GO_MS = 1500;

/** G and then a digit opens a queue, in the order of the home page. */
function useQueueKeys(paths: readonly string[]): void {
  const navigate = useNavigate();
  const pathOf = useEffectEvent((digit: string) => paths[Number(digit) - 1]);
  useEffect(() => {
    let armed = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (pressedKey(event).toLowerCase() === 'g') {
        armed = Date.now();
        return;
      }
      const to = /^[1-9]$/.test(pressedKey(event)) ? pathOf(pressedKey(event)) : undefined;
      if (to !== undefined && Date.now() - armed < GO_MS) void navigate(to);
      armed = 0;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
}

/** The rail: the role's pages with the counts of their queues; folded, a picture each. */
function Rail({
  groups,
  counts,
  isFolded,
  onFold,
}: {
  groups: readonly AdminGroup[];
  counts: ReadonlyMap<string, MenuCount>;
  isFolded: boolean;
  onFold: () => void;
}) {
  const { pathname } = useLocation();
  const site = useSite();
  const rail = useRef<HTMLElement>(null);
  // The rail is longer than most screens, and a scrolling row on a narrow one: so the current page's entry is scrolled into view.
  useEffect(() => {
    const here = rail.current?.querySelector<HTMLElement>('[aria-current]');
    const box = rail.current;
    if (!here || !box) return;
    box.scrollLeft = here.offsetLeft - (box.clientWidth - here.offsetWidth) / 2;
    const isSeen =
      here.offsetTop >= box.scrollTop && here.offsetTop + here.offsetHeight <= box.scrollTop + box.clientHeight;
    if (!isSeen) box.scrollTop = here.offsetTop - (box.clientHeight - here.offsetHeight) / 2;
  }, [pathname]);
  const Fold = isFolded ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav ref={rail} className="admin-rail" aria-label="后台导航">
      <p className="admin-rail-head">
        <b className="truncate">{site?.name}</b>
        <button
          type="button"
          className="admin-fold"
          aria-label={isFolded ? '展开导航' : '收起导航'}
          aria-expanded={!isFolded}
          title={`${isFolded ? '展开导航' : '收起导航'} [`}
          onClick={onFold}
        >
          <Fold className="icon" aria-hidden="true" />
        </button>
      </p>
      {groups.map(({ name, items }) => (
        <div key={name || 'top'} className="max-lg:contents">
          {name && <h2>{name}</h2>}
          {items.map(({ to, name: label }) => {
            const count = counts.get(to);
            const Icon = menuIcon(to);
            return (
              <Link
                key={to}
                to={to}
                aria-current={isHere(to, pathname) ? 'page' : undefined}
                title={isFolded ? label : undefined}
              >
                <Icon className="icon" aria-hidden="true" />
                <span className="admin-rail-name">{label}</span>
                {count && <QueueCount of={count} />}
              </Link>
            );
          })}
        </div>
      ))}
    </nav>
  );
}

/**
 * Whether the rail is folded: as it was left; by default on narrow screens; and on pages that need the width, until it is opened
 * there.
 */
function useRail(saved: string | null): { isFolded: boolean; fold: () => void } {
  const { pathname } = useLocation();
  const isWideWork = WIDE_WORK.has(pathname);
  // The server cannot know the width: the cookie reports it from the second page on.
  const isNarrow = useMedia(NARROW, saved === 'narrow');
  const [choice, setChoice] = useState(saved === 'open' || saved === 'folded' ? saved : null);
  const [isOpenHere, setOpenHere] = useState(false);
  const isFolded = isWideWork ? !isOpenHere : choice === null ? isNarrow : choice === 'folded';
  useEffect(() => {
    writeCookie(RAIL_COOKIE, choice ?? (isNarrow ? 'narrow' : ''), YEAR_HOURS);
  }, [choice, isNarrow]);
  const fold = () => (isWideWork ? setOpenHere(isFolded) : setChoice(isFolded ? 'open' : 'folded'));
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (pressedKey(event) !== '[' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    fold();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { isFolded, fold };
}

function Bar({
  groups,
  counts,
  staff,
}: {
  groups: readonly AdminGroup[];
  counts: ReadonlyMap<string, MenuCount>;
  staff: { name: string; roleName: string } | null;
}) {
  const site = useSite();
  const openKeys = useOpenKeys();
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <header className="admin-bar">
      <Button kind="ghost" icon className="-ml-2 lg:hidden" aria-label="全部页面" onClick={() => setMenuOpen(true)}>
        <MenuIcon className="icon" aria-hidden="true" />
      </Button>
      {isMenuOpen && <AllPages groups={groups} counts={counts} onClose={() => setMenuOpen(false)} />}
      <p className="truncate text-14 font-semibold max-md:hidden lg:hidden">{site?.name}</p>
      <FindAll menu={groups} />
      <span className="ml-auto flex items-center gap-3 text-12 whitespace-nowrap text-ink-2">
        <button
          type="button"
          className="list-key max-md:hidden"
          aria-label="快捷键"
          title="快捷键 ?"
          onClick={openKeys}
        >
          ?
        </button>
        {staff && (
          <span className="max-md:hidden">
            {staff.name}
            <span className="ml-1.5 text-ink-3">{staff.roleName}</span>
          </span>
        )}
        <ThemeSwitch />
        <Button kind="ghost" size="sm" onClick={() => void leave()}>
          <LogOut className="icon size-3.5" aria-hidden="true" />
          退出
        </Button>
      </span>
    </header>
  );
}

/** The back office: a rail with the role's pages on the left, dense content on the right. */
export default function BackstageLayout() {
  const { groups, staff, restoredTo, rail, counters: initial } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const counters = useCounters(initial);
  const queues = counters.data?.queues ?? [];
  const { isFolded, fold } = useRail(rail);
  useQueueKeys(queues.map(({ to }) => to));
  const counts = menuCounts(queues, Date.parse(counters.data?.time ?? ''));
  return (
    <Shortcuts>
      <div className={cx('admin', isFolded && 'admin-folded')}>
        <Rail groups={groups} counts={counts} isFolded={isFolded} onFold={fold} />
        <div className="min-w-0">
          <Bar groups={groups} counts={counts} staff={staff} />
          <main id="main" className="admin-main" tabIndex={-1}>
            {restoredTo !== null && (
              <QuarantineBanner restoredTo={restoredTo} isThere={isHere('/backstage/quarantine', pathname)} />
            )}
            <Outlet context={counters} />
          </main>
        </div>
      </div>
      <FactorHost />
    </Shortcuts>
  );
}
