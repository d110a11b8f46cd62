import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { cx } from '../class-names.ts';

export interface LinkTab {
  key: string;
  label: ReactNode;
  to: string;
  isCurrent: boolean;
  /** The number of items behind it; zero is not displayed. */
  count?: number | undefined;
  /** Displayed in place of the count, if a number is not enough. */
  badge?: ReactNode;
}

/** Above this only 'many' is displayed. */
const MANY = 9999;

/**
 * Tabs that are links: the parts or states of one list. A bar that is wider than its screen scrolls to the current tab;
 * the page keeps its scroll position when another is chosen. For tabs within one URL see `Tabs`.
 */
export function LinkTabs({
  label,
  items,
  className,
}: {
  label: string;
  items: readonly LinkTab[];
  className?: string;
}) {
  const bar = useRef<HTMLElement>(null);
  const chosen = items.find(({ isCurrent }) => isCurrent)?.key;
  useEffect(() => {
    const current = bar.current?.querySelector('[aria-current]');
    if (!bar.current || !current || bar.current.scrollWidth <= bar.current.clientWidth) return;
    const bounds = bar.current.getBoundingClientRect();
    const tab = current.getBoundingClientRect();
    // Scrolls the tab into the middle of the bar, so that the neighbours on both sides are visible.
    bar.current.scrollLeft += tab.left + tab.width / 2 - (bounds.left + bounds.width / 2);
  }, [chosen]);
  return (
    <nav ref={bar} className={cx('tabs', className)} aria-label={label}>
      {items.map(({ key, label: text, to, isCurrent, count = 0, badge }) => (
        <Link key={key} to={to} className="tab" aria-current={isCurrent ? 'page' : undefined} preventScrollReset>
          {text}
          {badge}
          {count > 0 && <small className="text-12 font-normal text-ink-3">{count > MANY ? `${MANY}+` : count}</small>}
        </Link>
      ))}
    </nav>
  );
}
