import { type FormEvent, useState } from 'react';
import { isNetworkFailure, isApiFailure } from '#web/lib/api-failure.ts';

/** Asks one thing, keeps what was typed, and gives the answer or the reason why there is none. */
export function useRequest<T>(request: () => Promise<T>) {
  const [response, setResponse] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent, problem: string | null) => {
    event.preventDefault();
    setResponse(null);
    setError(problem);
    if (problem) return;
    setBusy(true);
    try {
      setResponse(await request());
    } catch (thrown) {
      setError(isApiFailure(thrown) && !isNetworkFailure(thrown) ? thrown.msg : '网络超时');
    } finally {
      setBusy(false);
    }
  };
  return { answer: response, error, busy, submit };
}
