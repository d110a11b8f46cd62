import { useSyncExternalStore } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { factorPrompt } from '#web/lib/prompt.ts';

const FactorDialog = lazyWithRetry(() => import('./factor-dialog.lazy.tsx'));

/** Renders the dialog for the second factor when a decision requires it; used once, in the back office. */
export function FactorHost() {
  const request = useSyncExternalStore(factorPrompt.subscribe, factorPrompt.current, () => null);
  if (!request) return null;
  return <FactorDialog onDone={() => request.settle(true)} onClose={() => request.settle(false)} />;
}
