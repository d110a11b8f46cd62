import { use, createContext } from 'react';
import { segmentsOf } from '#web/lib/highlight.ts';

/** What was searched for, as terms; lists set it, and every title below marks them. */
export const HighlightContext = createContext<readonly string[]>([]);

/** A text with the searched words marked. */
export function Highlighted({ children }: { children: string }) {
  const terms = use(HighlightContext);
  if (terms.length === 0) return children;
  return segmentsOf(children, terms).map(({ text, marked }, i) => (marked ? <mark key={i}>{text}</mark> : text));
}
