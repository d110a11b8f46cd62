/** Messages of failed checks, shown next to the fields of a form, by the field's name. */
export type Errors = Partial<Record<string, string>>;

/** A typed whole number, within bounds; null for anything else. */
export function integerOf(text: string, min: number, max: number): number | null {
  if (!/^\d{1,10}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

/** Reads the fields of a form, trimmed. */
export function textsOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
}
