/** A request of the back office for the second factor; there is one dialog at a time. */
interface FactorRequest {
  /** true after the code was accepted, false when the dialog was closed. */
  settle: (isProved: boolean) => void;
}

let current: FactorRequest | null = null;
let pending: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function publish(next: FactorRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeFactor(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current request. */
export function currentFactor(): FactorRequest | null {
  return current;
}

/** Opens the dialog and resolves to whether the second factor was given. Several writes at the same time share one dialog. */
export function askSecondFactor(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    publish({
      settle: (isProved) => {
        publish(null);
        pending = null;
        resolve(isProved);
      },
    });
  });
  return pending;
}
