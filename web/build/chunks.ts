import { join } from 'node:path';

/** The bundler's module information during chunking. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const FRAMEWORK = /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/;

/** The modules of every storefront page: the document, the layout around the page, the error page. */
const LAYOUT_ROOTS = ['root.tsx', 'entry.client.tsx', 'layouts/store.tsx', 'layouts/error-layout.tsx'];

/**
 * Our own modules that many pages share. Layouts are excluded: those of centre, chat and back office load more than a storefront page may.
 */
const SHARED =
  /(?<!subjects[\\/][^\\/]+)[\\/]web[\\/](ui|lib|parts(?![\\/]charts[\\/]))[\\/]([^\\/]+[\\/])?[^\\/]+(?<!\.lazy\.tsx)$|[\\/]web[\\/]parts[\\/]((cover|filters)[\\/])?[^\\/]+(?<!\.lazy\.tsx)$|lucide-react|contract[\\/]rules|subjects[\\/][^\\/]+[\\/]rules/;

/** Modules of one subject, loaded only by the pages of that subject. */
const SUBJECTS = /[\\/]web[\\/]parts[\\/][^\\/]+[\\/][^\\/]+(?<!\.lazy\.tsx)$/;

/** A barrel names all icons of all pages; the icons of the layout are bundled with the modules that use them. */
const ICONS = /node_modules[\\/]lucide-react[\\/]/;

/** The pages for finding listings, and the one for judging one: most visits open two of them. */
const LIST_PAGES = ['pages/home/home.tsx', '../subjects/goods/web/list.tsx'];
const GOODS_PAGE = '../subjects/goods/web/detail.tsx';

/** Every module that these files import, directly or indirectly; dynamic imports are not followed. */
function modulesOf(app: string, files: readonly string[], graph: ModuleGraph): Set<string> {
  const reached = new Set<string>();
  const open = files.map((file) => join(app, file));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || FRAMEWORK.test(id) || ICONS.test(id)) continue;
    reached.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

/**
 * The chunks of the browser's build, for the pages under `app`: the framework in one that changes only with an update,
 * the layout in one that every page loads, the modules that the goods page shares with home or list in one for all three, those that only
 * those two share in another, and other shared modules in a few chunks, each loaded only by the pages that use it.
 * Without this, sixty tiny files cost more in headers and worse compression than they contain. Files ending in .lazy.tsx
 * are loaded on demand and must not be in the shared chunks.
 */
export function chunksOf(app: string) {
  let layoutModules: Set<string> | undefined;
  let finding: Set<string>[] | undefined;
  let judging: Set<string> | undefined;
  const nameLayoutChunk = (id: string, graph: ModuleGraph): string | null => {
    layoutModules ??= modulesOf(app, LAYOUT_ROOTS, graph);
    return layoutModules.has(id) ? 'frame' : null;
  };
  const pagesOf = (id: string, graph: ModuleGraph): { lists: number; isJudging: boolean } => {
    finding ??= LIST_PAGES.map((file) => modulesOf(app, [file], graph));
    judging ??= modulesOf(app, [GOODS_PAGE], graph);
    return { lists: finding.filter((modules) => modules.has(id)).length, isJudging: judging.has(id) };
  };
  const nameMarket = (id: string, graph: ModuleGraph): string | null => {
    const { lists, isJudging } = pagesOf(id, graph);
    return isJudging && lists > 0 ? 'market' : null;
  };
  const nameLists = (id: string, graph: ModuleGraph): string | null => {
    const { lists, isJudging } = pagesOf(id, graph);
    return !isJudging && lists === LIST_PAGES.length ? 'lists' : null;
  };
  return {
    groups: [
      { name: 'framework', test: FRAMEWORK, priority: 3 },
      { name: nameLayoutChunk, debugName: 'frame', priority: 2 },
      // Before the lists: a group includes what its modules import.
      { name: nameMarket, debugName: 'market', priority: 1.6 },
      { name: nameLists, debugName: 'lists', priority: 1.5 },
      { name: 'shared', test: SHARED, entriesAware: true, priority: 1 },
      { name: 'parts', test: SUBJECTS, entriesAware: true, priority: 0 },
    ],
  };
}
