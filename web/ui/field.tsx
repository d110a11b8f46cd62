import { CircleAlert } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { cx } from './class-names.ts';

/** The attributes a control needs so that label, help and error are read with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

/**
 * A control with its label above, help below and the error message beside it. The control is rendered by `children`
 * with the attributes that connect them.
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
  error?: string | null | undefined;
  required?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const helpId = `${id}help`;
  const errorId = `${id}error`;
  const described = [error && errorId, help && helpId].filter(Boolean).join(' ');
  return (
    <div className={cx('field', className)}>
      <label htmlFor={id}>
        {label}
        {!required && <span className="ml-1 font-normal text-ink-3">选填</span>}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required || undefined,
      })}
      {error && (
        <p className="field-error" id={errorId} role="alert">
          <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
          {error}
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
 * The error of a form as a whole or of a row, as a message beside its button; renders nothing without a message. `id`
 * connects it with a control outside Field.
 */
export function FormError({ id, className, children }: { id?: string; className?: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p className={cx('field-error', className)} id={id} role="alert">
      <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
      {children}
    </p>
  );
}

/**
 * Moves the focus to the first invalid control whenever `errors` changes and is not empty; without one, the message comes
 * into view, which a long dialog may have below its foot. Put the returned ref on the form.
 */
export function useFocusFirstError(errors: Readonly<Record<string, unknown>>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!Object.values(errors).some(Boolean)) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) invalid.focus();
    else form.current?.querySelector('.field-error')?.scrollIntoView({ block: 'nearest' });
  }, [errors]);
  return form;
}
