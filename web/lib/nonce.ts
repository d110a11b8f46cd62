import { createContext, use } from 'react';

/** The response's CSP nonce while rendering on the server; undefined in the browser, which hides nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);

/**
 * The document's nonce on server and browser, for style elements created by script: the browser still exposes it as a
 * property.
 */
export function useNonce(): string | undefined {
  const rendered = use(NonceContext);
  if (import.meta.env.SSR) return rendered;
  return document.getElementById('app-css')?.nonce || undefined;
}
