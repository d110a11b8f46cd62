import { useId, useState } from 'react';
import { codes } from '#contract/codes.ts';
import { refundTopup } from '#subjects/payments/contract/staff-topups.ts';
import type { StaffTopup } from '#subjects/payments/contract/list-topups.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

const INTENT = 'refundTopup';

function amountProblem(typed: string, most: string): string | undefined {
  if (typed === '') return '请输入退回金额';
  const amountIssue = amountError(typed, '退回金额');
  if (amountIssue) return amountIssue;
  return fenOf(typed) > fenOf(most) ? `最多可退 ${grouped(most)} 元` : undefined;
}

/** Form state, validation and submission; after an error the input is kept. */
function useRefund(topup: StaffTopup, onDone: () => void) {
  const [amount, setAmount] = useState(topup.askedAmount ?? topup.refundable);
  const [reason, setReason] = useState('');
  const { form, busy, errors, submit } = useMutation(refundTopup, {
    fields: ['amount', 'reason'],
    intent: INTENT,
    check: (body) => ({
      amount: amountProblem(String(body.amount), topup.refundable),
      reason: body.reason === '' ? '请填写原因' : undefined,
    }),
    failed: (failure) => (isError(failure, codes.BALANCE_LOW) ? { amount: '超过该用户的可用余额' } : undefined),
    done: ({ refundNo }) => {
      toast(refundNo ? '已提交渠道退款，用户会收到通知' : '已申请，等待另一位同事复核', 'ok');
      onDone();
    },
  });
  const body = () => ({ paymentId: topup.paymentId, amount: amount.trim(), reason: reason.trim() });
  return { form, amount, setAmount, reason, setReason, busy, errors, submit: submit(body) };
}

/** Refunds a top-up to its source, in full or in part; a second person repeats the requested amount. */
export function TopupRefundDialog({
  topup,
  secondPerson,
  onDone,
  onClose,
}: {
  topup: StaffTopup;
  secondPerson: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const { form, amount, setAmount, reason, setReason, busy, errors, submit } = useRefund(topup, onDone);
  const formId = useId();
  const isSecond = topup.askedBy !== null;
  return (
    <Dialog
      title={isSecond ? '复核充值退回' : '充值原路退回'}
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy} danger>
          {isSecond ? '复核退回' : '原路退回'}
        </FormFooter>
      }
    >
      <form id={formId} ref={form} className="grid gap-3" noValidate onSubmit={submit}>
        <p className="text-13 text-ink-2">
          从 {topup.nickName} 的可用余额退回{topup.channelName}原付款账户，最多 <Amount yuan={topup.refundable} />。
          {isSecond
            ? `${topup.askedBy}申请原因：${topup.askedReason ?? ''}。`
            : `同一用户一天内超过 ${grouped(secondPerson)} 元需另一位同事复核。`}
          渠道确认前金额冻结，未成功会转回余额。
        </p>
        <Field label="退回金额（元）" required error={errors.amount}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={amount}
              readOnly={isSecond}
              onChange={(event) => setAmount(event.target.value)}
            />
          )}
        </Field>
        <Field label="原因" required error={errors.reason} help="用户会看到">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
