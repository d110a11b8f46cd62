import { useEffect, useRef, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { findDiscount } from '#contract/goods-front.ts';

export type Discounts = Data<typeof findDiscount>;
export type Discount = Discounts['list'][number];

/** Typing a quantity asks once it rests, not for every digit. */
const REST_MS = 250;

/**
 * What may be taken off the order as it stands: `wish` names it, and `ask` asks the server anew when it changes. A failure keeps the
 * last answer.
 */
export function useDiscounts(
  wish: string,
  ask: (signal: AbortSignal) => Promise<Discounts>,
  first: Discounts | null,
): { list: readonly Discount[]; again: () => void } {
  const [answer, setAnswer] = useState(first);
  const [turn, setTurn] = useState(0);
  const key = `${wish} ${turn}`;
  const asked = useRef(key);
  const askRef = useRef(ask);
  useEffect(() => {
    askRef.current = ask;
  });
  useEffect(() => {
    if (key === asked.current) return;
    asked.current = key;
    const control = new AbortController();
    const timer = setTimeout(() => {
      askRef
        .current(control.signal)
        .then(setAnswer)
        .catch(() => undefined);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key]);
  return { list: answer?.list ?? [], again: () => setTurn((n) => n + 1) };
}
