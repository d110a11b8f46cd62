import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { listCounts, saveListColumns } from '#subjects/back-office/contract/lists.ts';
import type { AnyList, Column } from '#contract/lists/kit.ts';
import type { ListName } from '#contract/lists/names.ts';
import { call } from '#web/lib/api/api.ts';
import type { ListData } from './list-loader.ts';
import { between, changed, columnsOf, type Query } from './state.ts';

/** How often a page polls for new rows. */
const ASK_MS = 30_000;
const MAX_SHOWN_COUNT = 99;

/** The list's URL: filters, order, columns, view and open row, each changed in place. */
export function useListAddress<Item>(list: AnyList<Item>, remembered: readonly string[] | null) {
  const [search, setSearch] = useSearchParams();
  const [chosen, setChosen] = useState(remembered);
  const apply = useCallback(
    (changes: Readonly<Record<string, string | null>>, replace = false) =>
      setSearch((now) => changed(now, changes), { replace, preventScrollReset: true }),
    [setSearch],
  );
  const columns: readonly Column<Item>[] = columnsOf(list.columns, search.get('cols'), chosen);
  const setColumns = (keys: readonly string[]) => {
    setChosen(keys);
    apply({ cols: null }, true);
    // A selection that could not be stored still applies to this page.
    call(saveListColumns, { list: list.name, columns: [...keys] }, { quiet: true }).catch(() => {});
  };
  const viewId = Number(search.get('view')) || null;
  return { apply, columns, setColumns, viewId, open: search.get('open'), sort: search.get('sort') ?? list.initialSort };
}

/** The selected rows, and the row at which a range starts. */
export function useChoice(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const choose = (id: string, withShift: boolean) => {
    const range = withShift && last.current !== null ? between(ids, last.current, id) : [id];
    const isOff = !withShift && chosen.has(id);
    last.current = id;
    setChosen((now) => {
      const next = new Set(now);
      for (const one of range) {
        if (isOff) next.delete(one);
        else next.add(one);
      }
      return next;
    });
  };
  const chooseAll = () => setChosen(ids.every((id) => chosen.has(id)) ? new Set() : new Set(ids));
  const clear = () => setChosen(new Set());
  /** Selects exactly these rows, whether they are on the page or not. */
  const chooseThese = (keys: readonly string[]) => setChosen(new Set(keys));
  return { chosen, choose, chooseAll, chooseThese, clear };
}

export type ViewCounts = Readonly<Record<string, { total: number; totalCapped: boolean }>>;

/** The number of rows of each view, by its query; loaded after the page, and again with its rows. */
export function useViewCounts(list: ListName, queries: readonly string[], of: unknown): ViewCounts {
  const [counts, setCounts] = useState<ViewCounts>({});
  const key = JSON.stringify(queries);
  useEffect(() => {
    const stop = new AbortController();
    const requested = JSON.parse(key) as string[];
    call(listCounts, { list, queries: requested }, { quiet: true, signal: stop.signal })
      .then((data) => {
        if (stop.signal.aborted) return;
        setCounts(
          Object.fromEntries(requested.flatMap((query, i) => (data.counts[i] ? [[query, data.counts[i]]] : []))),
        );
      })
      // Tabs work without their counts.
      .catch(() => {});
    return () => stop.abort();
  }, [list, key, of]);
  return counts;
}

/** Rows are counted after a pause in typing of this length. */
const COUNT_WAIT_MS = 250;

/** The number of rows of a query, for the button that applies it; null while unknown. */
export function useRowCount(list: ListName, query: string | null): { total: number; totalCapped: boolean } | null {
  const [count, setCount] = useState<{ of: string; value: { total: number; totalCapped: boolean } | null } | null>(
    null,
  );
  useEffect(() => {
    if (query === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call(listCounts, { list, queries: [query] }, { quiet: true, signal: stop.signal })
        .then(({ counts }) => !stop.signal.aborted && setCount({ of: query, value: counts[0] ?? null }))
        // The button works without its count.
        .catch(() => {});
    }, COUNT_WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [list, query]);
  return count?.of === query ? count.value : null;
}

/**
 * The number of new rows since the page was loaded; they are shown only after a click on a button, so that no row
 * shifts.
 */
export function useNewRows<Item>(
  first: ListData<Item>,
  query: Query,
  load: (query: Readonly<Record<string, string | number>>) => Promise<ListData<Item>>,
): string | null {
  const [count, setCount] = useState<{ of: ListData<Item>; text: string } | null>(null);
  const latest = useRef({ first, query, load });
  useEffect(() => {
    latest.current = { first, query, load };
  });
  useEffect(() => {
    const ask = () => {
      if (document.hidden) return;
      const { first: of, query: requested, load: read } = latest.current;
      read({ ...requested, newerThan: of.now, pageSize: 1 })
        .then(
          ({ total }) =>
            total > 0 && setCount({ of, text: total > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : String(total) }),
        )
        // The next poll follows anyway.
        .catch(() => {});
    };
    const timer = setInterval(ask, ASK_MS);
    return () => clearInterval(timer);
  }, []);
  return count?.of === first ? count.text : null;
}
