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

/** The browser build, as described by the router's manifest and the files themselves. URLs start with `/assets/`. */
export interface BuiltPages {
  readonly routes: Readonly<Record<string, RouteChunk>>;
  /** The route of a page and its parents, up to the root. */
  branchOf(id: string): RouteChunk[];
  /** Chunks that opening a page loads; with `withDynamic` also those that it may load later. */
  chunksOf(id: string, withDynamic?: boolean): Set<string>;
  textOf(url: string): string;
  /** Transfer size of a file for a current browser, in bytes. */
  servedBytes(url: string): number;
}

/** Reads a finished build; `client` is the folder that contains `assets`. */
export function readBuiltPages(client: string): BuiltPages {
  const textOf = (url: string): string => readFileSync(join(client, url), 'utf8');
  const name = readdirSync(join(client, 'assets')).find((file) => /^manifest-.*\.js$/.test(file)) ?? '';
  const text = textOf(`/assets/${name}`).trim();
  const { entry, routes } = JSON.parse(
    text.replace(/^window\.__reactRouterManifest=/, '').replace(/;$/, ''),
  ) as Manifest;

  /** URLs imported by a chunk: statically, or by `import()` as well. */
  function importsOf(url: string, withDynamic: boolean): string[] {
    const found = [...textOf(url).matchAll(/(?:from|import)\s*(?:(\()\s*)?["'`]\.\/([\w.~-]+\.js)["'`]/g)];
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
      // The manifest itself is not loaded: each page contains its own part of it, and loads more for its links.
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
