import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

/** Asks for the pay password wherever money leaves the balance, with the way to a new one for who has forgotten it. */
export function PayPasswordField({
  value,
  onChange,
  error,
  note,
  className,
}: {
  value: string;
  onChange: (typed: string) => void;
  error?: string | undefined;
  /** When it is asked for, where that is not plain. */
  note?: ReactNode;
  className?: string;
}) {
  return (
    <Field
      label="支付密码"
      required
      error={error}
      help={
        <>
          {note}
          <Link to="/center/myself/changePayPassword" className="link">
            忘记支付密码
          </Link>
        </>
      }
      {...(className && { className })}
    >
      {(control) => (
        <Input
          {...control}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={64}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
