import { isNetworkFailure } from './api-failure.ts';
import { asFailure, failureMessage } from './call-errors.ts';

/** Messages beside the fields of a form, by the field's name; `send` is for the whole form. */
export type FormErrors = Readonly<Partial<Record<string, string | undefined>>>;

/**
 * The fields that a form shows: a list of those named like the call's input, or a map from the input's path to the
 * form's own name, as `{ password: 'passWord' }`, or a function from path to name.
 */
export type FieldNames =
  | readonly string[]
  | Readonly<Record<string, string>>
  | ((path: string) => string | null | undefined);

/** Whether any field is in error. */
export function hasErrors(errors: FormErrors): boolean {
  return Object.values(errors).some(Boolean);
}

function nameOf(path: string, fields: FieldNames): string | undefined {
  if (typeof fields === 'function') return fields(path) ?? undefined;
  const named = Array.isArray(fields)
    ? fields.includes(path)
      ? path
      : undefined
    : Object.entries(fields).find(([p]) => p === path)?.[1];
  const end = path.lastIndexOf('.');
  return named ?? (end < 0 ? undefined : nameOf(path.slice(0, end), fields));
}

/**
 * The form's field that a failed call is about; null when it is about none of the form's fields. `items.0.count` also
 * matches `items`.
 */
export function fieldOfFailure(failure: { field?: string | undefined }, fields: FieldNames): string | null {
  return failure.field === undefined ? null : (nameOf(failure.field, fields) ?? null);
}

/**
 * Converts a failed call into messages beside the fields: the path in its envelope names the field; other errors are
 * shown at `rest`, which is beside the button.
 */
export function errorsOf(thrown: unknown, fields: FieldNames, rest = 'send'): FormErrors {
  const failure = asFailure(thrown);
  const message = isNetworkFailure(failure) ? '网络超时，请检查网络后重试' : failureMessage(failure);
  return { [fieldOfFailure(failure, fields) ?? rest]: message };
}

/** The text of a form's field, as typed. */
export function typed(form: HTMLFormElement | null, name: string): string {
  const value = form ? new FormData(form).get(name) : null;
  return typeof value === 'string' ? value : '';
}
