import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import type HintText from './contact-hint.lazy.tsx';

/** Without its script there is no hint: the server cuts the sentences all the same. */
const Hint = lazyWithRetry<ComponentProps<typeof HintText>>(() =>
  import('./contact-hint.lazy.tsx').catch(() => ({ default: () => null })),
);

/**
 * Stands under a field whose text other people read and says, while it is typed, which sentences will be cut. `isReviewed`: staff look at the
 * original; `isName`: it is refused and not cut. The filter is loaded with the first sign.
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

/** Puts the hint under a control that keeps its text itself: listens to what is typed into it. `initial` is what it begins with. */
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
