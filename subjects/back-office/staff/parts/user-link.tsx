import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import { cx } from '#web/ui/class-names.ts';
import { useOpenable } from './openable-users.ts';
import { useMayOpen } from './page-link.tsx';

/** Why the name of a user is not a link; null when the user's page can be opened. */
export function useClosedReason(id: string): string | null {
  const layout = useRouteLoaderData<{ staff: { isOfBrand: boolean } | null }>('backstage');
  const mayOpen = useMayOpen()('/backstage/users');
  const isOpen = useOpenable(id, mayOpen && layout?.staff?.isOfBrand === true);
  if (!mayOpen) return '您的角色没有“查看用户”权限';
  if (isOpen === undefined) return '';
  return isOpen ? null : '其他站点的用户，您只能看到名称';
}

/** A user's name as a link to the user's page; text with the reason when the caller cannot open it. */
export function UserLink({ id, className, children }: { id: string; className?: string; children: ReactNode }) {
  const closed = useClosedReason(id);
  if (closed !== null)
    return (
      <span className={className} title={closed || undefined}>
        {children}
      </span>
    );
  return (
    <Link to={`/backstage/users/${id}`} className={cx('hover:text-link', className)}>
      {children}
    </Link>
  );
}
