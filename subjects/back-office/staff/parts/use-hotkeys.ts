import { useEffect, useEffectEvent } from 'react';
import { pressedKey } from '#web/lib/pressed-key.ts';

/** Whether the user is typing or a dialog is open; letters are then not shortcuts. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest('input, textarea, select, [contenteditable]');
  // A ticked box is no field to type in.
  return field !== null && !(field instanceof HTMLInputElement && field.type === 'checkbox');
}

/** What a key does; false leaves the key to the browser. */
type Handler = (event: KeyboardEvent) => unknown;

/** Single-letter shortcuts of a page, keyed by `pressedKey(event)` in lower case. */
export function useHotkeys(keys: Readonly<Record<string, Handler>>): void {
  // Not a ref that an effect fills: a key that is pressed as soon as a drawer shows would still have the handlers from before it.
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
