import { createContext, use } from 'react';
import { requestNumber } from '#contract/rules/request-number.ts';

/** The request's id while rendering on the server; undefined in the browser. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/** The element that shows the number, by which the browser finds what the server rendered. */
export const NUMBER_ELEMENT = 'request-number';

/** The number in the page as it arrived, and the error that it belongs to, known once that is rendered. */
const arrived: { readonly number: string | undefined; error: unknown } = {
  number: import.meta.env.SSR ? undefined : (document.getElementById(NUMBER_ELEMENT)?.textContent ?? undefined),
  error: undefined,
};

function arrivedFor(error: unknown): string | undefined {
  if (arrived.number === undefined) return undefined;
  arrived.error ??= error;
  return arrived.error === error ? arrived.number : undefined;
}

/**
 * The request number of a page's failure in the log: the one contained in the failure, else that of the request that
 * rendered the page. Undefined for a failure only in the browser.
 */
export function useRequestNumber(error: unknown, requestId: string | undefined): string | undefined {
  const rendered = use(RequestIdContext);
  const id = requestId ?? rendered;
  return id === undefined ? arrivedFor(error) : requestNumber(id);
}
