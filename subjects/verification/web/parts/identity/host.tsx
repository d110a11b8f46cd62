import { useSyncExternalStore } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { identityPrompt } from '#web/lib/prompt.ts';

const IdentityDialog = lazyWithRetry(() => import('./dialog.lazy.tsx'));

/** Renders the dialog for the real name when a trade requires it; used once, in the root. */
export function IdentityHost() {
  const request = useSyncExternalStore(identityPrompt.subscribe, identityPrompt.current, () => null);
  if (!request) return null;
  return <IdentityDialog onDone={() => request.settle(true)} onClose={() => request.settle(false)} />;
}
