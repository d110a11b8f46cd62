import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router';

export interface Crumb {
  label: string;
  to?: string | undefined;
}

/** 'Your position': the path from home to this page, with the page itself last. */
export function Breadcrumb({ items }: { items: readonly Crumb[] }) {
  return (
    <nav
      aria-label="您的位置"
      className="flex h-10 items-center gap-1.5 overflow-hidden text-12 whitespace-nowrap text-ink-3"
    >
      {items.map(({ label, to }, index) => (
        <Fragment key={`${label}${to}`}>
          {index > 0 && <ChevronRight className="icon size-3" aria-hidden="true" />}
          {to ? (
            <Link to={to} className="hover:text-link">
              {label}
            </Link>
          ) : (
            <span aria-current="page" className="truncate text-ink">
              {label}
            </span>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
