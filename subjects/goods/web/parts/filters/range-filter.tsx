import { type FormEvent, type KeyboardEvent, useRef } from 'react';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';
import { Input } from '#web/ui/forms/input.tsx';

/** Minimum and maximum of a number; reloads the list on blur or Enter if the value has changed. */
export function RangeFilter({
  label,
  min,
  max,
  unit = '',
  decimals = false,
  bare = false,
  onChange,
}: {
  label: string;
  min: string;
  max: string;
  unit?: string | undefined;
  /** Amounts have decimals, counts have none. */
  decimals?: boolean;
  /** The row already has the label. */
  bare?: boolean;
  onChange: (min: string, max: string) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const clean = (value: FormDataEntryValue | null) => {
    const text = typeof value === 'string' ? value.trim() : '';
    return (decimals ? /^\d{1,9}(\.\d{1,2})?$/ : /^\d{1,9}$/).test(text) ? text : '';
  };
  const apply = () => {
    if (!form.current) return;
    const data = new FormData(form.current);
    let [from, to] = [clean(data.get('min')), clean(data.get('max'))];
    if (from && to && Number(from) > Number(to)) [from, to] = [to, from];
    if (from !== min || to !== max) onChange(from, to);
  };
  const input = (name: 'min' | 'max', value: string, inputLabel: string) => (
    <Input
      small
      key={`${name}${value}`}
      name={name}
      defaultValue={value}
      className="w-18 text-center"
      inputMode={decimals ? 'decimal' : 'numeric'}
      placeholder={inputLabel}
      aria-label={`${label}${name === 'min' ? '最低' : '最高'}`}
      onBlur={apply}
      onKeyDown={(event: KeyboardEvent) => {
        if (pressedKey(event) === 'Enter') {
          event.preventDefault();
          apply();
        }
      }}
    />
  );
  return (
    <form ref={form} className="range-filter" onSubmit={(event: FormEvent) => event.preventDefault()}>
      {!bare && <span className="whitespace-nowrap">{label}</span>}
      {input('min', min, '不限')}
      <span className="text-ink-3">–</span>
      {input('max', max, '不限')}
      {unit && <span className="text-ink-3">{unit}</span>}
    </form>
  );
}
