import { use, createContext } from 'react';
import { pieces } from '#web/lib/highlight.ts';

/** What was searched for, as terms; lists set it, and every title below marks them. */
export const MarkContext = createContext<readonly string[]>([]);

/** A text with the searched words marked. */
export function Marked({ children }: { children: string }) {
  const terms = use(MarkContext);
  if (terms.length === 0) return children;
  return pieces(children, terms).map(({ text, marked }, i) => (marked ? <mark key={i}>{text}</mark> : text));
}
