import { type RefObject, useEffect, useRef } from 'react';

/** What is typed in or chosen from. */
const FIELD = 'input:is([type=text], [type=tel], [type=password], [type=number], :not([type])), select, textarea';

/**
 * Opens the dialog that carries the returned ref as a modal for as long as its component stands, keeps the page below
 * from scrolling, and gives the focus back to where it was. What carries `data-focus-first` has it meanwhile.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    // The browser takes the first thing that can have the focus, which is the way out. A form begins in its first field; not on a
    // phone, where that would bring the keyboard over it.
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
