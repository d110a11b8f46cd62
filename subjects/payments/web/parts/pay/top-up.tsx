import { CircleCheck } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type payMethodShow, recPay } from '#subjects/payments/contract/pay.ts';
import type { Data } from '#contract/endpoint.ts';
import { useErrors } from '#web/lib/forms/use-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { methodNote, returnable } from './method-note.ts';
import { leaveToPay, savePayment } from './saved-payment.ts';
import { PayCode } from './pay-code.tsx';
import { quickLabel, topUpError } from './top-up-rules.ts';
import { useSavedPayment } from './use-saved-payment.ts';
import { usePayment } from './use-payment.ts';
import { useServerNow } from '#web/lib/format/use-server-now.ts';
import { grouped } from '#web/lib/format/format.ts';

export type PayMethods = Data<typeof payMethodShow>;

/** The specification's own text (product.md 8). */
const DONE = '充值成功,到账时间会有一定延迟,请耐心等待,如有疑问请及时联系客服';
const SAVED_KEY = 'topup';

interface Order {
  amount: string;
  aliOrWx: number;
}

function AmountForm({
  methods,
  first,
  busy,
  error,
  onSubmit,
}: {
  methods: PayMethods;
  first: string;
  busy: boolean;
  error: string | null;
  onSubmit: (order: Order) => void;
}) {
  const [amount, setAmount] = useState(first);
  const [aliOrWx, setAliOrWx] = useState(methods.list[0]?.aliOrWx ?? 1);
  const { form, errors, setErrors } = useErrors();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = topUpError(amount, methods);
    setErrors(wrong ? { amount: wrong } : {});
    if (!wrong) onSubmit({ amount: amount.trim(), aliOrWx });
  };
  if (methods.list.length === 0) return <p className="p-4 text-13 text-ink-2">充值暂未开放，请联系客服。</p>;
  return (
    <form ref={form} className="grid gap-4 p-4" onSubmit={submit}>
      <Field
        label="充值金额"
        required
        error={errors.amount}
        help={`单位元，最多两位小数；单笔 ${grouped(methods.minimum)} 至 ${grouped(methods.maximum)} 元。`}
      >
        {(control, onEdit) => (
          <>
            <div className="grid grid-cols-3 gap-2 sm:grid-cols-5" role="group" aria-label="常用金额">
              {methods.quickAmounts.map((quick) => {
                const label = quickLabel(quick);
                return (
                  <Button
                    key={quick}
                    kind={amount === label ? 'tonal' : 'plain'}
                    aria-pressed={amount === label}
                    onClick={() => {
                      setAmount(label);
                      onEdit();
                    }}
                  >
                    {grouped(label)} 元
                  </Button>
                );
              })}
            </div>
            <Input
              {...control}
              // The payment now has the amount: the page continues to the channel without asking.
              data-kept={busy}
              inputMode="decimal"
              autoComplete="off"
              placeholder="其他金额"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
            />
          </>
        )}
      </Field>
      <fieldset className="field">
        <legend>支付方式</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {methods.list.map((method) => (
            <Radio
              key={method.aliOrWx}
              name="aliOrWx"
              checked={aliOrWx === method.aliOrWx}
              onChange={() => setAliOrWx(method.aliOrWx)}
            >
              {method.name}
              <small className="ml-1.5 text-12 text-ink-3">{methodNote(method)}</small>
            </Radio>
          ))}
        </div>
      </fieldset>
      <FormError>{error}</FormError>
      <Button type="submit" kind="primary" size="lg" busy={busy} className="w-full sm:w-auto sm:justify-self-start">
        去支付
      </Button>
    </form>
  );
}

/**
 * Top-up: amount, method, code, and the success message, which appears automatically. `onDone` is called once the money has been received;
 * `after` is the next step offered by the success message.
 */
export function TopUp({
  methods,
  now,
  back,
  amount = '',
  after,
  onDone,
  className,
}: {
  methods: PayMethods;
  /** The server's time of the page. */
  now: string;
  /** This page's own URL, to return to from the channel. */
  back: string;
  /** The amount to begin with, in yuan. */
  amount?: string;
  after?: ReactNode;
  onDone?: () => void;
  className?: string;
}) {
  const { revalidate } = useRevalidator();
  const serverNow = useServerNow(now);
  const pendingPayment = useSavedPayment(SAVED_KEY, now);
  const [done, setDone] = useState(false);
  // The payment to replace: the server closes it first, so that the same top-up is not paid twice.
  const [instead, setInstead] = useState<string>();
  const giveUp = () => {
    setInstead(pendingPayment?.payment.payRand);
    savePayment(SAVED_KEY, null);
  };

  const watch = usePayment(pendingPayment?.payment ?? null, () => {
    savePayment(SAVED_KEY, null);
    setInstead(undefined);
    toast(DONE, 'ok');
    setDone(true);
    void revalidate();
    onDone?.();
  });

  const { busy, error, send } = useMutation(recPay, {
    intent: SAVED_KEY,
    done: (payment, { aliOrWx }) =>
      leaveToPay(SAVED_KEY, {
        payment,
        channelName: methods.list.find((method) => method.aliOrWx === aliOrWx)?.name ?? '',
      }),
  });
  const create = (order: Order) =>
    send({ ...order, payMode: methods.defaultPayMode, returnUrl: returnable(back), instead });

  if (done) {
    return (
      <div className={cx('grid justify-items-center gap-3 px-4 py-8 text-center', className)} role="status">
        <CircleCheck className="icon size-12 text-safe" strokeWidth={1.25} aria-hidden="true" />
        <p className="max-w-90 text-14">{DONE}</p>
        <div className="flex flex-wrap justify-center gap-2">
          {after}
          <Button onClick={() => setDone(false)}>继续充值</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={className}>
      {pendingPayment ? (
        <PayCode
          key={pendingPayment.payment.payRand}
          payment={pendingPayment.payment}
          state={watch.state}
          looking={watch.looking}
          serverNow={serverNow}
          back={back}
          channelName={pendingPayment.channelName}
          onRecheck={watch.recheck}
          onAgain={giveUp}
        />
      ) : (
        <AmountForm
          methods={methods}
          first={amount}
          busy={busy}
          error={error}
          onSubmit={(order) => void create(order)}
        />
      )}
    </div>
  );
}
