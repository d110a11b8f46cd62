import { cookie } from '#web/lib/cookies.ts';
import { CELLS, type Edits } from './grid-edits.ts';

const NONE: Edits = {};

/** One place for each user of the tab, so that nobody is shown another's edits. */
const placeOf = (): string => `goodsGrid:${cookie('userId') ?? ''}`;

/** What is stored, read as edits; anything else is none. */
export function editsOf(stored: string | null): Edits {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    if (typeof value !== 'object' || value === null) return NONE;
    const rows = Object.entries(value as Record<string, Record<string, unknown> | null>).map(([goodsSn, row]) => {
      const cells = CELLS.flatMap((cell) => (typeof row?.[cell] === 'string' ? [[cell, row[cell]] as const] : []));
      return [goodsSn, Object.fromEntries(cells)] as const;
    });
    return Object.fromEntries(rows.filter(([, row]) => Object.keys(row).length > 0));
  } catch {
    return NONE;
  }
}

/** The edits that the tab keeps until they are saved. */
export function readEdits(): Edits {
  try {
    return editsOf(sessionStorage.getItem(placeOf()));
  } catch {
    return NONE;
  }
}

/** Keeps the edits for the tab, so that leaving the page or reloading it loses nothing. */
export function keepEdits(edits: Edits): void {
  try {
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(placeOf());
    else sessionStorage.setItem(placeOf(), JSON.stringify(edits));
  } catch {
    // Without storage the edits last as long as the page.
  }
}
