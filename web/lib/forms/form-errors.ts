import { asFailure, failureMessage } from '../api/call-errors.ts';

/**
 * A message about submitted input, so an edit removes it. Each rejection creates new objects; a control uses their
 * identity to detect later edits, and shows the next message even if the text is the same.
 */
export interface Rejection {
  readonly text: string;
}

/** A message shown by a control: a string concerns the current input, and stays while it is true. */
export type Message = string | Rejection;

/** Messages next to the fields of a form, by the field's name; `send` is for the whole form. */
export type FormErrors = Readonly<Partial<Record<string, Message | undefined>>>;

/** The errors as messages of one rejection: each string becomes a new one. */
export function rejected(errors: FormErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => [
      name,
      typeof message === 'string' && message ? { text: message } : message,
    ]),
  );
}

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
 * The form's field that a failed call is about; null when it concerns none of the form's fields. `items.0.count` also
 * matches `items`.
 */
export function fieldOfFailure(failure: { field?: string | undefined }, fields: FieldNames): string | null {
  return failure.field === undefined ? null : (nameOf(failure.field, fields) ?? null);
}

/**
 * Converts a failed call into messages next to the fields: the path in its envelope names the field; other errors are
 * shown at `rest`, which is next to the button.
 */
export function errorsOf(thrown: unknown, fields: FieldNames, rest = 'send'): FormErrors {
  const failure = asFailure(thrown);
  return { [fieldOfFailure(failure, fields) ?? rest]: failureMessage(failure) };
}

/** The text of a form's field, as typed. */
export function typed(form: HTMLFormElement | null, name: string): string {
  const value = form ? new FormData(form).get(name) : null;
  return typeof value === 'string' ? value : '';
}
