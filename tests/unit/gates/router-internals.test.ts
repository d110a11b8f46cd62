/**
 * What `web/router-internals` takes for granted of React and the router. A failure here after an update names the part; the market runs
 * without it, built with `STOCK_ROUTER=<part>` (decision 229).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createElement as h } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { expect, test } from 'vitest';
import {
  createRequestHandler,
  type EntryContext,
  Outlet,
  RouterContextProvider,
  Scripts,
  ServerRouter,
  type ServerBuild,
} from 'react-router';
import { firstPart, firstParts } from '#server/ssr/ssr-addresses.ts';
import { startLater } from '#web/router-internals/defer-scripts.ts';
import { reportLostScript } from '#web/router-internals/lost-script.ts';
import { isStock } from '#web/router-internals/stock.ts';
import { urlMap } from '#web/lib/pages/url-map.ts';

type Routes = Record<string, { id: string; parentId?: string; path?: string }>;

const routes: Routes = { root: { id: 'root', path: '' }, frame: { id: 'frame', parentId: 'root' } };
for (const { path, file } of urlMap)
  if (file) routes[`page:${path}`] = { id: `page:${path}`, parentId: 'frame', path: path.replace(/^\//, '') };
routes.any = { id: 'any', parentId: 'frame', path: '*' };
const build = { routes } as unknown as ServerBuild;

test('an address is unknown by its first segment, but for data requests and encoded ones', () => {
  const known = firstParts(build);
  for (const { path } of urlMap) {
    const part = firstPart(path.replace(/:\w+\??/g, 'YS1234567').replace(/\*$/, 'x'));
    expect(part === undefined || part === '' || known.has(part), path).toBe(true);
  }
  expect(known.has('wp-login')).toBe(false);
  expect(firstPart('/detail/YS1.data')).toBeUndefined();
  // Otherwise a crowd on URLs that no page has gets its cached 404 page in place of the manifest.
  expect(firstPart('/__manifest')).toBeUndefined();
  expect(firstPart('/%64etail/YS1')).toBeUndefined();
  expect(firstPart('/Detail/YS1')).toBe('detail');
});

const { resolve } = createRequire(import.meta.url);
/** A file of an installed package, beside its entry. */
const fileOf = (name: string, path: string) =>
  readFileSync(resolve(`${name}/package.json`).replace(/package\.json$/, path), 'utf8');

/** A page of one route with a loader, as the router renders it. */
async function renderedPage(): Promise<string> {
  const route = (id: string, own: object) => ({ id, module: { default: () => h(Outlet), ...own } });
  const layout = () => h('html', null, h('head'), h('body', null, h('p', null, '游市'), h(Outlet), h(Scripts, null)));
  const entry = (id: string, own: object) => [
    id,
    { id, module: `/assets/${id}.js`, imports: ['/assets/shared.js'], css: [], ...own },
  ];
  const small = {
    entry: {
      module: {
        default: async (request: Request, status: number, headers: Headers, context: EntryContext) => {
          const router = h(ServerRouter, { context, url: request.url, nonce: 'n0nce' });
          const stream = await renderToReadableStream(router, { nonce: 'n0nce' });
          return new Response(stream, { status, headers });
        },
      },
    },
    routes: {
      root: route('root', { default: layout }),
      page: {
        ...route('page', { default: () => h('main', null, '商品'), loader: () => ({}) }),
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

test('defer: a rendered page starts no script by itself', async () => {
  const html = await renderedPage();
  expect(html, 'react-router writes its scripts in another way: defer-scripts.ts, startLater').toMatch(
    /<link rel="modulepreload"[\s\S]*<script [^>]*type="module" async="">/,
  );
  const deferred = startLater(html);
  expect(deferred).not.toMatch(/modulepreload|type="module"/);
  expect(deferred.match(/<script [^>]*type="later">/g)).toHaveLength(1);
});

test('scripts: the router reloads in one place when a script is missing', () => {
  const code = fileOf('react-router', 'dist/production/lib/dom/ssr/routeModules.js');
  expect(reportLostScript(code)).toContain("window.dispatchEvent(new Event('script-lost'));");
  expect(() => reportLostScript('')).toThrow('STOCK_ROUTER=scripts');
});

test('fields: React tracks field values where our code resets them', () => {
  const code = fileOf('react-dom', 'cjs/react-dom-client.production.js');
  const message = 'React no longer keeps _valueTracker with setValue on a field: field-tracker.ts';
  expect(code, message).toMatch(/_valueTracker = /);
  expect(code, message).toMatch(/setValue: function/);
});

test('one setting turns parts off by name, or all of them', () => {
  for (const part of ['defer', 'scripts', 'fields'] as const) {
    expect(isStock(part, '')).toBe(false);
    expect(isStock(part, '1')).toBe(true);
    expect(isStock(part, `x,${part}`)).toBe(true);
  }
  expect(isStock('defer', 'scripts')).toBe(false);
});
