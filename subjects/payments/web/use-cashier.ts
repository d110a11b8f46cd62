import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openPayment, payCashier } from '#subjects/payments/contract/cashier.ts';
import { PaymentStatus } from '#contract/rules/statuses.ts';
import { call } from '#web/lib/api/api.ts';
import { poll } from '#web/lib/api/poll.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { wechatDialog } from '#web/lib/browser/wechat-bridge.ts';
import { isMadeHere } from './parts/pay/saved-payment.ts';
import type { CashierData } from './cashier-loader.ts';

/** opening = not opened yet; asked = the channel is open; confirming = WeChat reports a payment; tired = no answer for a long time. */
type Stage = 'opening' | 'asked' | 'confirming' | 'cancelled' | 'failed' | 'timedOut';

export interface CashierState {
  status: number;
  stage: Stage;
  isExpired: boolean;
  busy: boolean;
  error: string | null;
  open: () => void;
  recheck: () => void;
  expire: () => void;
}

const OPENED = 'cashier:';
const subscribeNever = () => () => {};
/** Long enough to read that it was paid. */
const RETURN_MS = 1_500;

/** Whether this tab has opened the payment before: returning with the back button does not open it again. */
function isOpened(payRand: string): boolean {
  try {
    return sessionStorage.getItem(OPENED + payRand) !== null;
  } catch {
    return false;
  }
}

function rememberOpened(payRand: string): void {
  try {
    sessionStorage.setItem(OPENED + payRand, '1');
  } catch {
    // Without storage it opens each time.
  }
}

/** Whether the channel can be opened from here at all. */
const opensHere = ({ mustLeave, way, place }: CashierData['payment']): boolean =>
  !mustLeave && way !== 'qr' && (way === 'jsapi' ? place === 'wechat' : place !== 'desktop');

/** Polls the payment's state, and checks again when the page returns to the foreground. */
function useStatus({ payment }: CashierData, onTired: () => void) {
  const [status, setStatus] = useState(payment.status);
  const [round, setRound] = useState(0);
  const { payRand, backUrl } = payment;
  const tired = useRef(onTired);
  useEffect(() => {
    tired.current = onTired;
  });
  useEffect(() => {
    if (status !== PaymentStatus.Pending) return;
    const request = () => call(payCashier, { payRand }, { quiet: true });
    const isEnd = (seen: { status: number }): boolean => {
      setStatus(seen.status);
      return seen.status !== PaymentStatus.Pending;
    };
    const stop = poll({ request, isEnd, onGiveUp: () => tired.current() });
    const onShow = () => {
      if (document.visibilityState === 'visible') request().then(isEnd, () => {});
    };
    document.addEventListener('visibilitychange', onShow);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onShow);
    };
  }, [payRand, status, round]);
  useEffect(() => {
    if (status !== PaymentStatus.Paid || !isMadeHere(payRand)) return;
    const timer = setTimeout(() => window.location.assign(backUrl), RETURN_MS);
    return () => clearTimeout(timer);
  }, [status, payRand, backUrl]);
  const recheck = useCallback(() => {
    call(payCashier, { payRand }).then(
      (seen) => {
        setStatus(seen.status);
        setRound((n) => n + 1);
      },
      () => {},
    );
  }, [payRand]);
  return { status, recheck };
}

/** The cashier's page: opens the channel once automatically, and shows the outcome of the payment. */
export function useCashier(data: CashierData): CashierState {
  const { payment, isPayerUnknown } = data;
  const [stage, setStage] = useState<Stage>(isPayerUnknown ? 'failed' : 'opening');
  const [isExpired, setExpired] = useState(false);
  const expire = useCallback(() => setExpired(true), []);
  const { status, recheck } = useStatus(data, () => setStage('timedOut'));

  const { busy, error, send } = useMutation(openPayment, {
    done: async ({ jumpUrl, jsapi, payerUrl }) => {
      if (payerUrl !== null) {
        window.location.replace(payerUrl);
        return true;
      }
      rememberOpened(payment.payRand);
      if (jumpUrl !== null) {
        setStage('asked');
        window.location.assign(jumpUrl);
      } else if (jsapi !== null) {
        setStage('asked');
        const end = await wechatDialog('getBrandWCPayRequest', jsapi);
        setStage(end === 'ok' ? 'confirming' : end === 'cancel' ? 'cancelled' : 'failed');
        recheck();
      }
      return false;
    },
    failed: () => recheck(),
  });
  const open = () => void send({ payRand: payment.payRand });

  const wasOpened = useSyncExternalStore(
    subscribeNever,
    () => isOpened(payment.payRand),
    () => false,
  );
  const started = useRef(false);
  useEffect(() => {
    if (started.current || payment.status !== PaymentStatus.Pending || isPayerUnknown || !opensHere(payment)) return;
    started.current = true;
    if (!isOpened(payment.payRand)) void send({ payRand: payment.payRand });
  }, [payment, isPayerUnknown, send]);

  return {
    status,
    stage: stage === 'opening' && wasOpened ? 'asked' : stage,
    isExpired,
    busy,
    error,
    open,
    recheck,
    expire,
  };
}
