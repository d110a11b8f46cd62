import { useEffect, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { codes } from '#contract/codes.ts';
import { balancePay, recPay } from '#contract/pay.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { asFailure, failureMessage, isError } from '#web/lib/call-errors.ts';
import { intentDone, intentKey, isOutcomeOpen } from '#web/lib/intent-key.ts';
import { savePayment } from '#web/parts/order/saved-payment.ts';
import { useSavedPayment } from '#web/parts/order/use-saved-payment.ts';
import { usePayment } from '#web/parts/order/use-payment.ts';
import { useServerNow } from '#web/lib/use-server-now.ts';
import { withStepUp } from '#web/lib/step-up.ts';
import type { PayChoice } from './pay-choice.ts';
import type { PayData } from './pay-loader.ts';

/** The message beside the button after a failed attempt. */
interface PayError {
  button?: string;
  low?: boolean;
}

function errorOf(thrown: unknown): PayError {
  const failure = asFailure(thrown);
  const message = failureMessage(failure);
  return { button: message, low: isError(failure, codes.BALANCE_LOW) };
}

/** Pays the page's order and polls a started payment. Success navigates to the next page. */
export function usePay({ order, now, base }: PayData) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const serverNow = useServerNow(now);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<PayError>({});
  const of = `order:${order.orderSn}`;
  const pending = useSavedPayment(of, now);

  const finish = async () => {
    await navigate(`${base}/success?orderSn=${order.orderSn}`, { replace: true });
    savePayment(of, null);
  };
  const watch = usePayment(pending?.payment ?? null, () => void finish());

  // Closed or expired: the order may have changed as well, and the page must show it.
  const ended = watch.state === 'closed' || watch.state === 'late';
  useEffect(() => {
    if (ended) void revalidate();
  }, [ended, revalidate]);

  const drop = () => {
    savePayment(of, null);
    void revalidate();
  };

  const payBalance = async () => {
    const intent = `balancePay:${order.id}`;
    const key = intentKey(intent, { orderId: order.id }, newIdempotencyKey);
    try {
      const send = () => call(balancePay, { orderId: order.id }, { idempotencyKey: key, quiet: true });
      await withStepUp('pay', send);
      intentDone(intent);
      await finish();
    } catch (thrown) {
      if (!isOutcomeOpen(asFailure(thrown))) intentDone(intent);
      throw thrown;
    }
  };

  const payChannel = async (choice: PayChoice, aliOrWx: number, channelName: string) => {
    const body = { orderId: order.id, aliOrWx, useBalance: choice.useBalance ? 1 : 0, payMode: 15 };
    const intent = `recPay:${order.id}`;
    const key = intentKey(intent, body, newIdempotencyKey);
    try {
      const payment = await withStepUp(
        'pay',
        () => call(recPay, body, { idempotencyKey: key, quiet: true }),
        choice.useBalance,
      );
      savePayment(of, { payment, channelName });
      intentDone(intent);
    } catch (thrown) {
      if (!isOutcomeOpen(asFailure(thrown))) intentDone(intent);
      throw thrown;
    }
  };

  const pay = async (choice: PayChoice, channelName: string) => {
    setBusy(true);
    setError({});
    try {
      if (choice.method === 'balance') await payBalance();
      else await payChannel(choice, choice.method, channelName);
    } catch (thrown) {
      setError(errorOf(thrown));
      // Paid or closed meanwhile, or the balance spent elsewhere: the loader redirects, or loads the current state.
      if (isError(asFailure(thrown), codes.ORDER_STATE, codes.BALANCE_LOW)) await revalidate();
    } finally {
      setBusy(false);
    }
  };

  return { busy, error, waiting: pending, watch, pay, drop, serverNow };
}
