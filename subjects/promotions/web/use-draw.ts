import { useEffect, useRef, useState } from 'react';
import { codes } from '#contract/codes.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import type { Data } from '#contract/endpoint.ts';
import { isSessionLost, showFailure } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { failureMessage, isError } from '#web/lib/api/call-errors.ts';
import type { ReceiveError } from './parts/promo/use-receive.ts';
import { stepsTo } from './draw.ts';

const INTENT = 'lottery';

export type Drawn = Data<typeof distributeUserCoupon>;

const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * One draw: the server decides first, then the light runs to the result. With reduced motion the result appears immediately. After a lost
 * response the idempotency key is kept, so a retry shows the same draw instead of using another.
 */
export function useDraw(ring: readonly { prizeIndex: number }[]): {
  busy: boolean;
  at: number | null;
  drawn: Drawn | null;
  error: ReceiveError | null;
  draw: () => Promise<void>;
} {
  const [at, setAt] = useState<number | null>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [error, setError] = useState<ReceiveError | null>(null);
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);

  const animateTo = async (index: number) => {
    const steps = stepsTo(ring, index, at ?? 0);
    if (prefersReducedMotion()) return setAt(steps.at(-1)?.[0] ?? null);
    for (const [position, ms] of steps) {
      if (isUnmounted.current) return;
      setAt(position);
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  };

  const { busy, send } = useMutation(distributeUserCoupon, {
    intent: INTENT,
    revalidates: true,
    failed: (failure) => {
      // The page has no fields, so going to the log-in page loses nothing.
      if (isSessionLost(failure)) showFailure(failure);
      else setError({ words: failureMessage(failure), verify: isError(failure, codes.REAL_NAME_REQUIRED) });
      return {};
    },
    done: async (result) => {
      await animateTo(result.prizeIndex ?? -1);
      setDrawn(result);
    },
  });
  const draw = async () => {
    setError(null);
    setDrawn(null);
    await send({ act: 'draw' });
  };
  return { busy, at, drawn, error, draw };
}
