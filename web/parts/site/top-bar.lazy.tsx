import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { unreadText } from '#contract/rules/limits.ts';
import type { LayoutData } from '#web/lib/pages/layout-data.ts';
import { useLogout } from '#web/lib/session/logout.ts';
import type { StripLink } from '#web/lib/pages/nav.ts';
import { Drop } from '#web/ui/forms/drop.tsx';
import { NoticeBell } from '#subjects/notices/web/parts/notices/bell.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** A code to scan: a brand's own app, or this site, with how to keep it. The picture is loaded when the panel is opened. */
function AppDownload({ app: [src, text] }: { app: LayoutData['app'] }) {
  return (
    <Drop label="APP下载" align="center">
      <div className="grid w-52 justify-items-center gap-2 p-3 text-12 text-ink-2">
        <span className="rounded-tag bg-white p-1.5">
          <img src={src} width={124} height={124} alt="" loading="lazy" />
        </span>
        <p className="whitespace-pre-line">{text}</p>
      </div>
    </Drop>
  );
}

function TopBarLink({ label, to, count, safe }: StripLink) {
  return (
    <Link to={to} className="inline-flex items-center gap-1 hover:text-link">
      {safe && <ShieldCheck className="icon size-3.5" aria-hidden="true" />}
      {label}
      {count !== undefined && count > 0 && <b className="font-semibold text-ink">{unreadText(count)}</b>}
    </Link>
  );
}

function LogOut() {
  const logout = useLogout();
  return (
    <button type="button" className="hover:text-link" onClick={() => void logout()}>
      退出
    </button>
  );
}

function Entrance({ login }: { login: string }) {
  return (
    <span className="flex flex-none gap-3">
      <Link to={login} className="font-medium text-link">
        请登录
      </Link>
      <Link to="/register" className="hover:text-link">
        免费注册
      </Link>
    </span>
  );
}

function Strip({
  who,
  welcome,
  user,
  children,
}: {
  who: ReactNode;
  welcome?: string;
  user: LayoutData['user'];
  children: ReactNode;
}) {
  return (
    <section className="strip" aria-label="快捷入口">
      <div className="wrap flex h-full items-center gap-4">
        {who}
        {/* Shown completely or not at all: entries without room overflow below the strip's edge. */}
        {welcome && (
          <span className="flex h-full min-w-0 flex-1 flex-wrap overflow-hidden text-ink-3 before:h-full before:w-px before:content-['']">
            <span className="flex h-full items-center whitespace-nowrap">{welcome}</span>
          </span>
        )}
        <nav aria-label="快捷入口" className="ml-auto flex flex-none items-center gap-4">
          {children}
          {user && <NoticeBell unread={user.notices} />}
          <ThemeSwitch />
        </nav>
      </div>
    </section>
  );
}

/**
 * Top bar, variant 1: greeting, nickname and the distributor's welcome text on the left, frequent links on the right.
 */
function StripOne({ data }: { data: LayoutData }) {
  const { user, welcome, greeting, links, login } = data;
  const who = user ? (
    <span className="flex flex-none gap-2">
      <span>
        {greeting}，
        <Link to="/center" className="font-semibold text-ink hover:text-link">
          {user.nickName}
        </Link>
      </span>
      <LogOut />
    </span>
  ) : (
    <Entrance login={login} />
  );
  return (
    <Strip who={who} welcome={welcome} user={user}>
      {links.map((link) => (
        <TopBarLink key={link.to} {...link} />
      ))}
      <AppDownload app={data.app} />
    </Strip>
  );
}

/** Top bar, variant 2: the links for traders in menus. */
function StripTwo({ data }: { data: LayoutData }) {
  const { user, login, menus } = data;
  const who = (
    <span className="flex flex-none items-center gap-4">
      {user ? (
        <span className="flex gap-2">
          <Link to="/center" className="font-semibold text-ink hover:text-link">
            {user.nickName}
          </Link>
          <LogOut />
        </span>
      ) : (
        <Entrance login={login} />
      )}
      <Link to="/" className="hover:text-link">
        首页
      </Link>
      <Link to="/center" className="hover:text-link">
        个人中心
      </Link>
    </span>
  );
  return (
    <Strip who={who} user={user}>
      {menus.map(({ label, links }) =>
        links.length === 1 && links[0] ? (
          <TopBarLink key={label} {...links[0]} />
        ) : (
          <Drop key={label} label={label}>
            {links.map(({ label: text, to, count }) => (
              <Link key={to} to={to} className="menu-item">
                {text}
                {count !== undefined && count > 0 && <b className="ml-auto font-semibold">{unreadText(count)}</b>}
              </Link>
            ))}
          </Drop>
        ),
      )}
      <AppDownload app={data.app} />
    </Strip>
  );
}

/** The 32-pixel strip above everything, in the variant that the distributor chose (product.md 2). */
export function TopStrip({ data }: { data: LayoutData }) {
  return data.topBar === 2 ? <StripTwo data={data} /> : <StripOne data={data} />;
}
