import { use, createContext } from 'react';
import { segmentsOf } from '#web/lib/lists/highlight.ts';

/** The search terms; lists provide them, and every title below highlights them. */
export const HighlightContext = createContext<readonly string[]>([]);

/** A text with the search terms highlighted. */
export function Highlighted({ children }: { children: string }) {
  const terms = use(HighlightContext);
  if (terms.length === 0) return children;
  return segmentsOf(children, terms).map(({ text, marked }, i) => (marked ? <mark key={i}>{text}</mark> : text));
}
