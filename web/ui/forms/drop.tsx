import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../class-names.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** How long the pointer may be outside on its way from the trigger to the panel, in ms. */
const LEAVE_MS = 140;

/**
 * A label whose panel opens below it on hover, on a click and by keyboard; it closes on Escape, on leaving and after a
 * choice in it.
 */
export function Drop({
  label,
  align = 'start',
  className,
  children,
}: {
  label: ReactNode;
  align?: 'start' | 'end' | 'center';
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => () => clearTimeout(leaving.current), []);
  const show = () => {
    clearTimeout(leaving.current);
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (pressedKey(event) !== 'Escape' || !open) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      className={cx('drop', className)}
      onMouseEnter={show}
      onMouseLeave={() => {
        leaving.current = setTimeout(() => setOpen(false), LEAVE_MS);
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
      onKeyDown={onKeyDown}
    >
      <button
        ref={button}
        type="button"
        className="drop-word"
        aria-expanded={open}
        aria-controls={id}
        // Hovering has already opened it; only a key closes it again.
        onClick={(event) => (event.detail === 0 ? setOpen(!open) : show())}
      >
        {label}
        <ChevronDown className="icon size-3" aria-hidden="true" />
      </button>
      <div
        id={id}
        className="drop-panel"
        data-align={align}
        hidden={!open}
        onClick={(event) => {
          if ((event.target as HTMLElement).closest('a')) setOpen(false);
        }}
      >
        {children}
      </div>
    </div>
  );
}
