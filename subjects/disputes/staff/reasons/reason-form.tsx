import { useId, useState } from 'react';
import { type DisputeReason, saveDisputeReason } from '#subjects/disputes/contract/staff-reasons.ts';
import { disputedStates, disputedTypes, reasonPlaces } from '../../rules/dispute-reasons.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Textarea, withChoice } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFields } from './form-fields.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

/** The values of a form; those of a new reason are empty. */
const startOf = (item: DisputeReason | null) => ({
  code: item?.code ?? '',
  name: item?.name ?? '',
  goodsTypes: item?.goodsTypes ?? [],
  orderStates: item?.orderStates ?? disputedStates.map(([state]): number => state),
  form: item?.form ?? [],
  evidence: item?.evidence ?? '',
  sort: String(item?.sort ?? 50),
  isOn: item?.isOn ?? true,
  reason: '',
});
type Values = ReturnType<typeof startOf>;

function Scope({
  values,
  set,
  errors,
}: {
  values: Values;
  set: (change: Partial<Values>) => void;
  errors: FormErrors;
}) {
  return (
    <>
      <FieldGroup legend="商品类型（不选为全部）" error={errors.goodsTypes}>
        {(isInvalid) => (
          <div className="grid grid-cols-3 gap-1">
            {disputedTypes.map((type) => (
              <Checkbox
                key={type}
                aria-invalid={isInvalid}
                checked={values.goodsTypes.includes(type)}
                onChange={(event) => set({ goodsTypes: withChoice(values.goodsTypes, type, event.target.checked) })}
              >
                {orderTypeName(type)}
              </Checkbox>
            ))}
          </div>
        )}
      </FieldGroup>
      <FieldGroup legend="订单状态" error={errors.orderStates}>
        {(isInvalid) => (
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {reasonPlaces.map(([state, name]) => (
              <Checkbox
                key={state}
                aria-invalid={isInvalid}
                checked={values.orderStates.includes(state)}
                onChange={(event) => set({ orderStates: withChoice(values.orderStates, state, event.target.checked) })}
              >
                {name}
              </Checkbox>
            ))}
          </div>
        )}
      </FieldGroup>
    </>
  );
}

/** Edits a reason or writes a new one. The input is kept after an error. */
export function ReasonForm({
  item,
  onDone,
  onClose,
}: {
  item: DisputeReason | null;
  onDone: () => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [values, setValues] = useState(() => startOf(item));
  const set = (change: Partial<Values>) => setValues({ ...values, ...change });
  const { form, busy, errors, submit } = useMutation(saveDisputeReason, {
    fields: ['code', 'name', 'evidence', 'sort', 'reason', 'goodsTypes', 'orderStates', 'form'],
    check: () => ({
      code: /^[a-z_]{2,40}$/.test(values.code) ? undefined : '代码为 2 到 40 个小写字母或下划线',
      name: values.name.trim().length < 2 ? '名称至少 2 个字' : undefined,
      orderStates: values.orderStates.length === 0 ? '至少选择一种订单状态' : undefined,
      reason: values.reason.trim().length < 2 ? '请写明修改的原因' : undefined,
    }),
    done: () => {
      toast('已保存', 'ok');
      onDone();
    },
  });
  const text = (
    name: 'code' | 'name' | 'sort' | 'reason',
    label: string,
    more: { help?: string; max: number; disabled?: boolean },
  ) => (
    <Field label={label} required help={more.help} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          maxLength={more.max}
          disabled={more.disabled}
          autoComplete="off"
          value={values[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      title={item ? `修改：${item.name}` : '新建原因'}
      closeOnBackdrop={false}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          保存
        </FormFooter>
      }
    >
      <form
        id={formId}
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit(() => ({ ...values, version: item?.version ?? 0 }) as never)}
      >
        <div className="grid grid-cols-2 gap-3">
          {text('name', '名称', { max: 40 })}
          {text('code', '代码', { max: 40, disabled: item !== null, ...(!item && { help: '建好后不能改' }) })}
        </div>
        <Scope values={values} set={set} errors={errors} />
        <FormFields list={values.form} error={errors.form} onChange={(next) => set({ form: next })} />
        <Field label="凭证要求" help="提示双方上传什么" error={errors.evidence}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={200}
              value={values.evidence}
              onChange={(event) => set({ evidence: event.target.value })}
            />
          )}
        </Field>
        <div className="grid grid-cols-2 gap-3">
          {text('sort', '排序', { max: 4, help: '数字小的在前' })}
          {text('reason', '修改原因', { max: 200 })}
        </div>
        <Checkbox checked={values.isOn} onChange={(event) => set({ isOn: event.target.checked })}>
          启用（停用后不能再选，处理中的申诉不变）
        </Checkbox>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
