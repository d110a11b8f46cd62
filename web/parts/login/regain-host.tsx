import { useSyncExternalStore } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { currentRegain, subscribeRegain } from '#web/lib/session-regain.ts';

const RegainDialog = lazyWithRetry(() => import('./regain-dialog.lazy.tsx'));

/** Where the one dialog stands that brings a lost session back; stands once in the root. */
export function RegainHost() {
  const request = useSyncExternalStore(subscribeRegain, currentRegain, () => null);
  if (!request) return null;
  return <RegainDialog onDone={() => request.settle(true)} onClose={() => request.settle(false)} />;
}
