import { lazy, Suspense } from 'react';

const Hint = lazy(() => import('./contact-hint.lazy.tsx'));

/**
 * Stands under a field whose text other people read and says, while it is typed, which sentences will be cut. `isReviewed`: staff look at the
 * original. The filter is loaded with the first sign.
 */
export function ContactHint({ text, isReviewed = false }: { text: string; isReviewed?: boolean }) {
  if (text.trim() === '') return null;
  return (
    <Suspense fallback={null}>
      <Hint text={text} isReviewed={isReviewed} />
    </Suspense>
  );
}
