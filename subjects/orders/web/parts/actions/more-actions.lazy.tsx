import { Ellipsis } from 'lucide-react';
import { cx } from '#web/ui/class-names.ts';
import { Menu } from '#web/ui/overlays/menu.tsx';
import { actionKind, type ConfirmedAction, type OrderAction } from './action-kinds.ts';

/** A chosen action, not yet confirmed. */
export interface AskedAction {
  act: OrderAction;
  kind: ConfirmedAction;
}

/** The menu of further actions. */
export default function MoreActions({
  actions,
  size,
  onAsk,
}: {
  actions: readonly OrderAction[];
  size: 'sm' | 'md';
  onAsk: (asked: AskedAction) => void;
}) {
  return (
    <Menu
      label="更多操作"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className={cx('btn btn-icon', size === 'sm' && 'btn-sm')}
          aria-label="更多操作"
        >
          <Ellipsis className="icon" aria-hidden="true" />
        </button>
      )}
    >
      {() =>
        actions.map((action) => {
          const kind = actionKind(action.act);
          if (kind?.kind !== 'ask') return null;
          return (
            <button
              key={action.act}
              type="button"
              role="menuitem"
              className="menu-item text-danger"
              onClick={() => onAsk({ act: action, kind })}
            >
              {action.label}
            </button>
          );
        })
      }
    </Menu>
  );
}
