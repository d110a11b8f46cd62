import { type ReactNode, useId, useState } from 'react';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';

/** A text field of the document, with its error next to it. */
export function TextField({
  label,
  value,
  error,
  help,
  required = false,
  maxLength = 60,
  placeholder,
  className,
  onChange,
}: {
  label: string;
  value: string;
  error?: Message | undefined;
  help?: ReactNode;
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
  className?: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} help={help} error={error} required={required} {...(className && { className })}>
      {(control) => (
        <Input
          {...control}
          small
          autoComplete="off"
          maxLength={maxLength}
          placeholder={placeholder}
          value={value}
          onChange={(e) => onChange(e.target.value)}
        />
      )}
    </Field>
  );
}

/** A number as typed: invalid text stays in the field, with an error next to it. */
export function NumberField({
  label,
  value,
  error,
  help,
  required = false,
  className,
  onChange,
}: {
  label: string;
  value: number | null | undefined;
  error?: Message | undefined;
  help?: ReactNode;
  required?: boolean;
  className?: string;
  onChange: (value: number | undefined) => void;
}) {
  const valueText = value === undefined || value === null ? '' : String(value);
  const [typed, setTyped] = useState<{ text: string; of: number | null | undefined }>({ text: valueText, of: value });
  // A value from elsewhere (undo, another editor) replaces what was typed.
  const text = Object.is(typed.of, value) ? typed.text : valueText;
  const take = (next: string) => {
    const trimmed = next.trim();
    const number = trimmed === '' ? undefined : /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
    setTyped({ text: next, of: number });
    onChange(number);
  };
  return (
    <Field label={label} help={help} error={error} required={required} {...(className && { className })}>
      {(control) => (
        <Input
          {...control}
          small
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={text}
          onChange={(e) => take(e.target.value)}
        />
      )}
    </Field>
  );
}

/** A dialog for entering many lines at once. `preview` shows the result. */
export function PasteDialog({
  title,
  help,
  preview,
  onTake,
  onClose,
}: {
  title: string;
  help: ReactNode;
  preview: (text: string) => string;
  onTake: (text: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <BackButton>返回</BackButton>
          <Button
            kind="primary"
            disabled={text.trim() === ''}
            onClick={() => {
              onTake(text);
              onClose();
            }}
          >
            加入
          </Button>
        </>
      }
    >
      <div className="field">
        <label htmlFor={id}>每行一个</label>
        <Textarea id={id} rows={10} value={text} onChange={(e) => setText(e.target.value)} />
        <p className="field-help">{help}</p>
        <p className="text-13 text-ink-2" role="status">
          {text.trim() === '' ? '' : preview(text)}
        </p>
      </div>
    </Dialog>
  );
}
