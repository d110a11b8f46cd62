import { type ReactNode, useId } from 'react';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { withChoice } from '#web/ui/forms/input.tsx';

export interface Choice {
  value: string;
  label: string;
}

const PICK =
  'inline-flex h-8 max-md:h-9 cursor-pointer items-center rounded-control border border-line-control px-3 text-13 text-ink-2 hover:border-ink-3 hover:text-ink ' +
  'has-checked:border-brand-600 has-checked:bg-brand-50 has-checked:font-medium has-checked:text-brand-800 ' +
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-brand-500';

/** Single or multiple choice as native radio buttons or checkboxes styled as buttons. An optional single choice is cleared by clicking it again. */
export function Choices({
  label,
  help,
  error,
  required,
  several = false,
  choices,
  chosen,
  onChange,
  children,
}: {
  label: ReactNode;
  help?: ReactNode;
  error?: Message | undefined;
  required: boolean;
  several?: boolean;
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  children?: ReactNode;
}) {
  const id = useId();
  const [message, onEdit] = useMessage(error);
  const described = [message && `${id}error`, help && `${id}help`].filter(Boolean).join(' ') || undefined;
  return (
    <fieldset className="field" aria-describedby={described} onChange={onEdit}>
      <legend className="mb-1.5">
        {label}
        {!required && <span className="ml-1 font-normal text-ink-3">选填{several && '，可多选'}</span>}
        {required && several && <span className="ml-1 font-normal text-ink-3">可多选</span>}
      </legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label: text }, index) => (
          <label key={value} className={PICK}>
            <input
              type={several ? 'checkbox' : 'radio'}
              name={id}
              className="sr-only"
              checked={chosen.includes(value)}
              aria-invalid={message && index === 0 ? true : undefined}
              onChange={(event) => onChange(several ? withChoice(chosen, value, event.target.checked) : [value])}
              onClick={() => {
                if (several || required || !chosen.includes(value)) return;
                onChange([]);
                // For the browser the radio button stays checked, so it reports no edit.
                onEdit();
              }}
            />
            {text}
          </label>
        ))}
        {children}
      </div>
      <FormError id={`${id}error`}>{message}</FormError>
      {help && (
        <p className="field-help" id={`${id}help`}>
          {help}
        </p>
      )}
    </fieldset>
  );
}
