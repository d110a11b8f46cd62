import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Message, Rejection } from '#web/lib/forms/form-errors.ts';
import { cx } from '../class-names.ts';

/** The text of a message. */
export function messageText<T>(message: T | Rejection): T | string {
  return (message as Rejection | null | undefined)?.text ?? (message as T);
}

/**
 * The text next to a control, and the handler that removes a rejection, for the element around the control: after an edit, the rejected input
 * is gone. React's own event, because an earlier render would restore the old value of a controlled field.
 */
export function useMessage(error: Message | null | undefined): [text: string | null | undefined, onChange: () => void] {
  const [edited, setEdited] = useState<unknown>();
  const text = messageText(error);
  return [error === edited && text !== error ? undefined : text, () => setEdited(error)];
}

/** The attributes a control needs so that label, help and error are read with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

/**
 * A control with its label above, help below and the error message next to it, until the control is edited. The control is rendered by `children`
 * with the attributes that connect them; a button that changes the value calls `onEdit`.
 */
export function Field({
  label,
  help,
  error,
  required = false,
  className,
  children,
}: {
  label: ReactNode;
  help?: ReactNode;
  error?: Message | null | undefined;
  required?: boolean;
  className?: string;
  children: (control: ControlProps, onEdit: () => void) => ReactNode;
}) {
  const id = useId();
  const helpId = `${id}help`;
  const errorId = `${id}error`;
  const [message, onChange] = useMessage(error);
  const described = [message && errorId, help && helpId].filter(Boolean).join(' ');
  return (
    <div className={cx('field', className)} onChange={onChange}>
      <label htmlFor={id}>
        {label}
        {!required && <span className="ml-1 font-normal text-ink-3">选填</span>}
      </label>
      {children(
        {
          id,
          'aria-describedby': described || undefined,
          'aria-invalid': message ? true : undefined,
          'aria-required': required || undefined,
        },
        onChange,
      )}
      {message && (
        <p className="field-error" id={errorId} role="alert">
          <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
          {message}
        </p>
      )}
      {help && (
        <p className="field-help" id={helpId}>
          {help}
        </p>
      )}
    </div>
  );
}

/**
 * The error of a form as a whole or of a row, as a message next to its button; renders nothing without a message. `id`
 * connects it with a control outside Field.
 */
export function FormError({
  id,
  className,
  children,
}: {
  id?: string;
  className?: string;
  children: ReactNode | Rejection;
}) {
  if (!children) return null;
  return (
    <p className={cx('field-error', className)} id={id} role="alert">
      <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
      {messageText(children)}
    </p>
  );
}
