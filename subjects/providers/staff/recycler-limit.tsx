import { useState } from 'react';
import { setRecyclerLimit } from '#subjects/providers/contract/staff-providers.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

const REASONS = [
  '履约稳定，申请提高额度',
  '资金到账及时，按申请上调',
  '收货超时增多，暂时下调',
  '近期投诉增多，暂时下调',
] as const;

/** Changes a recycler's daily limit, with a reason shown to the recycler; after an error the input is kept. */
export function RecyclerLimit({
  item,
  onDone,
  onClose,
}: {
  item: { id: number; name: string; dayLimit: string };
  onDone: () => void;
  onClose: () => void;
}) {
  const [limit, setLimit] = useState(item.dayLimit.replace(/\.00$/, ''));
  const [reason, setReason] = useState('');
  const { form, busy, errors, submit } = useMutation(setRecyclerLimit, {
    fields: ['limit', 'reason'],
    check: ({ limit: text, reason: why }) => ({
      ...(!isPrice(String(text)) && { limit: '每日额度应为正数，最多两位小数' }),
      ...(isPrice(String(text)) && Number(text) === Number(item.dayLimit) && { limit: '和现在的额度相同' }),
      ...(why.length < 2 && { reason: '请写明原因，回收商会看到' }),
    }),
    done: onDone,
  });
  const body = () => ({ id: item.id, limit: limit.trim(), seenLimit: item.dayLimit, reason: reason.trim() });
  return (
    <Dialog title="调整每日额度" busy={busy} onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit(body)}>
        <p className="text-13 text-ink-2">
          金币回收商「{item.name}」现在每天最多收购 <Amount yuan={item.dayLimit} />
          。调整立即生效，今天已收的照常计入。
        </p>
        <Field label="新的每日额度（元）" required error={errors.limit}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-1.5">
          {REASONS.map((text) => (
            <Button key={text} size="sm" onClick={() => setReason(text)}>
              {text}
            </Button>
          ))}
        </div>
        <Field label="原因" required error={errors.reason} help="会通知回收商，并记入操作记录。">
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
        <div className="flex justify-end gap-2">
          <FormFooter busy={busy}>确认调整</FormFooter>
        </div>
      </form>
    </Dialog>
  );
}
