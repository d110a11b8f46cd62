import { useEffect, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { codes } from '#contract/codes.ts';
import { balancePay, recPay } from '#subjects/payments/contract/pay.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';
import { returnable } from './parts/pay/method-note.ts';
import { leaveToPay, savePayment } from './parts/pay/saved-payment.ts';
import { useSavedPayment } from './parts/pay/use-saved-payment.ts';
import { usePayment } from './parts/pay/use-payment.ts';
import { useServerNow } from '#web/lib/format/use-server-now.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import type { PayChoice } from './pay-choice.ts';
import type { PayData } from './pay-loader.ts';

/** The message next to the button after a failed attempt. */
interface PayError {
  button?: string;
  low?: boolean;
}

interface PayRequest {
  choice: PayChoice;
  channelName: string;
}

/** Pays the page's order and polls a started payment. Success navigates to the next page. */
export function usePay({ order, now, base }: PayData) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const serverNow = useServerNow(now);
  const [isLow, setLow] = useState(false);
  const of = `order:${order.orderSn}`;
  const returnUrl = returnable(`${base}/pay?orderSn=${order.orderSn}`);
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

  const mutation = useMutation(
    ({ choice: { method, useBalance } }: PayRequest, options) =>
      method === 'balance'
        ? withStepUp('pay', async () => {
            await call(balancePay, { orderId: order.id }, options);
            return null;
          })
        : withStepUp(
            'pay',
            () =>
              call(
                recPay,
                {
                  orderId: order.id,
                  aliOrWx: method,
                  useBalance: useBalance ? 1 : 0,
                  payMode: DEFAULT_PAY_MODE,
                  returnUrl,
                },
                options,
              ),
            useBalance,
          ),
    {
      intent: ({ choice }) => `${choice.method === 'balance' ? 'balancePay' : 'recPay'}:${order.id}`,
      failed: async (failure) => {
        setLow(isError(failure, codes.BALANCE_LOW));
        // Paid or closed meanwhile, or the balance spent elsewhere: the loader redirects, or loads the current state.
        if (isError(failure, codes.ORDER_STATE, codes.BALANCE_LOW)) await revalidate();
      },
      done: async (payment, { channelName }) => {
        if (payment) leaveToPay(of, { payment, channelName });
        else await finish();
      },
    },
  );
  const pay = async (choice: PayChoice, channelName: string) => {
    setLow(false);
    await mutation.send({ choice, channelName });
  };
  const { busy } = mutation;
  const error: PayError = mutation.error === null ? {} : { button: mutation.error, low: isLow };

  return { busy, error, waiting: pending, watch, pay, drop, serverNow };
}
