import { useState } from 'react';
import { useLocation } from 'react-router';
import { type GoodsCard, getGoodsList } from '#contract/goods.ts';
import { call } from '#web/lib/api.ts';
import { listInput } from '#web/lib/list-query.ts';
import type { ListData } from './list-loader.ts';

interface Grown {
  items: readonly GoodsCard[];
  next: string | null;
}

/** Lists that were grown, by the history entry they stand on: going back finds the exact place again. */
const grown = new Map<string, Grown>();
const MAX_KEPT = 12;

function keep(key: string, value: Grown): void {
  grown.delete(key);
  grown.set(key, value);
  const oldest = grown.keys().next().value;
  if (grown.size > MAX_KEPT && oldest !== undefined) grown.delete(oldest);
}

/** The first page and whatever was asked for after it, by cursor; stable while goods come and go. */
export function useMore(data: ListData): Grown & { busy: boolean; more: () => Promise<void> } {
  const { key } = useLocation();
  const [state, setState] = useState<Grown>(() => grown.get(key) ?? { items: data.goods, next: data.next });
  const [busy, setBusy] = useState(false);
  const more = async () => {
    if (!state.next || busy) return;
    setBusy(true);
    try {
      const page = await call(getGoodsList, listInput(data.state, data.choices.fields, state.next));
      const known = new Set(state.items.map(({ goodsSn }) => goodsSn));
      const value = {
        items: [...state.items, ...page.list.filter(({ goodsSn }) => !known.has(goodsSn))],
        next: page.next,
      };
      keep(key, value);
      setState(value);
    } catch {
      // The helper has said so; the button stays and can be pressed again.
    } finally {
      setBusy(false);
    }
  };
  return { ...state, busy, more };
}
