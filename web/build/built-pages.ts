import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface RouteChunk {
  parentId?: string;
  module: string;
  imports: string[];
  css: string[];
}

interface Manifest {
  entry: RouteChunk;
  routes: Record<string, RouteChunk>;
}

/** What was built for browsers, as the router's manifest and the files themselves tell it. Addresses begin with `/assets/`. */
export interface BuiltPages {
  readonly routes: Readonly<Record<string, RouteChunk>>;
  /** The route of a page and those it stands in, up to the root. */
  branchOf(id: string): RouteChunk[];
  /** Chunks that opening a page loads; `withDynamic` those as well that it may ask for later. */
  chunksOf(id: string, withDynamic?: boolean): Set<string>;
  textOf(url: string): string;
  /** Bytes of a file as a browser of today gets it. */
  servedBytes(url: string): number;
}

/** Reads a finished build, `client` being the folder that holds `assets`. */
export function readBuiltPages(client: string): BuiltPages {
  const textOf = (url: string): string => readFileSync(join(client, url), 'utf8');
  const name = readdirSync(join(client, 'assets')).find((file) => /^manifest-.*\.js$/.test(file)) ?? '';
  const text = textOf(`/assets/${name}`).trim();
  const { entry, routes } = JSON.parse(
    text.replace(/^window\.__reactRouterManifest=/, '').replace(/;$/, ''),
  ) as Manifest;

  /** Addresses that a chunk names: in static imports, or in `import()` as well. */
  function importsOf(url: string, withDynamic: boolean): string[] {
    const found = [...textOf(url).matchAll(/(?:from|import)\s*(\(?)\s*["'`]\.\/([\w.~-]+\.js)["'`]/g)];
    return found.filter(([, dynamic]) => withDynamic || !dynamic).map(([, , file]) => `/assets/${file ?? ''}`);
  }

  function branchOf(id: string): RouteChunk[] {
    const route = routes[id];
    return route ? [route, ...(route.parentId === undefined ? [] : branchOf(route.parentId))] : [];
  }

  return {
    routes,
    branchOf,
    chunksOf(id, withDynamic = false) {
      // The manifest itself is not loaded: each page carries its own part of it, and asks for more by its links.
      const open = [entry, ...branchOf(id)].flatMap(({ module, imports }) => [module, ...imports]);
      const reached = new Set<string>();
      for (let url = open.pop(); url !== undefined; url = open.pop()) {
        if (reached.has(url)) continue;
        reached.add(url);
        open.push(...importsOf(url, withDynamic));
      }
      return reached;
    },
    textOf,
    servedBytes(url) {
      const brotli = join(client, `${url}.br`);
      return statSync(existsSync(brotli) ? brotli : join(client, url)).size;
    },
  };
}
