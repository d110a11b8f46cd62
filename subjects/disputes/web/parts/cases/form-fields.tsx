import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import type { DisputeField } from '#subjects/disputes/contract/dispute.ts';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Radio, Select } from '#web/ui/forms/input.tsx';

type Answers = Readonly<Record<string, string>>;

/** The missing fields of a reason's form, by field. */
export function missingOf(fields: readonly DisputeField[], answers: Answers): Record<string, string> {
  return Object.fromEntries(
    fields
      .filter((f) => f.required && (answers[f.key] ?? '').trim() === '')
      .map((f) => [
        f.key,
        f.kind === 'yes_no' || f.kind === 'choice' ? `请选择「${f.label}」` : `请填写「${f.label}」`,
      ]),
  );
}

/** A question that is answered with yes or no. */
function YesNo({
  field: { key, label, required },
  value,
  error,
  onChange,
}: {
  field: DisputeField;
  value: string;
  error: Message | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <FieldGroup
      legend={
        <>
          {label}
          {!required && <span className="ml-1 font-normal text-ink-3">选填</span>}
        </>
      }
      error={error}
    >
      {(isInvalid) => (
        <div className="flex gap-5">
          {(['yes', 'no'] as const).map((v) => (
            <Radio key={v} name={key} checked={value === v} aria-invalid={isInvalid} onChange={() => onChange(v)}>
              {v === 'yes' ? '是' : '否'}
            </Radio>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** The fields of a reason's form for one party, as defined with the reason. */
export function FormFields({
  fields,
  answers,
  errors,
  onChange,
}: {
  fields: readonly DisputeField[];
  answers: Answers;
  errors: FormErrors;
  onChange: (key: string, value: string) => void;
}) {
  return (
    <>
      {fields.map((f) => {
        const value = answers[f.key] ?? '';
        if (f.kind === 'yes_no')
          return (
            <YesNo
              key={f.key}
              field={f}
              value={value}
              error={errors[f.key]}
              onChange={(next) => onChange(f.key, next)}
            />
          );
        return (
          <Field key={f.key} label={f.label} required={f.required} error={errors[f.key]}>
            {(control) =>
              f.kind === 'choice' ? (
                <Select {...control} value={value} onChange={(event) => onChange(f.key, event.target.value)}>
                  <option value="">请选择</option>
                  {f.options?.map((option) => (
                    <option key={option}>{option}</option>
                  ))}
                </Select>
              ) : (
                <Input
                  {...control}
                  type={f.kind === 'time' ? 'datetime-local' : 'text'}
                  inputMode={f.kind === 'amount' ? 'decimal' : undefined}
                  maxLength={200}
                  value={value}
                  onChange={(event) => onChange(f.key, event.target.value)}
                />
              )
            }
          </Field>
        );
      })}
    </>
  );
}
