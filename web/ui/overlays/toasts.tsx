import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { currentToasts, subscribeToasts, type ToastItem } from './toast-store.ts';

const NONE: readonly ToastItem[] = [];

const ICONS = {
  ok: <CircleCheck className="icon text-safe" aria-hidden="true" />,
  warn: <CircleAlert className="icon text-attn" aria-hidden="true" />,
  info: <Info className="icon text-link" aria-hidden="true" />,
};

/** Renders the toasts; used once, in the root. It is a manual popover, so that it is above open dialogs. */
export function Toasts() {
  const items = useSyncExternalStore(subscribeToasts, currentToasts, () => NONE);
  const box = useRef<HTMLDivElement>(null);
  const count = items.length;
  useEffect(() => {
    const element = box.current;
    if (!element?.showPopover) return;
    if (element.matches(':is(:popover-open)')) element.hidePopover();
    if (count > 0) element.showPopover();
  }, [count]);
  return (
    <div ref={box} popover="manual" className="toasts" role="status" aria-live="polite">
      {items.map(({ id, text, kind }) => (
        <div key={id} className="toast">
          {ICONS[kind]}
          {text}
        </div>
      ))}
    </div>
  );
}
