import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { STOREFRONT, urlMap } from '#web/lib/url-map.ts';

/** A storefront page may load this much JavaScript, as browsers get it (specification of the storefront, Speed). */
const BUDGET_BYTES = 130 * 1024;
const CLIENT = join(process.cwd(), 'build/client');
/** What Mantine's code says of itself: its style variables, its class names, its error texts. */
const MANTINE = /--mantine-|@mantine\/|["'`]mantine-(?!color-scheme)/;

interface RouteChunk {
  parentId?: string;
  module: string;
  imports: string[];
  css: string[];
}

interface Manifest {
  url: string;
  entry: RouteChunk;
  routes: Record<string, RouteChunk>;
}

let manifest: Manifest;

beforeAll(async () => {
  // By a computed address: a plain script has no types to import.
  const ground = (await import(pathToFileURL(join(process.cwd(), 'scripts/lib/ground.mjs')).href)) as {
    ensurePages(node: string): Promise<void>;
    findNode(): string;
  };
  await ground.ensurePages(ground.findNode());
  const name = readdirSync(join(CLIENT, 'assets')).find((file) => /^manifest-.*\.js$/.test(file)) ?? '';
  const text = readFileSync(join(CLIENT, 'assets', name), 'utf8').trim();
  manifest = JSON.parse(text.replace(/^window\.__reactRouterManifest=/, '').replace(/;$/, '')) as Manifest;
  manifest.url = `/assets/${name}`;
}, 180_000);

const textOf = (url: string): string => readFileSync(join(CLIENT, url), 'utf8');

/** Bytes of a file as a browser of today gets it. */
function servedBytes(url: string): number {
  const brotli = join(CLIENT, `${url}.br`);
  return statSync(existsSync(brotli) ? brotli : join(CLIENT, url)).size;
}

/** Addresses that a chunk names: in static imports, or in `import()` as well. */
function importsOf(url: string, withDynamic: boolean): string[] {
  const found = [...textOf(url).matchAll(/(?:from|import)\s*(\(?)\s*["'`]\.\/([\w.~-]+\.js)["'`]/g)];
  return found.filter(([, dynamic]) => withDynamic || !dynamic).map(([, , file]) => `/assets/${file ?? ''}`);
}

function closureOf(urls: Iterable<string>, withDynamic: boolean): Set<string> {
  const reached = new Set<string>();
  const open = [...urls];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (reached.has(url)) continue;
    reached.add(url);
    open.push(...importsOf(url, withDynamic));
  }
  return reached;
}

/** The route of a page and those it stands in, up to the root. */
function branchOf(id: string): RouteChunk[] {
  const route = manifest.routes[id];
  return route ? [route, ...(route.parentId === undefined ? [] : branchOf(route.parentId))] : [];
}

/** Chunks that opening a page loads. */
function chunksOf(id: string, withDynamic = false): Set<string> {
  const routes = [manifest.entry, ...branchOf(id)];
  // The manifest itself is not loaded: each page carries its own part of it, and asks for more by its links.
  return closureOf(
    routes.flatMap(({ module, imports }) => [module, ...imports]),
    withDynamic,
  );
}

const storefront = urlMap
  .filter(({ layout, file }) => file !== undefined && STOREFRONT.includes(layout))
  .map(({ path }) => path);

describe.each(storefront)('%s', (path) => {
  const id = `page:${path}`;

  test('is built', () => {
    expect(branchOf(id).length).toBeGreaterThan(1);
  });

  test('loads no Mantine, at once or later', () => {
    const chunks = [...chunksOf(id, true)];
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.filter((url) => MANTINE.test(textOf(url)))).toEqual([]);
    expect(branchOf(id).flatMap(({ css }) => css)).toEqual([]);
  });

  test('keeps to its budget of JavaScript', () => {
    const bytes = [...chunksOf(id)].reduce((sum, url) => sum + servedBytes(url), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES);
  });
});

test('the sign of Mantine is found where it is used', () => {
  const center = Object.keys(manifest.routes).filter((id) => id.startsWith('page:/center'));
  expect(center.length).toBeGreaterThan(0);
  for (const id of center) expect([...chunksOf(id)].some((url) => MANTINE.test(textOf(url)))).toBe(true);
});
