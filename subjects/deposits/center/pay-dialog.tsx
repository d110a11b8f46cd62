import { type FormEvent, type RefObject, useState } from 'react';
import { useRevalidator } from 'react-router';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositPath } from '#web/lib/pages/paths.ts';
import { call } from '#web/lib/api/api.ts';
import type { Input } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { methodNote } from '#subjects/payments/web/parts/pay/method-note.ts';
import { PayCode } from '#subjects/payments/web/parts/pay/pay-code.tsx';
import { type Payment, usePayment } from '#subjects/payments/web/parts/pay/use-payment.ts';
import { useServerNow } from '#web/lib/format/use-server-now.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Radio } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { DepositData, Level, RoleDeposit } from './deposit-loader.ts';

/** A channel payment reaches the deposit through the balance, by an event; the page reloads once it has been processed. */
const SETTLED_MS = 1200;

/** 0 = the balance, else the channel's number. */
type Method = number;

interface Form {
  method: Method;
  setMethod: (method: Method) => void;
  busy: boolean;
  ref: RefObject<HTMLFormElement | null>;
  error: Message | undefined;
}

/** The amount due and the payment methods. */
function Choice({
  deposit,
  level,
  data,
  form: { ref, method, setMethod, busy, error },
  onSubmit,
}: {
  deposit: RoleDeposit;
  level: Level;
  data: DepositData;
  form: Form;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const enough = fenOf(data.coin) >= fenOf(level.missing);
  return (
    <form ref={ref} className="grid gap-4" onSubmit={onSubmit}>
      <p className="text-13 text-ink-2">
        应缴 <Amount yuan={level.missing} className="text-16 font-semibold text-ink" />
        ，保证金仍是您的钱，只按公开规则扣除，退还等待 {deposit.releaseDays} 天。
      </p>
      <fieldset className="field">
        <legend>支付方式</legend>
        <div className="grid gap-2">
          <Radio name="way" checked={method === 0} disabled={!enough} onChange={() => setMethod(0)}>
            可用余额{' '}
            <small className="text-12 text-ink-3">
              <Amount yuan={data.coin} />
              {!enough && '，不足'}
            </small>
          </Radio>
          {data.methods.list.map((payMethod) => (
            <Radio
              key={payMethod.aliOrWx}
              name="way"
              checked={method === payMethod.aliOrWx}
              onChange={() => setMethod(payMethod.aliOrWx)}
            >
              {payMethod.name}
              <small className="ml-1.5 text-12 text-ink-3">{methodNote(payMethod)}</small>
            </Radio>
          ))}
        </div>
      </fieldset>
      <FormError>{error}</FormError>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        {method === 0 ? '确认缴纳' : '去支付'}
      </Button>
    </form>
  );
}

/** Deposit payment: from the balance, or by a channel's QR code. */
export function PayDialog({
  deposit,
  level,
  data,
  onClose,
}: {
  deposit: RoleDeposit;
  level: Level;
  data: DepositData;
  onClose: () => void;
}) {
  const { revalidate } = useRevalidator();
  const serverNow = useServerNow(data.now);
  const enough = fenOf(data.coin) >= fenOf(level.missing);
  const [method, setMethod] = useState<Method>(enough ? 0 : (data.methods.list[0]?.aliOrWx ?? 0));
  const [payment, setPayment] = useState<Payment | null>(null);
  const here = depositPath(deposit.role);
  const channelName = data.methods.list.find(({ aliOrWx }) => aliOrWx === method)?.name ?? '';

  const done = () => {
    toast(`已缴纳，${level.name}权益即时生效`, 'ok');
    void revalidate();
    onClose();
  };
  const watch = usePayment(payment, () => void setTimeout(done, SETTLED_MS));

  const { form, busy, errors, submit } = useMutation(
    (body: Input<typeof depositPay>, options) =>
      withStepUp('pay', () => call(depositPay, body, options), body.payWay === 'balance'),
    {
      intent: `depositPay:${deposit.role}`,
      done: (result) => {
        if (!result.payment) return done();
        setPayment(result.payment);
        if (result.payment.goUrl !== null) window.location.assign(result.payment.goUrl);
      },
    },
  );
  const body = () => ({
    role: deposit.role,
    level: level.level,
    ...(method === 0
      ? { payWay: 'balance' as const }
      : { payWay: 'channel' as const, aliOrWx: method, returnUrl: here }),
  });

  return (
    <Dialog title={`缴纳${level.name}保证金`} onClose={onClose} closeOnBackdrop={false}>
      {payment ? (
        <PayCode
          payment={payment}
          state={watch.state}
          looking={watch.looking}
          serverNow={serverNow}
          back={here}
          channelName={channelName}
          onRecheck={watch.recheck}
          onAgain={() => setPayment(null)}
        />
      ) : (
        <Choice
          deposit={deposit}
          level={level}
          data={data}
          form={{ ref: form, method, setMethod, busy, error: errors.send }}
          onSubmit={submit(body)}
        />
      )}
    </Dialog>
  );
}
