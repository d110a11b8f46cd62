import { useSyncExternalStore } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { currentStepUp, subscribeStepUp } from '#web/lib/step-up-prompt.ts';

const StepUpDialog = lazyWithRetry(() => import('./dialog.lazy.tsx'));

/** Renders the step-up dialog when one is requested; used once, in the root. */
export function StepUpHost() {
  const request = useSyncExternalStore(subscribeStepUp, currentStepUp, () => null);
  if (!request) return null;
  return (
    <StepUpDialog purpose={request.purpose} onDone={() => request.settle(true)} onClose={() => request.settle(false)} />
  );
}
