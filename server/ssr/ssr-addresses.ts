import type { ServerBuild } from 'react-router';

/** The first segment of a route's path or of a URL, compared like the router does: case-insensitively. */
function firstOf(path: string): string {
  return (path.replace(/^\//, '').split('/')[0] ?? '').toLowerCase();
}

/** Whether a segment is static (no parameter, wildcard or optional part). */
const isPlain = (part: string): boolean => !/[:*?]/.test(part);

/** Static first segments of the URLs of a build's pages. */
export function firstParts(build: Pick<ServerBuild, 'routes'>): ReadonlySet<string> {
  const parts = Object.values(build.routes).flatMap((route) => (route?.path === undefined ? [] : firstOf(route.path)));
  return new Set(parts.filter(isPlain));
}

/** Where the router requests the routes of links: a special URL that no page has. */
const MANIFEST = '/__manifest';

/** The first segment of a URL; undefined for encoded paths and the router's own requests (data, manifest). */
export function firstPart(pathname: string): string | undefined {
  const isOwn = pathname.endsWith('.data') || pathname === MANIFEST;
  return isOwn || pathname.includes('%') ? undefined : firstOf(pathname);
}
