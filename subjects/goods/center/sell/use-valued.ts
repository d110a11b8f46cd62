import { useEffect, useEffectEvent } from 'react';
import type { Typed } from './form-state.ts';
import type { SellData } from './sell-loader.ts';

/** Fills a form from a valuation; fields that are not part of the valuation stay unchanged. */
export function withValuation(base: Typed, valued: NonNullable<SellData['valued']>): Typed {
  return {
    ...base,
    details: { ...base.details, ...valued.details },
    areaId: valued.areaId === null ? base.areaId : String(valued.areaId),
    serverId: valued.areaId === null ? base.serverId : '',
    price: valued.price === null ? base.price : valued.price.replace(/\.00$/, ''),
  };
}

/** Applies a valuation to the form over an older draft, once: input made since then survives a reload. */
export function useValued(valued: SellData['valued'], change: (next: (before: Typed) => Typed) => void): void {
  const fill = useEffectEvent(() => {
    if (!valued) return;
    const key = `valued:${valued.sn}`;
    try {
      if (sessionStorage.getItem(key) !== null) return;
      sessionStorage.setItem(key, '1');
    } catch {
      // Without storage the form is filled at each visit.
    }
    change((before) => withValuation(before, valued));
  });
  useEffect(() => {
    // After the draft of an earlier visit was restored.
    const timer = setTimeout(fill, 0);
    return () => clearTimeout(timer);
  }, []);
}
