import type { ReactNode } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { cx } from '../class-names.ts';

/** The selection in an address: its parameters without the page, so that the links of the pages keep the focus. */
export function selectionOf(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('pages');
  return query.toString();
}

/**
 * The content of a list whose selection is in the address of `path`: dimmed while another selection loads, and then replaced as a whole. Rows
 * in both selections would otherwise jump to their new places, and on a phone what follows a shorter list would move into view.
 */
export function ListBody({ path, children }: { path: string; children: ReactNode }) {
  const { state, location: next } = useNavigation();
  const { search } = useLocation();
  const isLoading = state === 'loading' && next.pathname === path;
  return (
    <div
      key={selectionOf(search)}
      className={cx('max-md:min-h-[75vh]', isLoading && 'opacity-60')}
      aria-busy={isLoading}
    >
      {children}
    </div>
  );
}
