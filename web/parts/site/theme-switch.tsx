import { Monitor, Moon, Sun } from 'lucide-react';
import { applyTheme, type Theme } from '#web/lib/browser/theme.ts';
import { Menu } from '#web/ui/overlays/menu.tsx';

const CHOICES: readonly [theme: Theme | undefined, label: string, Icon: typeof Sun][] = [
  ['light', '浅色', Sun],
  ['dark', '深色', Moon],
  [undefined, '跟随系统', Monitor],
];

/**
 * Light, dark, or the system's theme. The page changes immediately; a cookie sets it for the next page from the server.
 */
export function ThemeSwitch() {
  return (
    <Menu
      label="外观"
      trigger={(props) => (
        <button type="button" {...props} className="hit inline-flex items-center gap-1 hover:text-link">
          <Sun className="icon size-3.5" aria-hidden="true" />
          外观
        </button>
      )}
    >
      {() =>
        CHOICES.map(([theme, label, Icon]) => (
          <button key={label} type="button" role="menuitem" className="menu-item" onClick={() => applyTheme(theme)}>
            <Icon className="icon" aria-hidden="true" />
            {label}
          </button>
        ))
      }
    </Menu>
  );
}
