import { Field } from '#web/ui/forms/field.tsx';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { Input, Textarea } from '#web/ui/forms/input.tsx';

/** A field of a sealed form, from the order's data. */
export interface SealedField {
  key: string;
  label: string;
  required: boolean;
  max: number;
  hidden: boolean;
  seconds: number | null;
}

export type SealedValues = Readonly<Record<string, string>>;

/** A label that begins with a Latin letter has a space before it. */
const missingText = (label: string): string => `请填写${/^[A-Za-z0-9]/.test(label) ? ' ' : ''}${label}`;

/** The missing fields of a form, by field; empty when it can be sealed. */
export function missingFields(fields: readonly SealedField[], values: SealedValues): Record<string, string> {
  const missing = fields.filter(({ key, required }) => required && !values[key]?.trim());
  if (missing.length > 0) return Object.fromEntries(missing.map(({ key, label }) => [key, missingText(label)]));
  const first = fields[0];
  const isEmpty = fields.every(({ key }) => !values[key]?.trim());
  return first && isEmpty ? { [first.key]: missingText(first.label) } : {};
}

/** Whether every field is a one-time code: such a form is sealed each time a code arrives. */
export const hasOnlyCodes = (fields: readonly SealedField[]): boolean =>
  fields.every(({ seconds }) => seconds !== null);

/** The inputs of a sealed form, inline. The input is stored nowhere else, and browsers are asked not to remember it. */
export function SealedFields({
  fields,
  values,
  errors,
  onChange,
}: {
  fields: readonly SealedField[];
  values: SealedValues;
  errors: FormErrors;
  onChange: (key: string, value: string) => void;
}) {
  return (
    <div className="@container">
      <div className="grid gap-3 @min-[560px]:grid-cols-2">
        {fields.map(({ key, label, required, max, seconds }) => (
          <Field
            key={key}
            label={label}
            required={required}
            error={errors[key]}
            help={seconds === null ? undefined : `${Math.round(seconds / 60)} 分钟内有效，过期后请重新封存`}
            className={key === 'notes' || key === 'question' ? '@min-[560px]:col-span-2' : ''}
          >
            {(control) => {
              const common = {
                ...control,
                value: values[key] ?? '',
                maxLength: max,
                autoComplete: 'off',
                spellCheck: false,
                autoCapitalize: 'off',
              };
              return key === 'notes' || key === 'question' ? (
                <Textarea {...common} rows={2} onChange={(event) => onChange(key, event.target.value)} />
              ) : (
                <Input
                  {...common}
                  inputMode={seconds === null ? undefined : 'numeric'}
                  onChange={(event) => onChange(key, event.target.value)}
                />
              );
            }}
          </Field>
        ))}
      </div>
    </div>
  );
}
