import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Makes the browser ask before the page is left. Chromium below 119 asks only for a return value. */
export function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
  Object.assign(event, { returnValue: true });
}

/** Registers both checks; the code loads with the first typed text. */
async function guard(dialog: HTMLDialogElement, isUnsent: () => boolean, signal: AbortSignal): Promise<void> {
  window.addEventListener('beforeunload', (event) => isUnsent() && askToStay(event), { signal });
  // On a phone, going back closes a dialog as soon as it is open.
  if (window.matchMedia('(hover: none)').matches) return;
  const { closeOnBack } = await import('../overlays/modal-history.ts');
  if (signal.aborted) return;
  const release = closeOnBack(() => dialog.dispatchEvent(new Event('cancel', { cancelable: true })));
  signal.addEventListener('abort', release);
}

/**
 * From the first typed text on, a browser's Back asks the dialog to close as Escape does in place of leaving the page, and a reload or a closed
 * tab asks first while `isUnsent` says that something typed would be lost.
 */
export function useUnsent(ref: RefObject<HTMLDialogElement | null>, isUnsent: () => boolean): void {
  const isUnsentNow = useEffectEvent(isUnsent);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    const ends = new AbortController();
    const { signal } = ends;
    let isGuarded = false;
    const onInput = (event: Event) => {
      // Text in a dialog inside this one belongs to that dialog.
      if (isGuarded || (event.target as Element).closest('dialog') !== dialog || !isUnsentNow()) return;
      isGuarded = true;
      // Without the code only going back does not ask; the next typed text tries again.
      guard(dialog, () => isUnsentNow(), signal).catch(() => (isGuarded = false));
    };
    dialog.addEventListener('input', onInput, { signal });
    return () => ends.abort();
  }, [ref]);
}
