import type { Plugin } from 'vite';

const RELOAD = 'window.location.reload();';

/** What the router asks of its instrumentation, for a market that has none. A name that is missing fails the build. */
const NO_INSTRUMENTATION = `
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
export const instrumentHandler = (handler) => handler;
export const instrumentationResultMetaContext = null;
`;

/**
 * Two things that the browser's build does otherwise than the router. The router reloads the page on screen when the next page's
 * script cannot be fetched: without a server that is the browser's own error page, and what was typed is gone, so the failure goes to
 * `lib/failed-navigation.ts`. And its instrumentation, which nobody here uses, is left out, a hundredth of what a page loads. Fails when the
 * router's code is no longer what it was.
 */
export function routerParts(): Plugin {
  return {
    name: 'router-parts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].*[\\/](routeModules|instrumentation)\.js$/ },
      handler(code, id) {
        if (id.endsWith('instrumentation.js')) return { code: NO_INSTRUMENTATION, map: null };
        if (code.split(RELOAD).length !== 2) this.error('The router no longer reloads for a lost script where it did.');
        return { code: code.replace(RELOAD, "window.dispatchEvent(new Event('script-lost'));"), map: null };
      },
    },
  };
}
