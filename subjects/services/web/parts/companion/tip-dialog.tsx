import { useState } from 'react';
import { companionTip } from '#subjects/services/contract/companions.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ServiceOrder } from '../service/service-order.ts';

const CHOICES = ['6.00', '18.00', '66.00'] as const;

/** The dialog for a tip after companion play: from the balance, at most the remaining amount. */
export function TipDialog({ service, onClose }: { service: ServiceOrder; onClose: () => void }) {
  const left = service.play?.tipLeft ?? '0.00';
  const [amount, setAmount] = useState<string>(fenOf(left) < fenOf(CHOICES[0]) ? left : CHOICES[0]);
  const { form, errors, busy, submit } = useMutation(companionTip, {
    fields: ['amount'],
    check: (input) => {
      const typed = String(input.amount);
      return {
        amount:
          amountError(typed, '打赏金额') ??
          (fenOf(typed) > fenOf(left) ? `这一单还可以打赏 ${grouped(left)} 元` : undefined),
      };
    },
    revalidates: true,
    done: () => {
      toast('已打赏，谢谢您的心意', 'ok');
      onClose();
    },
  });
  return (
    <Dialog
      title="打赏陪玩"
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton>返回</BackButton>
          <Button type="submit" form="tip" kind="primary" busy={busy}>
            打赏
          </Button>
        </>
      }
    >
      <form
        id="tip"
        ref={form}
        noValidate
        className="grid gap-3"
        onSubmit={submit(() => ({ orderId: String(service.orderId), amount: amount.trim() }))}
      >
        <p className="flex gap-2">
          {CHOICES.map((yuan) => (
            <Button
              key={yuan}
              size="sm"
              {...(amount === yuan && { kind: 'tonal' as const })}
              aria-pressed={amount === yuan}
              disabled={fenOf(yuan) > fenOf(left)}
              onClick={() => setAmount(yuan)}
            >
              {grouped(Number(yuan))} 元
            </Button>
          ))}
        </p>
        <Field
          label="打赏金额（元）"
          required
          error={errors.amount}
          help={`从余额支付，扣平台佣金后归陪玩，和货款一样先冻结再到账；合计不超过这一单实付的陪玩费用，最多 200 元，还可以打赏 ${grouped(left)} 元。`}
        >
          {(control) => (
            <Input
              {...control}
              name="amount"
              inputMode="decimal"
              className="w-32!"
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
