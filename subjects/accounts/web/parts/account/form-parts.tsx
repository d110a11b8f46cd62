import { Eye, EyeOff } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

type InputProps = Omit<ComponentPropsWithRef<typeof Input>, 'children' | 'small'>;

interface Props extends InputProps {
  label: ReactNode;
  name: string;
  error?: Message | undefined;
  help?: ReactNode;
  /** Absent means that the field is required. */
  isOptional?: boolean;
}

/** An uncontrolled one-line field: text typed before hydration, or filled in by the browser, is not lost. */
export function TextField({ label, error, help, isOptional = false, ...input }: Props) {
  return (
    <Field label={label} required={!isOptional} error={error} help={help}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}

/** The field for a phone number, which is also the username for logging in. */
export function PhoneField({
  label = '手机号',
  error,
  ...rest
}: {
  label?: string;
  error: Message | undefined;
  autoComplete?: string;
}) {
  return (
    <TextField
      label={label}
      name="phone"
      type="tel"
      inputMode="numeric"
      autoComplete="username"
      placeholder="11 位手机号"
      error={error}
      {...rest}
    />
  );
}

/** A password field with a button that reveals it. */
export function PasswordField({ label, error, help, isOptional = false, ...input }: Props) {
  const [isVisible, setIsVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <Field label={label} required={!isOptional} error={error} help={help}>
      {(control) => (
        <span className="relative block">
          <Input maxLength={64} {...control} {...input} type={isVisible ? 'text' : 'password'} className="pr-11" />
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-11 place-items-center text-ink-3 hover:text-ink"
            aria-label={isVisible ? '隐藏密码' : '显示密码'}
            aria-pressed={isVisible}
            onClick={() => setIsVisible(!isVisible)}
          >
            <Icon className="icon" aria-hidden="true" />
          </button>
        </span>
      )}
    </Field>
  );
}

/** The submit button of a form. */
export function SubmitButton({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <Button type="submit" kind="primary" size="lg" busy={busy} className="w-full">
      {children}
    </Button>
  );
}
