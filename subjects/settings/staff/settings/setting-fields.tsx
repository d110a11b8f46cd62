import { type SettingField, unitOf } from '../../rules/setting-fields.ts';
import type { SettingSpec } from '../../rules/setting-groups.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';

export type Values = Readonly<Record<string, string>>;

/** The fields of a setting by row; those without a row come first. */
export function rowsOf(spec: SettingSpec): { row: string; fields: SettingField[] }[] {
  const rows = new Map<string, SettingField[]>();
  for (const field of spec.fields) rows.set(field.row ?? '', [...(rows.get(field.row ?? '') ?? []), field]);
  return [...rows].map(([row, fields]) => ({ row, fields }));
}

const flagOptions = (isOptional: boolean): (readonly [string, string])[] => [
  ...(isOptional ? [['', '—'] as const] : []),
  ['1', '是'],
  ['0', '否'],
];

function Control({
  field,
  value,
  control,
  onChange,
}: {
  field: SettingField;
  value: string;
  control: object;
  onChange: (value: string) => void;
}) {
  const { type } = field;
  if (type === 'lines' || type === 'longText')
    return <Textarea {...control} rows={2} value={value} onChange={(event) => onChange(event.target.value)} />;
  if (type === 'flag' || type === 'choice') {
    const options = type === 'flag' ? flagOptions(field.optional === true) : (field.options ?? []);
    return (
      <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
    );
  }
  const unit = unitOf(type);
  const isText = type === 'text' || type.endsWith('List');
  return (
    <span className="flex items-center gap-1.5">
      <Input
        {...control}
        autoComplete="off"
        inputMode={isText ? 'text' : 'decimal'}
        className={isText ? undefined : 'num max-w-32'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {unit !== '' && <span className="flex-none text-12 text-ink-3">{unit}</span>}
    </span>
  );
}

/** The fields of a setting, each with its message next to it. */
export function SettingFields({
  spec,
  values,
  errors,
  onChange,
}: {
  spec: SettingSpec;
  values: Values;
  errors: FormErrors;
  onChange: (path: string, value: string) => void;
}) {
  return rowsOf(spec).map(({ row, fields }) => (
    <fieldset key={row} className="grid gap-2 border-t border-line-soft pt-3 first:border-0 first:pt-0">
      {row !== '' && <legend className="float-left w-full text-13 font-semibold">{row}</legend>}
      <div
        className={
          row === ''
            ? 'grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3'
            : 'grid grid-cols-2 gap-x-2 gap-y-3 md:grid-cols-[repeat(auto-fill,minmax(100px,1fr))]'
        }
      >
        {fields.map((field) => (
          <Field
            key={field.path}
            label={field.label}
            required={!field.optional}
            help={field.hint}
            error={errors[field.path]}
            {...((field.type === 'lines' || field.type === 'longText' || field.type.endsWith('List')) && {
              className: 'col-span-2',
            })}
          >
            {(control) => (
              <Control
                field={field}
                value={values[field.path] ?? ''}
                control={control}
                onChange={(value) => onChange(field.path, value)}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  ));
}
