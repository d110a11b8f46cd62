/**
 * Placeholders of canned replies: {买家} is filled in from the conversation, any other is requested before the text is
 * inserted.
 */

const PLACEHOLDER = /\{([^{}\s]{1,12})\}/g;

/** The text with the known placeholders filled in. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => values[name] || whole);
}

/** The placeholders that are still empty, each once. */
export function missing(text: string, values: Readonly<Record<string, string>>): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))].filter((name) => !values[name]);
}
