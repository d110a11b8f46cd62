import { useSyncExternalStore } from 'react';
import { currentFactor, subscribeFactor } from '#web/lib/factor-prompt.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';

const FactorDialog = lazyWithRetry(() => import('./factor-dialog.lazy.tsx'));

/** Renders the dialog for the second factor when a decision asks for it; used once, in the back office. */
export function FactorHost() {
  const request = useSyncExternalStore(subscribeFactor, currentFactor, () => null);
  if (!request) return null;
  return <FactorDialog onDone={() => request.settle(true)} onClose={() => request.settle(false)} />;
}
