import { Link, useLocation } from 'react-router';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { AdminGroup } from './admin-menu.ts';
import type { MenuCount } from './admin-counts.ts';
import { isHere } from './is-here.ts';
import { menuIcon } from './menu-icons.ts';
import { QueueCount } from './queue-count.tsx';

/** All pages of the role by group, for narrow screens, on which the rail is a row that shows only a few entries. */
export default function AllPages({
  groups,
  counts,
  onClose,
}: {
  groups: readonly AdminGroup[];
  counts: ReadonlyMap<string, MenuCount>;
  onClose: () => void;
}) {
  const { pathname } = useLocation();
  return (
    <Dialog title="全部页面" shape="sheet" onClose={onClose}>
      <nav className="admin-menu" aria-label="全部页面">
        {groups.map(({ name, items }) => (
          <div key={name || 'top'}>
            {name && <h3>{name}</h3>}
            <ul>
              {items.map(({ to, name: label }) => {
                const count = counts.get(to);
                const Icon = menuIcon(to);
                return (
                  <li key={to}>
                    <Link to={to} aria-current={isHere(to, pathname) ? 'page' : undefined} onClick={onClose}>
                      <Icon className="icon" aria-hidden="true" />
                      <span className="truncate">{label}</span>
                      {count && <QueueCount of={count} />}
                    </Link>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </nav>
    </Dialog>
  );
}
