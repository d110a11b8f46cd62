import { grouped } from '#web/lib/format/format.ts';
import { useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { inspectionWrong, type inspectionList } from '#subjects/inspections/contract/inspection.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Order = Data<typeof inspectionList>['orders'][number];

/** A buyer reports a wrong reading of a bought account, with pictures as proof. */
export function WrongForm({ order, onDone }: { order: Order; onDone: () => void }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, busy, errors, submit } = useMutation(inspectionWrong, {
    fields: ['field', 'found', 'pictures'],
    revalidates: true,
    done: () => {
      toast('已提交，由两位客服核对', 'ok');
      onDone();
    },
  });
  return (
    <form
      ref={form}
      className="grid gap-3"
      noValidate
      onSubmit={submit((f) => ({
        orderId: order.orderId,
        field: typed(f, 'field'),
        found: typed(f, 'found'),
        pictures: pictures.map((p) => p.key),
      }))}
    >
      <div className="grid gap-3 md:grid-cols-2">
        <Field label="有误的验号项" required error={errors.field}>
          {(control) => (
            <Select {...control} name="field">
              {order.readings.map((r) => (
                <option key={r.key} value={r.key}>
                  {r.label}：{r.found}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="您看到的" required error={errors.found}>
          {(control) => <Input {...control} name="found" maxLength={100} />}
        </Field>
      </div>
      <EvidenceBox pictures={pictures} error={errors.pictures} onChange={setPictures} help="上传您收号时看到的截图。" />
      <p className="text-12 text-ink-3">核对属实赔付 ¥{grouped(order.amount)}。验号之后才变的，请在订单里申诉。</p>
      <FormError>{errors.send ?? null}</FormError>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        申请赔付
      </Button>
    </form>
  );
}
