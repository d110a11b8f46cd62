import { LogOut } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, type LinksFunction, type LoaderFunctionArgs, Outlet, useLoaderData, useLocation } from 'react-router';
import { quarantineBanner } from '#contract/backstage-quarantine.ts';
import { staffLogout } from '#contract/backstage.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { clearHints } from '#web/lib/cookies.ts';
import { fullAt } from '#web/lib/times.ts';
import { useSite } from '#web/lib/site.ts';
import { FactorHost } from '#web/parts/staff/factor-host.tsx';
import { ThemeSwitch } from '#web/parts/theme-switch.tsx';
import deskCss from '#web/styles/desk.css?url';
import { Button } from '#web/ui/button.tsx';
import { adminMenu } from './shell/admin-menu.ts';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: deskCss }];

export async function loader(args: LoaderFunctionArgs) {
  const { staff, call: request } = market(args);
  // A page must open even when this is unknown.
  const held = staff ? await request(quarantineBanner, {}).catch(() => null) : null;
  return {
    restoredTo: held?.restoredTo ?? null,
    groups: staff ? adminMenu(staff) : [],
    staff: staff && { name: staff.name, roleName: staff.roleName },
  };
}

async function leave(): Promise<void> {
  try {
    await call(staffLogout, {}, { quiet: true });
  } finally {
    clearHints();
    window.location.assign('/backstage/login');
  }
}

/** Whether a menu entry belongs to the current page: the page itself, or one below it. */
function isHere(to: string, pathname: string): boolean {
  return to === pathname || (to !== '/backstage' && pathname.startsWith(`${to}/`));
}

/** Nothing leaves a restored market until it is released. */
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

/** The back office: a rail with the role's pages on the left, dense content on the right. */
export default function BackstageLayout() {
  const { groups, staff, restoredTo } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const site = useSite();
  const rail = useRef<HTMLElement>(null);
  // On a narrow screen the rail is a scrolling row: the current page's entry must be visible.
  useEffect(() => {
    const here = rail.current?.querySelector<HTMLElement>('[aria-current]');
    if (here && rail.current)
      rail.current.scrollLeft = here.offsetLeft - (rail.current.clientWidth - here.offsetWidth) / 2;
  }, [pathname]);
  return (
    <>
      <div className="office">
        <nav ref={rail} className="office-rail" aria-label="后台导航">
          <p className="px-2.5 py-1 text-14 font-semibold max-lg:hidden">{site?.name}</p>
          {groups.map(({ name, items }) => (
            <div key={name || 'top'} className="max-lg:contents">
              {name && <h2>{name}</h2>}
              {items.map(({ to, name: label }) => (
                <Link key={to} to={to} aria-current={isHere(to, pathname) ? 'page' : undefined}>
                  {label}
                </Link>
              ))}
            </div>
          ))}
        </nav>
        <div className="min-w-0">
          <header className="office-bar">
            <p className="truncate text-14 font-semibold lg:hidden">{site?.name}</p>
            <span className="ml-auto flex items-center gap-3 text-12 whitespace-nowrap text-ink-2">
              {staff && (
                <span>
                  {staff.name}
                  <span className="ml-1.5 text-ink-3 max-md:hidden">{staff.roleName}</span>
                </span>
              )}
              <ThemeSwitch />
              <Button kind="ghost" size="sm" onClick={() => void leave()}>
                <LogOut className="icon size-3.5" aria-hidden="true" />
                退出
              </Button>
            </span>
          </header>
          <main id="main" className="office-main" tabIndex={-1}>
            {restoredTo !== null && (
              <QuarantineBanner restoredTo={restoredTo} isThere={isHere('/backstage/quarantine', pathname)} />
            )}
            <Outlet />
          </main>
        </div>
      </div>
      <FactorHost />
    </>
  );
}
