import { cookie } from '#web/lib/cookies.ts';
import { CELLS, type Edits } from './grid-edits.ts';

/** What was typed, and what each of these cells had before. */
export interface Draft {
  edits: Edits;
  origins: Edits;
}

const NONE: Draft = { edits: {}, origins: {} };

/** One place for each user of the tab, so that nobody is shown another's edits; none for a user who is not known. */
function placeOf(): string | null {
  const userId = cookie('userId');
  return userId ? `goodsGrid:${userId}` : null;
}

function editsIn(value: unknown): Edits {
  if (typeof value !== 'object' || value === null) return {};
  const rows = Object.entries(value as Record<string, Record<string, unknown> | null>).map(([goodsSn, row]) => {
    const cells = CELLS.flatMap((cell) => (typeof row?.[cell] === 'string' ? [[cell, row[cell]] as const] : []));
    return [goodsSn, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(rows.filter(([, row]) => Object.keys(row).length > 0));
}

/** What is stored, read as a draft; anything else is none. */
export function draftOf(stored: string | null): Draft {
  try {
    const value = JSON.parse(stored ?? '{}') as { edits?: unknown; origins?: unknown } | null;
    return { edits: editsIn(value?.edits), origins: editsIn(value?.origins) };
  } catch {
    return NONE;
  }
}

/** The draft that the tab keeps until it is saved. */
export function readDraft(): Draft {
  try {
    const place = placeOf();
    return place === null ? NONE : draftOf(sessionStorage.getItem(place));
  } catch {
    return NONE;
  }
}

/** Keeps a draft for the tab, so that leaving the page or reloading it loses nothing. */
export function keepDraft({ edits, origins }: Draft): void {
  try {
    const place = placeOf();
    if (place === null) return;
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify({ edits, origins }));
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}
