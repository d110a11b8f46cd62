import { Search, X } from 'lucide-react';
import { useState } from 'react';
import type { Field as AttrField } from '#subjects/games/contract/games.ts';
import { boolLabels } from '../../../rules/attr-text.ts';
import { choosable } from '../../../rules/attrs.ts';
import { typedCount } from '../../../rules/typed-count.ts';
import { grouped } from '#web/lib/format/format.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { Choices } from './choices.tsx';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

interface Props {
  field: AttrField;
  value: unknown;
  error: Message | undefined;
  onChange: (value: unknown) => void;
}

/** Above this number of options a select is used instead of buttons. */
const MANY = 10;
/** Number of options of a multiple choice visible before it is expanded. */
const VISIBLE_CHOICES = 18;

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const optionsOf = (field: AttrField, value: unknown) =>
  (choosable(field, value).options ?? []).map(({ v, label }) => ({ value: String(v), label }));

function Single({ field, value, error, onChange }: Props) {
  const options = optionsOf(field, value);
  if (options.length <= MANY)
    return (
      <Choices
        label={field.label}
        help={field.help}
        error={error}
        required={field.required}
        choices={options}
        chosen={asText(value) === '' ? [] : [asText(value)]}
        onChange={([chosen]) => onChange(chosen ?? '')}
      />
    );
  return (
    <Field label={field.label} help={field.help} error={error} required={field.required} className="max-w-80">
      {(control) => (
        <Select {...control} value={asText(value)} onChange={(event) => onChange(event.target.value)}>
          <option value="">请选择</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Several({ field, value, error, onChange }: Props) {
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const options = optionsOf(field, value);
  const long = options.length > VISIBLE_CHOICES;
  const wanted = query.trim().toLowerCase();
  const matches = wanted
    ? options.filter(({ label }) => label.toLowerCase().includes(wanted))
    : long && !open
      ? options.filter((option, index) => index < VISIBLE_CHOICES || chosen.includes(option.value))
      : options;
  return (
    <Choices
      label={
        <>
          {field.label}
          {chosen.length > 0 && <span className="ml-1 font-normal text-brand-700">已选 {chosen.length}</span>}
        </>
      }
      help={field.help}
      error={error}
      required={field.required}
      several
      choices={matches}
      chosen={chosen}
      onChange={onChange}
    >
      {long && (
        <>
          {wanted === '' && (
            <button type="button" className="h-8 px-2 text-13 text-link" onClick={() => setOpen(!open)}>
              {open ? '收起' : `全部 ${options.length} 项`}
            </button>
          )}
          <span className="relative">
            <Search
              className="icon pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-ink-3"
              aria-hidden="true"
            />
            <Input
              small
              className="h-8! w-32 pl-7!"
              placeholder="搜索"
              aria-label={`在${field.label}中搜索`}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => {
                if (pressedKey(event) === 'Enter') event.preventDefault();
              }}
            />
          </span>
        </>
      )}
    </Choices>
  );
}

function rangeHelp(field: AttrField): string | undefined {
  const { min, max, unit = '' } = field;
  if (field.help) return field.help;
  if (min !== undefined && max !== undefined) return `${grouped(min)} 至 ${grouped(max)} ${unit}`;
  return max === undefined ? undefined : `最多 ${grouped(max)} ${unit}`;
}

function Numeric({ field, value, error, onChange }: Props) {
  return (
    <Field label={field.label} help={rangeHelp(field)} error={error} required={field.required}>
      {(control) => (
        <span className="relative block">
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            className={field.unit ? 'pr-14!' : undefined}
            value={asText(value)}
            onChange={(event) => onChange(typedCount(event.target.value, field.unit))}
          />
          {field.unit && (
            <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-13 text-ink-3">
              {field.unit}
            </span>
          )}
        </span>
      )}
    </Field>
  );
}

function YesNo({ field, value, error, onChange }: Props) {
  const [yes, no] = boolLabels(field);
  const chosen = value === true || value === '1' ? ['1'] : value === false || value === '0' ? ['0'] : [];
  return (
    <Choices
      label={field.label}
      help={field.help}
      error={error}
      required={field.required}
      choices={[
        { value: '1', label: yes },
        { value: '0', label: no },
      ]}
      chosen={chosen}
      onChange={([choice]) => onChange(choice === undefined ? '' : choice === '1')}
    />
  );
}

function Counts({ field, value, error, onChange }: Props) {
  const counts = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<
    string,
    unknown
  >;
  const options = optionsOf(field, value);
  const held = options.filter((option) => option.value in counts);
  const without = (key: string) => Object.fromEntries(Object.entries(counts).filter(([v]) => v !== key));
  return (
    <Field label={field.label} help={field.help} error={error} required={field.required}>
      {(control) => (
        <div className="grid gap-2">
          {held.map((option) => (
            <span key={option.value} className="flex items-center gap-2">
              <span className="min-w-24 text-13 text-ink-2">{option.label}</span>
              <Input
                small
                className="w-24!"
                inputMode="numeric"
                maxLength={6}
                aria-label={`${option.label}的数量`}
                value={asText(counts[option.value])}
                onChange={(event) => onChange({ ...counts, [option.value]: event.target.value })}
              />
              <button
                type="button"
                className="grid size-8 place-items-center rounded-control text-ink-3 hover:bg-sunken"
                aria-label={`去掉${option.label}`}
                onClick={() => onChange(without(option.value))}
              >
                <X className="icon size-3.5" aria-hidden="true" />
              </button>
            </span>
          ))}
          <Select
            {...control}
            className="max-w-80"
            value=""
            onChange={(event) => {
              if (event.target.value) onChange({ ...counts, [event.target.value]: '1' });
            }}
          >
            <option value="">添加一项</option>
            {options
              .filter((option) => !(option.value in counts))
              .map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
          </Select>
        </div>
      )}
    </Field>
  );
}

function TextAttr({ field, value, error, onChange }: Props) {
  return (
    <Field label={field.label} help={field.help} error={error} required={field.required}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={100}
          value={asText(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

const CONTROLS = {
  single: Single,
  multi: Several,
  range: Numeric,
  bool: YesNo,
  item_count: Counts,
  text: TextAttr,
} as const;

/** Whether a field's control needs the full width of the form. */
export function isWide(field: AttrField): boolean {
  const options = field.options?.length ?? 0;
  return (
    field.kind === 'multi' || field.kind === 'item_count' || (field.kind === 'single' && options > 4 && options <= MANY)
  );
}

/** Whether it needs the full width of a phone: numbers, lists and plain yes-or-no questions share a line there. */
export const isWideOnPhones = (field: AttrField): boolean =>
  isWide(field) ||
  field.kind === 'text' ||
  (field.kind === 'bool' && field.help !== undefined) ||
  (field.kind === 'single' && (field.options?.length ?? 0) <= MANY);

/** One field of a game's own form, by its kind (domain.md 4). */
export function AttrFieldControl(props: Props) {
  const Control = CONTROLS[props.field.kind];
  return <Control {...props} />;
}
