import { ChevronLeft, CirclePlus, Gamepad2, House, MessageSquare, Search, User } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation, useMatches, useNavigate, useRevalidator } from 'react-router';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { unreadText } from '#contract/rules/limits.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { useSearchState } from '#web/lib/lists/search-state.ts';
import { LogoMark } from './logo.tsx';
import { NoticeLink } from '#subjects/notices/web/parts/notices/bell.tsx';

const SearchSheet = lazyWithRetry(() => import('../search/search-sheet.lazy.tsx'));

/** Phone layout settings in a page's `handle`. */
export interface PhoneHandle {
  /** A back button in place of the logo. */
  back?: boolean;
  /** The page's title, in place of the search. */
  title?: string;
  /** The page has a separate bar at the bottom. */
  ownBar?: boolean;
  /** Pulling the page down at its top loads its data again. */
  refresh?: boolean;
  /** A payment or order is made here: the footer contains only the licences. */
  isShort?: boolean;
}

/** The layout settings of the deepest page that has any. */
export function usePhoneHandle(): PhoneHandle {
  return useMatches().reduce<PhoneHandle>(
    (merged, { handle }) => ({ ...merged, ...(handle as { phone?: PhoneHandle } | undefined)?.phone }),
    {},
  );
}

/** Pulling down refreshes; the code comes after the page, and on devices without a mouse only. */
function usePullRefresh(isOn: boolean): void {
  const { revalidate } = useRevalidator();
  const refresh = useEffectEvent(() => revalidate());
  useEffect(() => {
    if (!isOn || !window.matchMedia('(hover: none)').matches) return;
    let stop: (() => void) | undefined;
    let isGone = false;
    void import('#web/lib/browser/pull-refresh.ts').then(
      ({ watchPull }) => {
        if (!isGone) stop = watchPull(() => refresh());
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [isOn]);
}

/** The phone's header: logo or back button, the search as a pill, the notices. */
export function PhoneHead({ logo, name, notices }: { logo: string; name: string; notices: number }) {
  const search = useSearchState();
  const location = useLocation();
  const navigate = useNavigate();
  const { back, title, refresh = false } = usePhoneHandle();
  usePullRefresh(refresh);
  const [open, setOpen] = useState(false);
  const summary = [search.area?.name, search.typeId !== null && goodsTypeName(search.typeId), search.keyWord]
    .filter(Boolean)
    .join(' ');
  return (
    <header className="phone-head">
      {back ? (
        <button
          type="button"
          aria-label="返回"
          className="-ml-2 grid size-10 place-items-center"
          onClick={() => (location.key === 'default' ? navigate('/') : navigate(-1))}
        >
          <ChevronLeft className="icon size-6" aria-hidden="true" />
        </button>
      ) : (
        <Link to="/" aria-label={`${name}首页`} className="-mx-1.25 grid size-10 flex-none place-items-center">
          <LogoMark src={logo} size={30} />
        </Link>
      )}
      {title ? (
        <b className="min-w-0 flex-1 truncate text-16 font-semibold">{title}</b>
      ) : (
        <Link
          to="/allgame"
          className="phone-pill"
          onClick={(event) => {
            event.preventDefault();
            setOpen(true);
          }}
        >
          <Search className="icon" aria-hidden="true" />
          {search.game && <b className="font-medium text-ink">{search.game.name}</b>}
          <span className="truncate">{summary || (search.game ? '' : '搜游戏、关键词、商品编号')}</span>
        </Link>
      )}
      <NoticeLink unread={notices} />
      {open && <SearchSheet initial={search} onClose={() => setOpen(false)} />}
    </header>
  );
}

const PLACES = [
  { label: '首页', to: '/', Icon: House, at: /^\/(h\/?)?$/ },
  { label: '游戏', to: '/allgame', Icon: Gamepad2, at: /^\/(allgame|wares|detail|JDetail)/ },
  { label: '发布', to: '/center/sell', Icon: CirclePlus, at: /^\/center\/sell$/ },
  { label: '消息', to: '/chatSystem', Icon: MessageSquare, at: /^\/chatSystem/ },
  { label: '我的', to: '/center', Icon: User, at: /^\/center(?!\/sell$)/ },
] as const;

/** The phone's bottom bar with five links. */
export function PhoneBar({ unread }: { unread: number }) {
  const { pathname } = useLocation();
  if (usePhoneHandle().ownBar) return null;
  return (
    <nav className="phone-bar" aria-label="底部导航">
      {PLACES.map(({ label, to, Icon, at }) => (
        <Link key={to} to={to} aria-current={at.test(pathname) ? 'page' : undefined}>
          <Icon className="icon" strokeWidth={1.6} aria-hidden="true" />
          {label}
          {to === '/chatSystem' && unread > 0 && <span className="badge">{unreadText(unread)}</span>}
        </Link>
      ))}
    </nav>
  );
}
