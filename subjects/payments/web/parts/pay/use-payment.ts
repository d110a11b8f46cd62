import { PaymentStatus } from '#contract/rules/statuses.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryPayStatus, type recPay } from '#subjects/payments/contract/pay.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { poll } from '#web/lib/api/poll.ts';

/** A payment that waits at a channel. */
export type Payment = Data<typeof recPay>;

/**
 * waiting at the channel; tired = automatic polling has stopped; paid; closed = failed or expired; late = paid for a
 * closed order.
 */
export type PaymentState = 'waiting' | 'timedOut' | 'paid' | 'closed' | 'late';

const ENDS: Readonly<Record<number, PaymentState>> = {
  [PaymentStatus.Paid]: 'paid',
  [PaymentStatus.Closed]: 'closed',
  [PaymentStatus.PaidLate]: 'late',
} satisfies Record<Exclude<PaymentStatus, typeof PaymentStatus.Pending>, PaymentState>;

/**
 * Polls a payment every 5 s, at most 60 times (product.md 4), and once more when the screen returns to the foreground
 * and when `recheck` is called. `onPaid` is called once.
 */
export function usePayment(
  payment: Payment | null,
  onPaid: () => void,
): { state: PaymentState; looking: boolean; recheck: () => void } {
  const payRand = payment?.payRand ?? null;
  const [seen, setSeen] = useState<{ rand: string; state: PaymentState } | null>(null);
  const state = seen && seen.rand === payRand ? seen.state : 'waiting';
  const [round, setRound] = useState(0);
  const [looking, setLooking] = useState(false);
  const reported = useRef<string | null>(null);
  const paidRef = useRef(onPaid);
  useEffect(() => {
    paidRef.current = onPaid;
  });

  const settle = useCallback((rand: string, status: number): boolean => {
    if (status === PaymentStatus.Pending) return false;
    const end = ENDS[status] ?? 'closed';
    setSeen({ rand, state: end });
    if (end === 'paid' && reported.current !== rand) {
      reported.current = rand;
      paidRef.current();
    }
    return true;
  }, []);

  useEffect(() => {
    if (!payRand) return;
    const request = () => call(queryPayStatus, { payRand }, { quiet: true });
    const stop = poll({
      request,
      isEnd: ({ status }) => settle(payRand, status),
      onGiveUp: () => setSeen({ rand: payRand, state: 'timedOut' }),
    });
    const onShow = () => {
      if (document.visibilityState !== 'visible') return;
      request().then(
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

  const recheck = () => {
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
  return { state, looking, recheck };
}
