import { useEffect, useEffectEvent } from 'react';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** Whether the user is typing or a dialog is open; letters are then not shortcuts. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest('input, textarea, select, [contenteditable]');
  // A checkbox is not a text field.
  return field !== null && !(field instanceof HTMLInputElement && field.type === 'checkbox');
}

/** Handles a key; returning false leaves the key to the browser. */
type Handler = (event: KeyboardEvent) => unknown;

/** Single-letter shortcuts of a page, keyed by `pressedKey(event)` in lower case. */
export function useHotkeys(keys: Readonly<Record<string, Handler>>): void {
  // Not a ref set in an effect: a key pressed right after a drawer opens would still use the previous handlers.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isBusy(event.target)) return;
    const handler = keys[pressedKey(event).toLowerCase()];
    if (handler && handler(event) !== false) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
