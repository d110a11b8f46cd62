import { useState } from 'react';
import { asFailure, failureMessage } from '#web/lib/call-errors.ts';

/** Sending a form of the content office: one refusal beside the button, and nothing typed is lost. */
export function useSave() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  /** Runs `send`; answers whether it went through. */
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
