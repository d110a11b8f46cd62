import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { cx } from './class-names.ts';

export interface LinkTab {
  key: string;
  label: ReactNode;
  to: string;
  isCurrent: boolean;
  /** How many stand behind it; none is not shown. */
  count?: number | undefined;
  /** What stands in the count's place where that is more than a number. */
  badge?: ReactNode;
}

/** Beyond it a number says no more than that there are many. */
const MANY = 9999;

/**
 * Tabs that are addresses: the parts or states of one list. A bar that is wider than its screen shows the chosen tab; the page keeps
 * its place when another is chosen. For tabs of one address see `Tabs`.
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
    // Its middle comes to the bar's middle, so that the neighbours on both sides can be seen and pressed.
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
