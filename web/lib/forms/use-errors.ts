import { type RefObject, useEffect, useRef, useState } from 'react';
import { messageText } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type FormErrors, rejected } from './form-errors.ts';

const NONE: FormErrors = {};

export interface ShownErrors {
  /** Ref of the form: the first invalid control gets the focus. */
  form: RefObject<HTMLFormElement | null>;
  errors: FormErrors;
  /** Shows these messages. Texts among them count as new and move the focus; messages shown before are unchanged. */
  setErrors: (errors: FormErrors) => void;
}

/**
 * The messages of a form. After a rejection the first invalid control gets the focus; without one, the message is scrolled into view, since a long
 * dialog may have below its foot. A message whose field the form does not show is a toast.
 */
export function useErrors(): ShownErrors {
  const form = useRef<HTMLFormElement>(null);
  const [errors, showErrors] = useState(NONE);
  const [rejection, setRejection] = useState(NONE);
  useEffect(() => {
    if (rejection === NONE) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) return invalid.focus();
    const alert = form.current?.querySelector('[role="alert"]');
    if (alert) return alert.scrollIntoView({ block: 'nearest' });
    // The message belongs to a field that the form does not show now.
    const lost = form.current && !rejection.send ? Object.values(rejection).find(Boolean) : undefined;
    const text = messageText(lost);
    if (typeof text === 'string') toast(text, 'warn');
  }, [rejection]);
  const setErrors = (next: FormErrors) => {
    const shown = rejected(next);
    showErrors(shown);
    if (Object.values(next).some((message) => typeof message === 'string')) setRejection(shown);
  };
  return { form, errors, setErrors };
}
