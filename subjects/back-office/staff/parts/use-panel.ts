import { useCallback, useEffect, useRef, useState } from 'react';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { readPart } from './read.ts';

/** A part of a page that loads and fails on its own. */
export interface PanelState<T> {
  data: T | null;
  /** The data belongs to another input than the current one, which is still loading or has failed. */
  isOld: boolean;
  /** Why the last load failed; data of an earlier one is kept. */
  failure: string | null;
  isLoading: boolean;
  reload: () => void;
}

interface PanelOptions<T> {
  /** Reload interval in ms, while the page is visible. */
  everyMs?: number;
  /** A response that the loader already has: it is shown without a call until a newer response replaces it. */
  initial?: T | null;
}

/**
 * Loads one part of a page in the browser; a changed input loads again and keeps showing the previous data meanwhile.
 */
export function usePanel<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { everyMs, initial = null }: PanelOptions<Data<E>> = {},
): PanelState<Data<E>> {
  const key = JSON.stringify(input);
  const [turn, setTurn] = useState(0);
  const request = `${key} ${turn}`;
  const [state, setState] = useState<{
    data: Data<E> | null;
    /** The input of the data. */
    of: string;
    failure: string | null;
    answered: string | null;
  }>({ data: initial, of: key, failure: null, answered: initial === null ? null : request });
  const [adopted, setAdopted] = useState(initial);
  if (initial !== null && initial !== adopted) {
    setAdopted(initial);
    setState({ data: initial, of: key, failure: null, answered: request });
  }
  const loaded = useRef(initial === null ? null : request);
  const readAgain = useCallback(() => setTurn((n) => n + 1), []);
  /** A retry clears the previous error message. */
  const reload = useCallback(() => {
    setState((old) => ({ ...old, failure: null }));
    readAgain();
  }, [readAgain]);
  useEffect(() => {
    if (loaded.current === request) return;
    loaded.current = null;
    return readPart(
      endpoint,
      JSON.parse(key) as Input<E>,
      (data) => setState({ data, of: key, failure: null, answered: request }),
      (failure) => setState((old) => ({ ...old, failure, answered: request })),
    );
  }, [endpoint, key, request]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') readAgain();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, readAgain]);
  const { data, of, failure, answered } = state;
  return { data, isOld: data !== null && of !== key, failure, isLoading: answered !== request, reload };
}
