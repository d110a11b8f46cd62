import { type RefObject, useEffect, useRef } from 'react';

/** Fields that are typed in or selected from. */
const FIELD = 'input:is([type=text], [type=tel], [type=password], [type=number], :not([type])), select, textarea';

/** Going back asks the dialog to close as Escape does; the code comes when the first one opens. */
function backCloses(dialog: HTMLDialogElement): () => void {
  let isOpen = true;
  let release: (() => void) | undefined;
  void import('./modal-history.ts').then(
    ({ closeOnBack }) => {
      if (isOpen) release = closeOnBack(() => dialog.dispatchEvent(new Event('cancel', { cancelable: true })));
    },
    () => undefined,
  );
  return () => {
    isOpen = false;
    release?.();
  };
}

/**
 * Opens the dialog with the returned ref as a modal while its component is mounted, keeps the page below from
 * scrolling, and returns the focus to its previous element. An element with `data-focus-first` gets the focus on
 * opening. On a device without a mouse, going back closes it.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    // A browser lets nobody keep a dialog open against a second Escape; while its component stays, so does the dialog.
    const reopen = () => dialog?.isConnected && !dialog.open && dialog.showModal();
    dialog?.addEventListener('close', reopen);
    // The browser focuses the first focusable element, which is the close button. A form focuses its first field
    // instead; not on a phone, where that would open the keyboard over it.
    const field = window.matchMedia('(hover: hover)').matches ? `, ${FIELD}` : '';
    dialog?.querySelector<HTMLElement>(`[data-focus-first]${field}`)?.focus();
    document.documentElement.style.overflow = 'hidden';
    const release = dialog && window.matchMedia('(hover: none)').matches ? backCloses(dialog) : undefined;
    return () => {
      release?.();
      dialog?.removeEventListener('close', reopen);
      dialog?.close();
      if (!document.querySelector('dialog:modal')) document.documentElement.style.overflow = '';
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return ref;
}
