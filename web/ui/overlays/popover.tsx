import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../class-names.ts';

/** Space between the button and the popover, and between the popover and the screen's edge, in px. */
const GAP = 6;
const EDGE = 8;

/** The attributes of the button that opens a popover. */
export interface PopoverTrigger {
  ref: RefObject<HTMLButtonElement | null>;
  popoverTarget: string;
  'aria-expanded': boolean;
  'aria-haspopup': 'dialog' | 'menu' | 'listbox';
}

/** Positions the popover below its button, or above it where there is no room below, inside the screen. */
function position(anchor: HTMLElement, floating: HTMLElement, align: 'start' | 'end'): void {
  // The previous limit must not affect the measurement.
  floating.style.maxHeight = '';
  const at = anchor.getBoundingClientRect();
  const box = floating.getBoundingClientRect();
  const below = at.bottom + GAP + box.height <= window.innerHeight - EDGE;
  const top = below || at.top - GAP - box.height < EDGE ? at.bottom + GAP : at.top - GAP - box.height;
  const left = align === 'start' ? at.left : at.right - box.width;
  floating.style.top = `${Math.max(EDGE, top)}px`;
  floating.style.left = `${Math.min(Math.max(EDGE, left), window.innerWidth - box.width - EDGE)}px`;
  floating.style.maxHeight = `${window.innerHeight - Math.max(EDGE, top) - EDGE}px`;
}

/**
 * A light panel on the native `popover` attribute: closes on Escape and on a click outside, and lives in the top layer. Browsers without it
 * get the same from `older/older.js`. `:is()` keeps the selector valid if the pseudo-class is unknown.
 * `children` are rendered only while it is open.
 */
export function Popover({
  trigger,
  children,
  kind = 'dialog',
  align = 'start',
  className,
  label,
}: {
  trigger: (props: PopoverTrigger) => ReactNode;
  children: (close: () => void) => ReactNode;
  kind?: 'dialog' | 'menu' | 'listbox';
  align?: 'start' | 'end';
  className?: string;
  label: string;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    // Clicked before hydration: the browser has opened it without an event listener.
    if (panel.current?.matches(':is(:popover-open)')) setOpen(true);
  }, []);

  useEffect(() => {
    if (!open) return;
    const arrange = () => {
      if (button.current && panel.current) position(button.current, panel.current, align);
    };
    arrange();
    const grown = new ResizeObserver(arrange);
    if (panel.current) grown.observe(panel.current);
    // The arrow keys move through a menu, starting at its first item.
    panel.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    window.addEventListener('scroll', arrange, { passive: true, capture: true });
    window.addEventListener('resize', arrange);
    return () => {
      grown.disconnect();
      window.removeEventListener('scroll', arrange, { capture: true });
      window.removeEventListener('resize', arrange);
    };
  }, [open, align]);

  return (
    <>
      {trigger({ ref: button, popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': kind })}
      <div
        id={id}
        ref={panel}
        popover="auto"
        role={kind}
        aria-label={label}
        className={cx('popover overflow-auto', className)}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && children(() => document.getElementById(id)?.hidePopover?.())}
      </div>
    </>
  );
}
