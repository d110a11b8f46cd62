import type { ReactNode } from 'react';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { cx } from '../class-names.ts';
import { FormError, useMessage } from './field.tsx';

/**
 * Choices or other controls with one heading above, where they need one, and one message below, until a control among them is edited. `children` renders them, with
 * `aria-invalid` for the one that gets the focus; a button that changes the value calls `onEdit`.
 */
export function FieldGroup({
  legend,
  help,
  error,
  className,
  children,
}: {
  legend?: ReactNode;
  help?: ReactNode;
  error?: Message | null | undefined;
  className?: string;
  children: (isInvalid: true | undefined, onEdit: () => void) => ReactNode;
}) {
  const [message, onChange] = useMessage(error);
  return (
    <fieldset className={cx('field', className)} onChange={onChange}>
      {legend !== undefined && <legend>{legend}</legend>}
      {children(message ? true : undefined, onChange)}
      <FormError>{message}</FormError>
      {help && <p className="field-help">{help}</p>}
    </fieldset>
  );
}
