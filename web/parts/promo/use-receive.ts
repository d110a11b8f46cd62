import { useState } from 'react';
import { codes } from '#contract/codes.ts';
import { distributeUserCoupon } from '#contract/coupon.ts';
import { call, isSessionLost, newIdempotencyKey, showFailure } from '#web/lib/api.ts';
import { asFailure, failureMessage, isError } from '#web/lib/call-errors.ts';
import { intentDone, intentKey, isOutcomeOpen } from '#web/lib/intent-key.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Why a coupon was not received, and whether the way on is the real-name check. */
export interface ReceiveError {
  words: string;
  verify: boolean;
}

/** Receives coupons of campaigns by their codes, once each however often it is pressed. `after` runs when one has come. */
export function useReceive(after: () => void): {
  busy: string | null;
  error: ReceiveError | null;
  receive: (code: string) => Promise<void>;
} {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<ReceiveError | null>(null);
  const receive = async (code: string) => {
    const intent = `coupon:${code}`;
    const body = { act: 'receive' as const, code };
    setBusy(code);
    setError(null);
    try {
      const idempotencyKey = intentKey(intent, body, newIdempotencyKey);
      await call(distributeUserCoupon, body, { idempotencyKey, quiet: true });
      intentDone(intent);
      toast('领取成功，下单时可选用', 'ok');
      after();
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!isOutcomeOpen(failure)) intentDone(intent);
      // Nothing is typed here that leaving could lose.
      if (isSessionLost(failure)) return showFailure(failure);
      setError({ words: failureMessage(failure), verify: isError(failure, codes.REAL_NAME_REQUIRED) });
    } finally {
      setBusy(null);
    }
  };
  return { busy, error, receive };
}
