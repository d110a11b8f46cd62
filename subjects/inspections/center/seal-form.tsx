import { useState } from 'react';
import { inspectionAsk, inspectionSeal } from '#subjects/inspections/contract/inspection.ts';
import { sealedFieldKind, type SealedFieldKey } from '#subjects/orders/rules/sealed-fields.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import {
  missingFields,
  type SealedField,
  SealedFields,
  type SealedValues,
} from '#subjects/orders/web/parts/handover/sealed-fields.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const KEYS: readonly SealedFieldKey[] = ['account', 'password', 'code', 'notes'];
const FIELDS: readonly SealedField[] = KEYS.map((key) => {
  const { label, max, hidden, seconds } = sealedFieldKind(key);
  const required = key === 'account' || key === 'password';
  return { key, label, required, max, hidden: hidden === true, seconds: seconds ?? null };
});

/** The sealed form of an inspection: with a new request for a listing, or for one that waits for it. */
export function SealForm({ of, onDone }: { of: { goodsSn: string } | { taskId: number }; onDone: () => void }) {
  const [values, setValues] = useState<SealedValues>({});
  const { form, busy, errors, submit } = useMutation(
    async (fields: SealedValues, options) =>
      'goodsSn' in of
        ? await call(inspectionAsk, { goodsSn: of.goodsSn, fields }, options)
        : await call(inspectionSeal, { taskId: of.taskId, fields }, options),
    {
      fields: (path) => (path.startsWith('fields.') ? path.slice('fields.'.length) : null),
      check: () => missingFields(FIELDS, values),
      revalidates: true,
      done: () => {
        setValues({});
        toast('已密封提交，客服验完会通知您', 'ok');
        onDone();
      },
    },
  );
  return (
    <form ref={form} className="grid gap-3" noValidate onSubmit={submit(() => values)}>
      <p className="text-12 text-ink-3">
        加密存放，只有领取的客服能打开，每次打开都有记录；验完或关闭就销毁。请在提交前关掉设备锁，验完后修改密码。
      </p>
      <SealedFields
        fields={FIELDS}
        values={values}
        errors={errors}
        onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
      />
      <FormError>{errors.send ?? null}</FormError>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        密封提交
      </Button>
    </form>
  );
}
