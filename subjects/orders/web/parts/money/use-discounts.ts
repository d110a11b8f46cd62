import { useEffect, useRef, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { findDiscount } from '#subjects/orders/contract/discount.ts';

export type Discounts = Data<typeof findDiscount>;
export type Discount = Discounts['list'][number];

/**
 * The coupon that saves most on this order, 0 without one: the list is sorted by what each saves. A coupon for guarantees needs one to be
 * chosen.
 */
export function bestCoupon(
  list: readonly Pick<Discount, 'couponId' | 'usable' | 'kind'>[],
  isGuaranteed: boolean,
): number {
  return (
    list.find(({ couponId, usable, kind }) => couponId !== null && usable && (kind !== 'guarantee' || isGuaranteed))
      ?.couponId ?? 0
  );
}

/** Changes of the quantity are debounced by this time. */
const REST_MS = 250;

/**
 * The discounts available for the order in its current form: `load` requests them again when `intent`, a text that
 * identifies the order, changes, and after the page's data was loaded anew (`first`). A failure keeps the last result.
 */
export function useDiscounts(
  intent: string,
  load: (signal: AbortSignal) => Promise<Discounts>,
  first: Discounts | null,
): { list: readonly Discount[]; again: () => void } {
  const [discounts, setDiscounts] = useState(first);
  const [turn, setTurn] = useState(0);
  const [loaded, setLoaded] = useState(first);
  if (loaded !== first) {
    setLoaded(first);
    setTurn(turn + 1);
  }
  const key = `${intent} ${turn}`;
  const requested = useRef(key);
  const loadRef = useRef(load);
  useEffect(() => {
    loadRef.current = load;
  });
  useEffect(() => {
    if (key === requested.current) return;
    requested.current = key;
    const control = new AbortController();
    const timer = setTimeout(() => {
      loadRef
        .current(control.signal)
        .then(setDiscounts)
        .catch(() => undefined);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key]);
  return { list: discounts?.list ?? [], again: () => setTurn((n) => n + 1) };
}
