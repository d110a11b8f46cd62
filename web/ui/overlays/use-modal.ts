import { type RefObject, useEffect, useRef } from 'react';

/** Fields that are typed in or selected from. */
const FIELD = 'input:is([type=text], [type=tel], [type=password], [type=number], :not([type])), select, textarea';

/** Going back requests the dialog to close as Escape does; the code loads when the first dialog opens. */
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

function show(dialog: HTMLDialogElement): void {
  dialog.showModal();
  // The browser focuses the first focusable element, which is the close button. A form focuses its first field
  // instead; not on a phone, where that would open the keyboard over it.
  const field = window.matchMedia('(hover: hover)').matches ? `, ${FIELD}` : '';
  dialog.querySelector<HTMLElement>(`[data-focus-first]${field}`)?.focus();
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
    if (!dialog) return undefined;
    show(dialog);
    // A browser does not keep a dialog open against a second Escape; while its component is mounted, the dialog stays below the one it opened.
    const reopen = () => {
      if (dialog.open) return;
      show(dialog);
      for (const other of document.querySelectorAll<HTMLDialogElement>('dialog:modal'))
        if (dialog.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) {
          other.close();
          show(other);
        }
    };
    dialog.addEventListener('close', reopen);
    document.documentElement.style.overflow = 'hidden';
    const release = window.matchMedia('(hover: none)').matches ? backCloses(dialog) : undefined;
    return () => {
      release?.();
      dialog.removeEventListener('close', reopen);
      dialog.close();
      if (!document.querySelector('dialog:modal')) document.documentElement.style.overflow = '';
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return ref;
}
