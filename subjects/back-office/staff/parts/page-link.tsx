import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import type { AdminGroup } from '#web/layouts/shell/admin-menu.ts';
import { cx } from '#web/ui/class-names.ts';

/** Whether the caller's menu contains the page of a URL, or the list of the URL's record. */
export function useMayOpen(): (to: string) => boolean {
  const layout = useRouteLoaderData<{ groups: readonly AdminGroup[] }>('backstage');
  const pages = new Set(layout?.groups.flatMap(({ items }) => items.map((item) => item.to)));
  return (to) => pages.has(/^\/backstage(?:\/[^/?#]+)?/.exec(to)?.[0] ?? '');
}

/** A link to another page of the back office; plain text for roles without access to that page. */
export function PageLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const mayOpen = useMayOpen();
  if (!mayOpen(to)) return <span className={className}>{children}</span>;
  return (
    <Link to={to} className={cx('link', className)}>
      {children}
    </Link>
  );
}
