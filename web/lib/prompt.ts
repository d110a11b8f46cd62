/** The request of a prompt, rendered by its host. */
export interface PromptRequest {
  /** true once the request is completed, false when the dialog was closed. */
  settle: (isDone: boolean) => void;
}

/** A dialog that code opens and waits for, while a host renders it. */
export interface Prompt {
  /** Opens the dialog and resolves to whether what it asks for was done. Several calls at the same time share one dialog. */
  ask: () => Promise<boolean>;
  /** For useSyncExternalStore. */
  subscribe: (listener: () => void) => () => void;
  /** The current request; there is one at a time. */
  current: () => PromptRequest | null;
}

/** A prompt with its own dialog. */
export function prompt(): Prompt {
  let current: PromptRequest | null = null;
  let pending: Promise<boolean> | null = null;
  const listeners = new Set<() => void>();
  const publish = (next: PromptRequest | null): void => {
    current = next;
    for (const listener of listeners) listener();
  };
  return {
    ask: () =>
      (pending ??= new Promise<boolean>((resolve) => {
        publish({
          settle: (isDone) => {
            publish(null);
            pending = null;
            resolve(isDone);
          },
        });
      })),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => current,
  };
}

/** The second factor of staff. */
export const factorPrompt = prompt();
/** The identity of a user, which trades need. */
export const identityPrompt = prompt();
