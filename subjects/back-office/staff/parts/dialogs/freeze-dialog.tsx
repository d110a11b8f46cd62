import { useId, useState } from 'react';
import { codes } from '#contract/codes.ts';
import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFooter } from '../form-footer.tsx';

const INTENT = 'freezeMoney';

const ends = [
  ['7', '7 天后自动解除'],
  ['30', '30 天后自动解除'],
  ['', '人工解除'],
] as const;

const blank = { userId: '', amount: '', days: '7', reason: '' };
type Values = typeof blank;

function problems({ userId, amount, reason }: Values): FormErrors {
  return {
    userId: /^\d{1,12}$/.test(userId.trim()) ? undefined : '请输入用户编号',
    amount: amount.trim() === '' ? '请输入冻结金额' : (amountError(amount.trim(), '冻结金额') ?? undefined),
    reason: reason.trim() === '' ? '请填写原因' : undefined,
  };
}

/** Form state, validation and submission; after an error the input is kept. */
function useFreeze(onDone: () => void) {
  const [values, setValues] = useState(blank);
  const { form, busy, errors, submit } = useMutation(freezeMoney, {
    fields: ['userId', 'amount', 'reason'],
    intent: INTENT,
    check: () => problems(values),
    failed: (failure) => (isError(failure, codes.BALANCE_LOW) ? { amount: '超过该用户的可用余额' } : undefined),
    done: () => {
      toast('已冻结，用户会看到原因', 'ok');
      onDone();
    },
  });
  const body = () => {
    const { userId, amount, reason, days } = values;
    return { userId: userId.trim(), amount: amount.trim(), reason: reason.trim(), days };
  };
  const set = (name: keyof Values) => (event: { target: { value: string } }) =>
    setValues((before) => ({ ...before, [name]: event.target.value }));
  return { form, values, set, busy, errors, submit: submit(body) };
}

/** Freezes part of a user's available balance, with a reason shown to the user. */
export function FreezeDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { form, values, set, busy, errors, submit } = useFreeze(onDone);
  const formId = useId();
  return (
    <Dialog
      title="冻结用户资金"
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy} danger>
          冻结
        </FormFooter>
      }
    >
      <form id={formId} ref={form} className="grid gap-3" noValidate onSubmit={submit}>
        <p className="text-13 text-ink-2">从可用余额转入冻结，用户不能使用或提现，会看到下面的原因和到期时间。</p>
        <div className="grid grid-cols-2 gap-3">
          <Field label="用户编号" required error={errors.userId}>
            {(control) => <Input {...control} inputMode="numeric" value={values.userId} onChange={set('userId')} />}
          </Field>
          <Field label="冻结金额（元）" required error={errors.amount}>
            {(control) => <Input {...control} inputMode="decimal" value={values.amount} onChange={set('amount')} />}
          </Field>
        </div>
        <Field label="到期" required>
          {(control) => (
            <Select {...control} value={values.days} onChange={set('days')}>
              {ends.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="原因" required error={errors.reason}>
          {(control) => (
            <Textarea {...control} rows={3} maxLength={200} value={values.reason} onChange={set('reason')} />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
