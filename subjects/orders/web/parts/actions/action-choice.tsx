import { useId, useState } from 'react';
import { Radio } from '#web/ui/forms/input.tsx';
import type { ConfirmedAction } from './action-kinds.ts';

/** The choice required by an action, in place of a reason. */
export function ActionChoice({
  label,
  isNeeded,
  options,
  onChoose,
}: NonNullable<ConfirmedAction['choice']> & { onChoose: (value: string) => void }) {
  const name = useId();
  const [chosen, setChosen] = useState(isNeeded ? undefined : options[0]?.value);
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      <div className="grid">
        {options.map(({ value, label: text, hint }) => (
          <Radio
            key={value}
            name={name}
            className="min-h-10"
            checked={chosen === value}
            onChange={() => {
              setChosen(value);
              onChoose(value);
            }}
          >
            {text}
            {hint && <span className="ml-2 text-12 text-ink-3">{hint}</span>}
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}
