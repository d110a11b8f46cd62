import { type RefObject, useEffect, useRef, useState } from 'react';
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
 * dialog may have below its foot.
 */
export function useErrors(): ShownErrors {
  const form = useRef<HTMLFormElement>(null);
  const [errors, showErrors] = useState(NONE);
  const [rejection, setRejection] = useState(NONE);
  useEffect(() => {
    if (rejection === NONE) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) invalid.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [rejection]);
  const setErrors = (next: FormErrors) => {
    const shown = rejected(next);
    showErrors(shown);
    if (Object.values(next).some((message) => typeof message === 'string')) setRejection(shown);
  };
  return { form, errors, setErrors };
}
