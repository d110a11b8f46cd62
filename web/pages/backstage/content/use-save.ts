import { useState } from 'react';
import { asFailure, failureMessage } from '#web/lib/call-errors.ts';

/** Submits a form of the content pages: one message beside the button on failure, and the input is kept. */
export function useSave() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  /** Runs `send` and returns whether it succeeded. */
  const save = async (send: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      await send();
      return true;
    } catch (thrown) {
      setError(failureMessage(asFailure(thrown)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, setError, save };
}
