import type { stepUpPurposes } from '#subjects/accounts/contract/step-up.ts';

/** The purpose of a step-up. */
export type StepUpPurpose = (typeof stepUpPurposes)[number];

/** An open prompt, for the dialog that a `PromptHost` renders (web/parts/site/prompts.tsx). */
interface PromptRequest<A> {
  about: A;
  /** true once the request is completed, false when the dialog was closed. */
  settle: (isDone: boolean) => void;
}

/** A dialog that code opens and waits for, while a host renders it. `A` is what the request is about. */
export interface Prompt<A = void> {
  /**
   * Opens the dialog and resolves to whether what it asks for was done. Calls about the same share one dialog; one about something else
   * closes the dialog that is open.
   */
  ask: (about: A) => Promise<boolean>;
  /** For useSyncExternalStore. */
  subscribe: (listener: () => void) => () => void;
  /** The current request; there is one at a time. */
  current: () => PromptRequest<A> | null;
}

/** A prompt with its own dialog. */
export function prompt<A = void>(): Prompt<A> {
  let current: PromptRequest<A> | null = null;
  let answer = Promise.resolve(false);
  const listeners = new Set<() => void>();
  const publish = (next: PromptRequest<A> | null): void => {
    current = next;
    for (const listener of listeners) listener();
  };
  return {
    ask: (about) => {
      if (current !== null && current.about === about) return answer;
      current?.settle(false);
      answer = new Promise<boolean>((resolve) => {
        const request: PromptRequest<A> = {
          about,
          settle: (isDone) => {
            // A late result of a replaced request must not close the open one.
            if (current === request) publish(null);
            resolve(isDone);
          },
        };
        publish(request);
      });
      return answer;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => current,
  };
}

/** The owner's proof before money or security settings change. */
export const stepUpPrompt = prompt<StepUpPurpose>();
/** The log-in after a session has ended (`logInAgain` in session-regain.ts). */
export const regainPrompt = prompt();
/** The identity of a user, which trades need. */
export const identityPrompt = prompt();
/** The second factor of staff. */
export const factorPrompt = prompt();
