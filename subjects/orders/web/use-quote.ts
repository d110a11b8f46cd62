import { useEffect, useRef, useState } from 'react';
import { quoteOrder } from '#subjects/orders/contract/order.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import type { Attempt } from '#web/lib/api/attempt.ts';
import { asFailure } from '#web/lib/api/call-errors.ts';

export type Quote = Data<typeof quoteOrder>;

/** The quoted selection: listing, quantity, guarantees, coupon, and agreed price; 0 means none. */
export interface QuoteInput {
  goodsSn: string;
  goodsNum: number;
  ensureId: number;
  fixEnsureId: number;
  couponId: number;
  bargainId: number;
}

/** Delay after the last change before a quote is requested. */
const DEBOUNCE_MS = 250;

/**
 * The server's quote for the current input. Every change requests a new one; the last quote stays visible meanwhile, marked `stale`, and no
 * order can be placed on it. `again` requests once more and returns the new quote; `retry` does so after an error, which it clears.
 */
export function useQuote(
  input: QuoteInput,
  first: Attempt<Quote>,
): {
  quote: Quote | null;
  stale: boolean;
  error: { code: number; msg: string } | null;
  again: () => Promise<Quote | null>;
  retry: () => void;
} {
  const [quote, setQuote] = useState<Quote | null>(first.ok ? first.data : null);
  const [error, setError] = useState<{ code: number; msg: string } | null>(first.ok ? null : first);
  const [stale, setStale] = useState(false);
  const { goodsSn, goodsNum, ensureId, fixEnsureId, couponId, bargainId } = input;
  const key = JSON.stringify([goodsSn, goodsNum, ensureId, fixEnsureId, couponId, bargainId]);
  const requestedKey = useRef(key);
  const latest = useRef<AbortController | null>(null);

  const request = async (): Promise<Quote | null> => {
    latest.current?.abort();
    const control = new AbortController();
    latest.current = control;
    try {
      const result = await call(
        quoteOrder,
        {
          goodsSn,
          goodsNum,
          ensureId,
          fixEnsureId,
          couponId: couponId || undefined,
          bargainId: bargainId || undefined,
        },
        { quiet: true, signal: control.signal },
      );
      setQuote(result);
      setError(null);
      setStale(false);
      return result;
    } catch (thrown) {
      if (control.signal.aborted) return null;
      const failure = asFailure(thrown);
      setError({ code: failure.code, msg: failure.msg });
      return null;
    }
  };
  const requestRef = useRef(request);
  useEffect(() => {
    requestRef.current = request;
  });

  useEffect(() => {
    if (key === requestedKey.current) return;
    requestedKey.current = key;
    setStale(true);
    const timer = setTimeout(() => void requestRef.current(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key]);

  const retry = () => {
    setError(null);
    setStale(true);
    void request();
  };
  return { quote, stale, error, again: request, retry };
}
