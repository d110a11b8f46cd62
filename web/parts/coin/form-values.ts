import { asFailure, failureMessage } from '#web/lib/call-errors.ts';

/** Sentences beside the fields of a form, by the field's name; `send` stands for the whole form. */
export type Errors = Partial<Record<string, string>>;

/**
 * A refused call as a sentence beside its field: the words that a field's own label begins say which one it is; all else stands
 * beside the button.
 */
export function errorsBy(thrown: unknown, labels: Readonly<Record<string, string>>): Errors {
  const failure = asFailure(thrown);
  const message = failureMessage(failure);
  const field =
    failure.status === 422 ? Object.entries(labels).find(([, label]) => message.includes(label)) : undefined;
  return { [field?.[0] ?? 'send']: message };
}

/** A whole number as typed, within bounds; null for anything else. */
export function integerOf(text: string, min: number, max: number): number | null {
  if (!/^\d{1,10}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

/** Reads the fields of a form as they were typed, without the space around. */
export function textsOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
}
