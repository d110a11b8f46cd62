import { cookie } from '#web/lib/session/cookies.ts';
import { CELLS, type Edits } from './grid-edits.ts';

/** The edited values, and the original value of each edited cell. */
export interface Draft {
  edits: Edits;
  origins: Edits;
}

const NONE: Draft = { edits: {}, origins: {} };

/** One storage key per user of the tab, so that no user sees another's edits; none for an unknown user. */
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

/** Parses the stored draft; undefined when invalid. */
export function draftOf(stored: string | null): Draft {
  try {
    const value = JSON.parse(stored ?? '{}') as { edits?: unknown; origins?: unknown } | null;
    return { edits: editsIn(value?.edits), origins: editsIn(value?.origins) };
  } catch {
    return NONE;
  }
}

/** The draft stored for this tab until it is saved. */
export function readDraft(): Draft {
  try {
    const place = placeOf();
    return place === null ? NONE : draftOf(sessionStorage.getItem(place));
  } catch {
    return NONE;
  }
}

/** Stores a draft for this tab, so that leaving or reloading the page loses nothing. */
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
