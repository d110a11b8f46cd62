import type { ServerBuild } from 'react-router';

/** The first part of a route's path or of an address, as the router compares them: without regard to case. */
function firstOf(path: string): string {
  return (path.replace(/^\//, '').split('/')[0] ?? '').toLowerCase();
}

/** Whether a first part stands for itself alone. */
const isPlain = (part: string): boolean => !/[:*?]/.test(part);

/** First parts of the addresses of a build's pages. */
export function firstParts(build: Pick<ServerBuild, 'routes'>): ReadonlySet<string> {
  const parts = Object.values(build.routes).flatMap((route) => (route?.path === undefined ? [] : firstOf(route.path)));
  return new Set(parts.filter(isPlain));
}

/** The first part of an address; undefined for what is no page's plain address. */
export function firstPart(pathname: string): string | undefined {
  return pathname.includes('%') || pathname.endsWith('.data') ? undefined : firstOf(pathname);
}

/**
 * A build with the pages of one first part alone, with every frame and with the pages that answer to anything: for an address of that
 * first part it matches as the whole does. The router tries its routes one by one, several times a page, and there are more than a hundred.
 */
export function buildFor(build: ServerBuild, first: string): ServerBuild {
  const routes = Object.entries(build.routes).filter(([, route]) => {
    if (route?.path === undefined || route.path === '') return true;
    const part = firstOf(route.path);
    return part === first || !isPlain(part);
  });
  return { ...build, routes: Object.fromEntries(routes) };
}
