import { type RefObject, useEffect, useRef } from 'react';

/** Fields that are typed in or selected from. */
const FIELD = 'input:is([type=text], [type=tel], [type=password], [type=number], :not([type])), select, textarea';

/**
 * Opens the dialog with the returned ref as a modal while its component is mounted, keeps the page below from
 * scrolling, and returns the focus to its previous element. An element with `data-focus-first` gets the focus on
 * opening.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    // The browser focuses the first focusable element, which is the close button. A form focuses its first field
    // instead; not on a phone, where that would open the keyboard over it.
    const field = window.matchMedia('(hover: hover)').matches ? `, ${FIELD}` : '';
    dialog?.querySelector<HTMLElement>(`[data-focus-first]${field}`)?.focus();
    document.documentElement.style.overflow = 'hidden';
    return () => {
      document.documentElement.style.overflow = '';
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return ref;
}
