import { Tag } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { type Named, useSearchState } from '#web/lib/search-state.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Logo } from './logo.tsx';
import { SearchBar } from './search-bar.tsx';
import { SearchHints } from './search-hints.tsx';

export interface NavItem {
  label: string;
  to: string;
  /** Starts a second group, after a hairline. */
  second?: boolean;
}

/** Whether an entry leads to the page on screen: same path, and for the list the same goods type. */
function isCurrent(to: string, pathname: string, search: string): boolean {
  const [path, query] = to.split('?');
  if (path !== pathname) return false;
  const type = new URLSearchParams(query).get('gt');
  return type === null || type === (new URLSearchParams(search).get('gt') ?? '1');
}

/** Logo, search and navigation. Only the search row stays when the page is scrolled. */
export function Header({
  name,
  logo,
  hot,
  nav,
  sellTo,
}: {
  name: string;
  logo: string;
  hot: readonly Named[];
  nav: readonly NavItem[];
  sellTo: string | null;
}) {
  const location = useLocation();
  const search = useSearchState();
  return (
    <>
      <header className="head-top">
        <div className="wrap flex items-center gap-8 pt-4 pb-2">
          <Logo name={name} src={logo} tagline="游戏账号交易所" />
          <SearchBar key={location.key} initial={search} />
          {sellTo && (
            <Link to={sellTo} className={`${buttonClass({ kind: 'tonal' })} ml-auto h-10! px-4.5! text-14!`}>
              <Tag className="icon" aria-hidden="true" />
              我要卖号
            </Link>
          )}
        </div>
      </header>
      <div className="head-rest">
        <div className="wrap">
          <div className="pb-1 md:pl-[176px]">
            <SearchHints hot={hot} />
          </div>
          <nav className="nav-row" aria-label="主导航">
            {nav.map(({ label, to, second }) => (
              <span key={to} className="contents">
                {second && <i className="h-3 w-px flex-none bg-line-strong" aria-hidden="true" />}
                <Link to={to} aria-current={isCurrent(to, location.pathname, location.search) ? 'page' : undefined}>
                  {label}
                </Link>
              </span>
            ))}
          </nav>
        </div>
      </div>
    </>
  );
}
