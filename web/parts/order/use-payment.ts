import { useCallback, useEffect, useRef, useState } from 'react';
import { queryPayStatus, type recPay } from '#contract/pay.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api.ts';
import { poll } from './poll.ts';

/** A payment that waits at a channel. */
export type Payment = Data<typeof recPay>;

/** waiting at the channel; tired = no longer looking by itself; paid; closed = failed, expired or too late. */
export type PaymentState = 'waiting' | 'tired' | 'paid' | 'closed';

/** Numbers of contract/pay.ts, queryPayStatus. */
const PAID = 1;
const WAITING = 0;

/**
 * Watches a payment: looks every 5 s, at most 60 times (product.md 4), once more when the screen comes back to the front
 * and when asked by `look`. `onPaid` is called once.
 */
export function usePayment(
  payment: Payment | null,
  onPaid: () => void,
): { state: PaymentState; looking: boolean; look: () => void } {
  const payRand = payment?.payRand ?? null;
  const [seen, setSeen] = useState<{ rand: string; state: PaymentState } | null>(null);
  const state = seen && seen.rand === payRand ? seen.state : 'waiting';
  const [round, setRound] = useState(0);
  const [looking, setLooking] = useState(false);
  const told = useRef<string | null>(null);
  const paidRef = useRef(onPaid);
  useEffect(() => {
    paidRef.current = onPaid;
  });

  const settle = useCallback((rand: string, status: number): boolean => {
    if (status === WAITING) return false;
    setSeen({ rand, state: status === PAID ? 'paid' : 'closed' });
    if (status === PAID && told.current !== rand) {
      told.current = rand;
      paidRef.current();
    }
    return true;
  }, []);

  useEffect(() => {
    if (!payRand) return;
    const ask = () => call(queryPayStatus, { payRand }, { quiet: true });
    const stop = poll({
      ask,
      isEnd: ({ status }) => settle(payRand, status),
      onGiveUp: () => setSeen({ rand: payRand, state: 'tired' }),
    });
    const onShow = () => {
      if (document.visibilityState !== 'visible') return;
      ask().then(
        ({ status }) => void (settle(payRand, status) && stop()),
        () => {},
      );
    };
    document.addEventListener('visibilitychange', onShow);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onShow);
    };
  }, [payRand, round, settle]);

  const look = () => {
    if (!payRand || looking) return;
    setLooking(true);
    call(queryPayStatus, { payRand })
      .then(
        ({ status }) => {
          if (settle(payRand, status)) return;
          setSeen(null);
          setRound((n) => n + 1);
        },
        () => {},
      )
      .finally(() => setLooking(false));
  };
  return { state, looking, look };
}
