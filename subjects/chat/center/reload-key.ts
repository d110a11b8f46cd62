import { useEffect } from 'react';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** F5 does not reload while it is held down; the page reloads once on key-up (product.md 2). */
export function useReloadKey(): void {
  useEffect(() => {
    const isPlain = (event: KeyboardEvent) => pressedKey(event) === 'F5' && !event.ctrlKey && !event.shiftKey;
    const hold = (event: KeyboardEvent) => {
      if (isPlain(event)) event.preventDefault();
    };
    const reload = (event: KeyboardEvent) => {
      if (isPlain(event)) window.location.reload();
    };
    window.addEventListener('keydown', hold);
    window.addEventListener('keyup', reload);
    return () => {
      window.removeEventListener('keydown', hold);
      window.removeEventListener('keyup', reload);
    };
  }, []);
}
