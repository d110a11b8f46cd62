import { useEffect, useRef, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { findDiscount } from '#contract/goods-front.ts';
import { call } from '#web/lib/api.ts';

export type Discounts = Data<typeof findDiscount>;
export type Discount = Discounts['list'][number];

/** The order as it is put together, without its coupon. */
export interface DiscountWish {
  goodsSn: string;
  goodsNum: number;
  ensureId: number;
  fixEnsureId: number;
  /** The agreed price that the order goes by; 0 stands for none. */
  bargainId: number;
}

const REST_MS = 250;

/** What may be taken off the order as it stands; asked anew when it changes. A failure keeps the last answer. */
export function useDiscounts(
  wish: DiscountWish,
  first: Discounts | null,
): { list: readonly Discount[]; again: () => void } {
  const [answer, setAnswer] = useState(first);
  const [turn, setTurn] = useState(0);
  const { goodsSn, goodsNum, ensureId, fixEnsureId, bargainId } = wish;
  const key = JSON.stringify({ goodsSn, goodsNum, ensureId, fixEnsureId, bargainId, turn });
  const asked = useRef(key);
  useEffect(() => {
    if (key === asked.current) return;
    asked.current = key;
    const control = new AbortController();
    const timer = setTimeout(() => {
      const asks = { goodsSn, goodsNum, ensureId, fixEnsureId, bargainId: bargainId || undefined };
      call(findDiscount, asks, { quiet: true, signal: control.signal })
        .then(setAnswer)
        .catch(() => undefined);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, goodsSn, goodsNum, ensureId, fixEnsureId, bargainId]);
  return { list: answer?.list ?? [], again: () => setTurn((n) => n + 1) };
}
