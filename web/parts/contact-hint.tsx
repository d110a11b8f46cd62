import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import type HintText from './contact-hint.lazy.tsx';

/** If its script fails to load there is no hint; the server cuts the sentences anyway. */
const Hint = lazyWithRetry<ComponentProps<typeof HintText>>(() =>
  import('./contact-hint.lazy.tsx').catch(() => ({ default: () => null })),
);

/**
 * Displayed below a field whose text other users see: shows, while typing, which sentences will be cut. `isReviewed`:
 * staff see the original; `isName`: the text is rejected instead of cut. The filter is loaded with the first character.
 */
export function ContactHint({
  text,
  isReviewed = false,
  isName = false,
}: {
  text: string;
  isReviewed?: boolean;
  isName?: boolean;
}) {
  if (text.trim() === '') return null;
  return <Hint text={text} isReviewed={isReviewed} isName={isName} />;
}

/** Adds the hint below an uncontrolled field: listens to its input. `initial` is its initial text. */
export function ContactWatch({
  initial = '',
  isName = false,
  children,
}: {
  initial?: string | undefined;
  isName?: boolean;
  children: ReactNode;
}) {
  const [text, setText] = useState(initial);
  const onInput = ({ target }: FormEvent) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) setText(target.value);
  };
  return (
    <div className="contents" onInput={onInput}>
      {children}
      <ContactHint text={text} isName={isName} />
    </div>
  );
}
