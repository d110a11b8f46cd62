import { useSyncExternalStore } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { currentRegain, subscribeRegain } from '#web/lib/session-regain.ts';

const RegainDialog = lazyWithRetry(() => import('./regain-dialog.lazy.tsx'));

/** Renders the log-in dialog for an ended session; used once, in the root. */
export function RegainHost() {
  const request = useSyncExternalStore(subscribeRegain, currentRegain, () => null);
  if (!request) return null;
  return <RegainDialog onDone={() => request.settle(true)} onClose={() => request.settle(false)} />;
}
