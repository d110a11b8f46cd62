import { CircleAlert } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { cx } from './class-names.ts';

/** The messages of refusals, each with the one it is from. Other messages are about what is typed, and stay while they are true. */
const refusals = new Map<unknown, object>();

/**
 * The message beside a control, and the handler that takes it away, for the element around the control: after an edit, what was refused is no
 * longer what is there. The next refusal shows it again. React's own event, because a render before it would put the old value back into a
 * controlled field.
 */
export function useMessage<E extends string | null | undefined>(
  error: E,
): [message: E | undefined, onChange: () => void] {
  const refusal = refusals.get(error);
  const [edited, setEdited] = useState<object>();
  return [refusal && refusal === edited ? undefined : error, () => setEdited(refusal)];
}

/** The attributes a control needs so that label, help and error are read with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

/**
 * A control with its label above, help below and the error message beside it, until the control is edited. The control is rendered by `children`
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
  const [message, onChange] = useMessage(error);
  const described = [message && errorId, help && helpId].filter(Boolean).join(' ');
  return (
    <div className={cx('field', className)} onChange={onChange}>
      <label htmlFor={id}>
        {label}
        {!required && <span className="ml-1 font-normal text-ink-3">选填</span>}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': message ? true : undefined,
        'aria-required': required || undefined,
      })}
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
 * into view, which a long dialog may have below its foot. Put the returned ref on the form. Each new `errors` is a refusal.
 */
export function useFocusFirstError(errors: Readonly<Record<string, unknown>>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // Before the fields are rendered, which ask for it.
  for (const text of Object.values(errors)) if (text) refusals.set(text, errors);
  useEffect(() => {
    if (!Object.values(errors).some(Boolean)) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) invalid.focus();
    else form.current?.querySelector('.field-error')?.scrollIntoView({ block: 'nearest' });
  }, [errors]);
  return form;
}
