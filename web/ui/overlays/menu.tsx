import type { KeyboardEvent, ReactNode } from 'react';
import { Popover, type PopoverTrigger } from './popover.tsx';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** Arrow keys, Home and End move through the items, as in any desktop menu. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"],[role="option"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[pressedKey(event)];
  if (to === undefined || items.length === 0) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}

/** A menu of actions or links. Give each item role="menuitem" and the class `menu-item`. */
export function Menu({
  label,
  trigger,
  children,
  align = 'end',
}: {
  label: string;
  trigger: (props: PopoverTrigger) => ReactNode;
  children: (close: () => void) => ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <Popover kind="menu" label={label} trigger={trigger} align={align} className="min-w-40 p-1">
      {(close) => (
        <div
          role="presentation"
          onKeyDown={walk}
          onClick={(event) => {
            if ((event.target as HTMLElement).closest('[role="menuitem"]')) close();
          }}
        >
          {children(close)}
        </div>
      )}
    </Popover>
  );
}
