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

/** Moves to the first invalid control, else to the message; without both it belongs to a field that the form does not show now. */
function showRejection(form: HTMLFormElement | null, rejection: FormErrors): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (invalid) {
    invalid.focus();
    return;
  }
  const alert = form?.querySelector('[role="alert"]');
  if (alert) {
    // Newer Chromium returns a promise, which must not become the clean-up of an effect.
    alert.scrollIntoView({ block: 'nearest' });
    return;
  }
  const text = messageText(form && !rejection.send ? Object.values(rejection).find(Boolean) : undefined);
  if (typeof text === 'string') toast(text, 'warn');
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
    showRejection(form.current, rejection);
  }, [rejection]);
  const setErrors = (next: FormErrors) => {
    const shown = rejected(next);
    showErrors(shown);
    if (Object.values(next).some((message) => typeof message === 'string')) setRejection(shown);
  };
  return { form, errors, setErrors };
}
