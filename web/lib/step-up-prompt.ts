import type { stepUpPurposes } from '#subjects/accounts/contract/step-up.ts';

/** The purpose of a step-up. */
export type StepUpPurpose = (typeof stepUpPurposes)[number];

/** The current request, if any; there is one dialog at a time. */
export interface StepUpRequest {
  purpose: StepUpPurpose;
  /** true after a successful step-up, false when the dialog was closed. */
  settle: (isProved: boolean) => void;
}

let current: StepUpRequest | null = null;
const listeners = new Set<() => void>();

function publish(next: StepUpRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeStepUp(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current request. */
export function currentStepUp(): StepUpRequest | null {
  return current;
}

/** Opens the dialog and resolves to whether the step-up succeeded. */
export function proveOwner(purpose: StepUpPurpose): Promise<boolean> {
  current?.settle(false);
  return new Promise((resolve) => {
    publish({
      purpose,
      settle: (isProved) => {
        publish(null);
        resolve(isProved);
      },
    });
  });
}
