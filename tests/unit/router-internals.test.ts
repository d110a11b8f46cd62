/**
 * What `web/router-internals` takes for granted of React and the router. A failure here after an update names the part; the market runs
 * without it, built with `STOCK_ROUTER=<part>` (decision 229).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createElement as h } from 'react';
import { expect, test } from 'vitest';
import {
  createRequestHandler,
  type EntryContext,
  matchRoutes,
  Outlet,
  type RouteObject,
  RouterContextProvider,
  Scripts,
  type ServerBuild,
} from 'react-router';
import { startLater } from '#web/router-internals/defer-scripts.ts';
import { withoutReload } from '#web/router-internals/lost-script.ts';
import { type Rendering, renderStock, renderWhole } from '#web/router-internals/render.tsx';
import { isStock } from '#web/router-internals/stock.ts';
import { buildFor, firstPart, firstParts } from '#web/router-internals/routes-of-part.ts';
import { urlMap } from '#web/lib/url-map.ts';

type Routes = Record<string, { id: string; parentId?: string; path?: string }>;

const routes: Routes = { root: { id: 'root', path: '' }, frame: { id: 'frame', parentId: 'root' } };
for (const { path, file } of urlMap)
  if (file) routes[`page:${path}`] = { id: `page:${path}`, parentId: 'frame', path: path.replace(/^\//, '') };
routes.any = { id: 'any', parentId: 'frame', path: '*' };
const build = {
  routes,
  assets: { routes: Object.fromEntries(Object.keys(routes).map((id) => [id, { id }])) },
} as unknown as ServerBuild;

const tree = (of: Routes, parent?: string): RouteObject[] =>
  Object.values(of)
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path }) => ({ id, ...(path !== undefined && { path }), children: tree(of, id) }) as RouteObject);

const found = (of: ServerBuild, address: string) =>
  matchRoutes(tree(of.routes as unknown as Routes), address)?.map(({ route, params }) => [route.id, params]);

test('every page of the URL map is found among the routes of its first segment as among all', () => {
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

test('data requests and encoded URLs use the whole router', () => {
  expect(firstPart('/detail/YS1.data')).toBeUndefined();
  // Otherwise a crowd on URLs that no page has gets its cached 404 page in place of the manifest.
  expect(firstPart('/__manifest')).toBeUndefined();
  expect(firstPart('/%64etail/YS1')).toBeUndefined();
  expect(firstPart('/Detail/YS1')).toBe('detail');
  const part = buildFor(build, 'detail');
  expect(Object.keys(part.routes).length).toBeLessThan(Object.keys(routes).length / 4);
  expect(Object.keys(part.assets.routes)).toEqual(Object.keys(part.routes));
});

const { resolve } = createRequire(import.meta.url);
/** A file of an installed package, beside its entry. */
const fileOf = (name: string, path: string) =>
  readFileSync(resolve(`${name}/package.json`).replace(/package\.json$/, path), 'utf8');

type Render = (rendering: Rendering) => Promise<string>;

/** A page of one route with a loader, as the router's own handler answers it when pages are rendered by `render`. */
async function pageBy(render: Render, data: unknown): Promise<string> {
  const route = (id: string, own: object) => ({ id, module: { default: () => h(Outlet), ...own } });
  const layout = () => h('html', null, h('head'), h('body', null, h('p', null, '游市'), h(Outlet), h(Scripts, null)));
  const entry = (id: string, own: object) => [
    id,
    { id, module: `/assets/${id}.js`, imports: ['/assets/shared.js'], css: [], ...own },
  ];
  const small = {
    entry: {
      module: {
        default: async (request: Request, status: number, headers: Headers, context: EntryContext) =>
          new Response(await render({ context, url: request.url, nonce: 'n0nce', wrap: (router) => router }), {
            status,
            headers,
          }),
      },
    },
    routes: {
      root: route('root', { default: layout }),
      page: {
        ...route('page', { default: () => h('main', null, '商品'), loader: () => data }),
        parentId: 'root',
        path: 'goods',
      },
      other: { ...route('other', {}), parentId: 'root', path: 'other' },
    },
    assets: {
      entry: { imports: [], module: '/assets/entry.js' },
      routes: Object.fromEntries([
        entry('root', {}),
        entry('page', { parentId: 'root', path: 'goods', hasLoader: true }),
        entry('other', { parentId: 'root', path: 'other' }),
      ]),
      url: '/assets/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: {},
    isSpaMode: false,
    prerender: [],
    ssr: true,
    routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
  } as unknown as ServerBuild;
  const response = await createRequestHandler(small, 'production')(
    new Request('http://localhost/goods'),
    new RouterContextProvider(),
  );
  expect(response.status).toBe(200);
  return await response.text();
}

/** What a page hands to the router in the browser, as it arrives there, and the rest of the page. */
function parts(html: string): { handed: string; ends: boolean; shown: string } {
  const call = /window\.__reactRouterContext\.streamController\.enqueue\(("(?:[^"\\]|\\.)*")\);/g;
  const handed = [...html.matchAll(call)].map(([, text]) => JSON.parse(text ?? '""') as string).join('');
  const ends = html.includes('window.__reactRouterContext.streamController.close();');
  const visible = html.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<!--[\s\S]*?-->/g, '');
  return { handed, ends, shown: visible };
}

test('render: a page rendered to a string has the same data and markup as the router’s own stream', async () => {
  const data = {
    name: '</script><b>金币 & 账号',
    at: new Date(0),
    list: Array.from({ length: 50 }, (_, n) => `第${n}件`),
  };
  const [whole, stock] = [parts(await pageBy(renderWhole, data)), parts(await pageBy(renderStock, data))];
  expect(stock.handed, 'react-router hands data over in another way: render.tsx, handOff').toContain('第49件');
  expect(whole.handed).toBe(stock.handed);
  expect(whole.ends && stock.ends).toBe(true);
  expect(whole.shown).toContain('<main>商品</main>');
  expect(whole.shown).toBe(stock.shown);
});

test.each([
  ['whole', renderWhole],
  ['stock', renderStock],
])('defer: a page rendered %s starts no script by itself', async (_, render) => {
  const html = await pageBy(render, {});
  expect(html, 'react-router writes its scripts in another way: defer-scripts.ts, startLater').toMatch(
    /<link rel="modulepreload"[\s\S]*<script [^>]*type="module" async="">/,
  );
  const deferred = startLater(html);
  expect(deferred).not.toMatch(/modulepreload|type="module"/);
  expect(deferred.match(/<script [^>]*type="later">/g)).toHaveLength(1);
});

test('scripts: the router reloads in one place when a script is missing', () => {
  const code = fileOf('react-router', 'dist/production/lib/dom/ssr/routeModules.js');
  expect(withoutReload(code)).toContain("window.dispatchEvent(new Event('script-lost'));");
  expect(() => withoutReload('')).toThrow('STOCK_ROUTER=scripts');
});

test('fields: React tracks field values where our code resets them', () => {
  const code = fileOf('react-dom', 'cjs/react-dom-client.production.js');
  const message = 'React no longer keeps _valueTracker with setValue on a field: field-tracker.ts';
  expect(code, message).toMatch(/_valueTracker = /);
  expect(code, message).toMatch(/setValue: function/);
});

test('one setting turns parts off by name, or all of them', () => {
  for (const part of ['render', 'routes', 'defer', 'scripts', 'fields'] as const) {
    expect(isStock(part, '')).toBe(false);
    expect(isStock(part, '1')).toBe(true);
    expect(isStock(part, `x,${part}`)).toBe(true);
  }
  expect(isStock('render', 'routes')).toBe(false);
});
