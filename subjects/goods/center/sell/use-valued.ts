import { useEffect, useEffectEvent } from 'react';
import type { Typed } from './form-state.ts';
import type { SellData } from './sell-loader.ts';

/** A form filled from a valuation; what the valuation does not know stays. */
export function withValuation(base: Typed, valued: NonNullable<SellData['valued']>): Typed {
  return {
    ...base,
    details: { ...base.details, ...valued.details },
    areaId: valued.areaId === null ? base.areaId : String(valued.areaId),
    serverId: valued.areaId === null ? base.serverId : '',
    price: valued.price === null ? base.price : valued.price.replace(/\.00$/, ''),
  };
}

/** Puts a valuation into the form over an older draft, once: after a reload what was typed since stays. */
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
