import { matchRoutes, type RouteObject } from 'react-router';
import { cookie } from '../session/cookies.ts';

/** What the router keeps in the page: its routes, and the files of each route that it knows. */
interface RouterWindow {
  __reactRouterDataRouter?: { routes: RouteObject[] };
  __reactRouterManifest?: {
    routes: Readonly<Record<string, { module: string; imports?: readonly string[] } | undefined>>;
  };
}

/** A mouse that only crosses a link leaves it sooner. */
const DWELL_MS = 60;

/** After this time the router knows the pages that the page links to. */
const AFTER_MS = 2500;

const requested = new Set<string>();

/**
 * Requests the scripts of the page behind a path, all at once: on a click they would be found one after the other, as each names the next. Its
 * data is not requested; a page is counted as seen when its data is read. Does nothing for a path that the router does not know yet.
 */
function request(pathname: string): void {
  const { __reactRouterDataRouter: router, __reactRouterManifest: manifest } = window as RouterWindow;
  for (const { route } of matchRoutes(router?.routes ?? [], pathname) ?? []) {
    const files = manifest?.routes[route.id ?? ''];
    for (const href of files ? [files.module, ...(files.imports ?? [])] : []) {
      if (requested.has(href)) continue;
      requested.add(href);
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    }
  }
}

const linkOf = ({ target }: Event): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;

/**
 * Loads the scripts of pages before they are opened: of a link that is touched or under a resting mouse, and on phones of the signed-in user's
 * centre, which most visits open. Not where the user saves data.
 */
export function watchLinks(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData === true) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const options = { capture: true, passive: true };
  document.addEventListener(
    'touchstart',
    (event) => {
      const link = linkOf(event);
      // After the touch itself has been painted.
      if (link) setTimeout(() => request(link.pathname));
    },
    options,
  );
  document.addEventListener(
    'mouseover',
    (event) => {
      clearTimeout(timer);
      const link = linkOf(event);
      if (link) timer = setTimeout(() => request(link.pathname), DWELL_MS);
    },
    options,
  );
  if (cookie('token') && window.matchMedia('(hover: none)').matches) setTimeout(() => request('/center'), AFTER_MS);
}
