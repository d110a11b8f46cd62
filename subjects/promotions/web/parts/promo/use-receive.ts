import { useState } from 'react';
import { codes } from '#contract/codes.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { call, isSessionLost, showFailure } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { failureMessage, isError } from '#web/lib/api/call-errors.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** Why a coupon could not be claimed, and whether real-name verification would resolve it. */
export interface ReceiveError {
  words: string;
  verify: boolean;
}

/** Claims coupons of campaigns by their codes, once each regardless of repeated clicks. `after` runs when one was claimed. */
export function useReceive(after: () => void): {
  busy: string | null;
  error: ReceiveError | null;
  receive: (code: string) => Promise<void>;
} {
  const [error, setError] = useState<ReceiveError | null>(null);
  const { pending, send } = useMutation(
    (code: string, options) => call(distributeUserCoupon, { act: 'receive', code }, options),
    {
      intent: (code) => `coupon:${code}`,
      failed: (failure) => {
        // This page has no input that leaving could lose.
        if (isSessionLost(failure)) showFailure(failure);
        else setError({ words: failureMessage(failure), verify: isError(failure, codes.REAL_NAME_REQUIRED) });
        return {};
      },
      done: () => {
        toast('领取成功，下单时可选用', 'ok');
        after();
      },
    },
  );
  const receive = async (code: string) => {
    setError(null);
    await send(code);
  };
  return { busy: pending, error, receive };
}
