import type { FormEvent } from 'react';
import { useState } from 'react';
import { isNetworkFailure } from '#web/lib/api/api-failure.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';

/** Sends a lookup from a form and stores its response or its error message; the input is kept. */
export function useRequest<T>(request: () => Promise<T>) {
  const [response, setResponse] = useState<T | null>(null);
  const { busy, errors, send } = useMutation<string | null, T>(() => request(), {
    check: (problem) => ({ send: problem ?? undefined }),
    failed: (failure) => (isNetworkFailure(failure) ? { send: '网络超时，请检查网络后重试' } : undefined),
    done: setResponse,
  });
  const submit = async (event: FormEvent, problem: string | null) => {
    event.preventDefault();
    setResponse(null);
    await send(problem);
  };
  return { response, error: errors.send, busy, submit };
}
