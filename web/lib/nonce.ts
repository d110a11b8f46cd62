import { createContext, use } from 'react';

/** The response's CSP nonce while rendering on the server; undefined in the browser, which hides nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);

/** The document's nonce on either side, for style elements that are made by script: the browser still tells it as a property. */
export function useNonce(): string | undefined {
  const rendered = use(NonceContext);
  if (import.meta.env.SSR) return rendered;
  return document.getElementById('app-css')?.nonce || undefined;
}
