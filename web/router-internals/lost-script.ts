import type { Plugin } from 'vite';

const RELOAD = 'window.location.reload();';

/**
 * The router reloads the page on screen when the next page's script cannot be fetched: without a server this shows the browser's own
 * error page, and typed input is lost. In the browser's build the failure goes to `lib/loading/failed-navigation.ts`.
 * @throws Error when the router's code is no longer what it was
 */
export function reportLostScript(code: string): string {
  if (code.split(RELOAD).length !== 2)
    throw new Error(
      'react-router reloads no longer, or more than once, where a script is lost (routeModules.js): look at web/router-internals/lost-script.ts; STOCK_ROUTER=scripts builds without it.',
    );
  return code.replace(RELOAD, "window.dispatchEvent(new Event('script-lost'));");
}

/** The change above, for Vite. */
export function lostScript(): Plugin {
  return {
    name: 'lost-script',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].*[\\/]routeModules\.js$/ },
      handler: (code) => ({ code: reportLostScript(code), map: null }),
    },
  };
}
