import { useState } from 'react';
import { useLocation } from 'react-router';
import { type GoodsCard, getGoodsList } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { listInput } from '#web/lib/lists/list-query.ts';
import type { ListData } from './list-loader.ts';

interface LoadedPages {
  items: readonly GoodsCard[];
  next: string | null;
}

/** Loaded pages of lists, by history entry, so that going back restores the exact position. */
const loadedByEntry = new Map<string, LoadedPages>();
const MAX_CACHED = 12;

function cacheList(key: string, value: LoadedPages): void {
  loadedByEntry.delete(key);
  loadedByEntry.set(key, value);
  const oldest = loadedByEntry.keys().next().value;
  if (loadedByEntry.size > MAX_CACHED && oldest !== undefined) loadedByEntry.delete(oldest);
}

/** The first page and all pages loaded after it, by cursor; stable while listings come and go. */
export function useGoodsPages(data: ListData): LoadedPages & { busy: boolean; more: () => Promise<void> } {
  const { key } = useLocation();
  const [state, setState] = useState<LoadedPages>(
    () => loadedByEntry.get(key) ?? { items: data.goods, next: data.next },
  );
  const { busy, send } = useMutation(
    (cursor: string) => call(getGoodsList, listInput(data.state, data.choices.fields, cursor), { quiet: true }),
    {
      toasts: true,
      done: (page) => {
        const loaded = new Set(state.items.map(({ goodsSn }) => goodsSn));
        const value = {
          items: [...state.items, ...page.list.filter(({ goodsSn }) => !loaded.has(goodsSn))],
          next: page.next,
        };
        cacheList(key, value);
        setState(value);
      },
    },
  );
  const more = async () => {
    if (state.next) await send(state.next);
  };
  return { ...state, busy, more };
}
