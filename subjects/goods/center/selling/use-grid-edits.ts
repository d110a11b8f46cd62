import { useEffect, useMemo, useRef, useState } from 'react';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import type { OwnGoods } from './goods-loader.ts';
import { type Draft, keepDraft, readDraft } from './grid-draft.ts';
import { type Cell, type Edits, original, typed, unsavedOf } from './grid-edits.ts';

/** The edits with their history, so that each can be undone until it is saved; they survive a reload of the tab. */
export function useGridEdits() {
  const isHydrated = useHydrated();
  const kept = useMemo(() => (isHydrated ? readDraft() : { edits: {}, origins: {} }), [isHydrated]);
  const [past, setPast] = useState<readonly Edits[]>([]);
  const [made, setMade] = useState<Draft | null>(null);
  const draft = made ?? kept;
  // A save may take long; edits made meanwhile stay.
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const set = (edits: Edits, origins: Edits = latest.current.origins) => {
    latest.current = { edits, origins };
    setMade(latest.current);
    keepDraft(latest.current);
  };
  return {
    ...draft,
    canUndo: past.length > 0,
    type: (goods: OwnGoods, cell: Cell, text: string) => {
      const { edits, origins } = latest.current;
      setPast([...past, edits]);
      const from = { ...origins[goods.goodsSn], [cell]: original(goods, cell) };
      set(typed(edits, goods, cell, text), { ...origins, [goods.goodsSn]: from });
    },
    undo: () => {
      set(past.at(-1) ?? {});
      setPast(past.slice(0, -1));
    },
    /** Discards all edits, or those of one listing. */
    reset: (goodsSn?: string) => {
      const { [goodsSn ?? '']: _, ...others } = latest.current.edits;
      setPast([]);
      set(goodsSn === undefined ? {} : others);
    },
    /**
     * Discards the saved edits of `sent`. A rejected row stays, with the current values of its listing as the
     * originals, so that the seller can save it again after reading the reason.
     */
    saved: (sent: Edits, failed: ReadonlyMap<string, Edits[string]>) => {
      const { edits, origins } = latest.current;
      const refused = [...failed].map(([goodsSn, now]) => [goodsSn, { ...origins[goodsSn], ...now }] as const);
      setPast([]);
      set(unsavedOf(edits, sent, new Set(failed.keys())), { ...origins, ...Object.fromEntries(refused) });
    },
  };
}
