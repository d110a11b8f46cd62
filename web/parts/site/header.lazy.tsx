import { Tag } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import type { LayoutData } from '#web/lib/pages/layout-data.ts';
import type { NavItem } from '#web/lib/pages/nav.ts';
import { useSearchState } from '#web/lib/lists/search-state.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Logo } from './logo.tsx';
import { SearchBar } from '../search/search-bar.tsx';
import { SearchHints } from '../search/search-hints.tsx';

/** Whether an entry links to the current page: same path, and for the list the same goods type. */
function isCurrent(to: string, pathname: string, search: string): boolean {
  const [path, query] = to.split('?');
  if (path !== pathname) return false;
  const type = new URLSearchParams(query).get('gt');
  return type === null || type === (new URLSearchParams(search).get('gt') ?? '1');
}

function NavLinks({ items, label }: { items: readonly NavItem[]; label: string }) {
  const { pathname, search } = useLocation();
  if (items.length === 0) return null;
  return (
    <nav aria-label={label}>
      {items.map(({ label: text, to }) => (
        <Link key={to} to={to} aria-current={isCurrent(to, pathname, search) ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** Listings by type, then a divider and the secondary entries. */
function NavRow({ nav }: { nav: LayoutData['nav'] }) {
  const second = nav.filter((item) => item.second);
  return (
    <div className="nav-row">
      <NavLinks label="主导航" items={nav.filter((item) => !item.second)} />
      {second.length > 0 && <i className="h-3 w-px flex-none bg-line-strong" aria-hidden="true" />}
      <NavLinks label="交易服务" items={second} />
    </div>
  );
}

function SellButton() {
  return (
    <Link to="/center/sell" className={`${buttonClass({ kind: 'tonal' })} ml-auto h-10! flex-none px-4.5! text-14!`}>
      <Tag className="icon" aria-hidden="true" />
      我要卖号
    </Link>
  );
}

/** Logo, search and navigation. Only the search row stays visible when the page is scrolled. */
export function Header({ data, search: searchPosition }: { data: LayoutData; search: 'header' | 'page' }) {
  const { name, logo, hot, nav } = data;
  const location = useLocation();
  const search = useSearchState();
  if (searchPosition === 'page') {
    return (
      <header className="head-top border-b border-line">
        <div className="wrap flex items-center gap-8 py-2">
          <Logo name={name} src={logo} />
          <NavRow nav={nav} />
          <SellButton />
        </div>
      </header>
    );
  }
  return (
    <>
      <header className="head-top">
        <div className="wrap head-row flex items-center gap-8">
          <Logo name={name} src={logo} tagline="游戏账号交易所" />
          <SearchBar key={location.key} initial={search} />
          <SellButton />
        </div>
      </header>
      <div className="head-rest">
        <div className="wrap">
          <section className="head-hints" aria-label="热搜与最近">
            <SearchHints hot={hot} />
          </section>
          <NavRow nav={nav} />
        </div>
      </div>
    </>
  );
}
