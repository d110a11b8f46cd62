import { expect, test } from 'vitest';
import type { ServerBuild } from 'react-router';
import { matchRoutes, type RouteObject } from 'react-router';
import { buildFor, firstPart, firstParts } from '#server/ssr-routes.ts';
import { urlMap } from '#web/lib/url-map.ts';

type Routes = Record<string, { id: string; parentId?: string; path?: string }>;

const routes: Routes = { root: { id: 'root', path: '' }, frame: { id: 'frame', parentId: 'root' } };
for (const { path, file } of urlMap)
  if (file) routes[`page:${path}`] = { id: `page:${path}`, parentId: 'frame', path: path.replace(/^\//, '') };
routes.any = { id: 'any', parentId: 'frame', path: '*' };
const build = { routes } as unknown as ServerBuild;

const tree = (of: Routes, parent?: string): RouteObject[] =>
  Object.values(of)
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path }) => ({ id, ...(path !== undefined && { path }), children: tree(of, id) }) as RouteObject);

const found = (of: ServerBuild, address: string) =>
  matchRoutes(tree(of.routes as unknown as Routes), address)?.map(({ route, params }) => [route.id, params]);

test('every page of the URL map is found among its first part’s routes as among all', () => {
  const known = firstParts(build);
  for (const { path } of urlMap) {
    const address = path.replace(/:\w+\??/g, 'YS1234567').replace(/\*$/, 'x');
    for (const tried of [address, `${address}/more`, address.toUpperCase()]) {
      const part = firstPart(tried);
      if (part === undefined || !known.has(part)) continue;
      expect(found(buildFor(build, part), tried), tried).toEqual(found(build, tried));
    }
  }
});

test('data of navigations and encoded addresses go to the whole router', () => {
  expect(firstPart('/detail/YS1.data')).toBeUndefined();
  expect(firstPart('/%64etail/YS1')).toBeUndefined();
  expect(firstPart('/Detail/YS1')).toBe('detail');
  expect(Object.keys(buildFor(build, 'detail').routes).length).toBeLessThan(Object.keys(routes).length / 4);
});
