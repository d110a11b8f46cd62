/** What the bundler tells of a module while it makes chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const FRAMEWORK = /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/;

/** What every storefront page stands in: the document, the frame around the page, the error page. */
const LAYOUT_ROOTS = ['root.tsx', 'entry.client.tsx', 'layouts/store.tsx', 'layouts/error-layout.tsx'];

/** Our own modules that many pages share. Layouts stay out: those of the desks carry Mantine, which no storefront page may load. */
const SHARED =
  /[\\/]web[\\/](ui|lib|parts|parts[\\/](cover|filters))[\\/][^\\/]+(?<!\.lazy\.tsx)$|lucide-react|contract[\\/]rules/;

/** Parts of one subject, which only the pages of that subject load. */
const SUBJECTS = /[\\/]web[\\/]parts[\\/][^\\/]+[\\/][^\\/]+(?<!\.lazy\.tsx)$/;

/** A barrel names all icons of all pages; those that the frame shows come along with the modules that show them. */
const ICONS = /node_modules[\\/]lucide-react[\\/]/;

/** The table of all addresses. */
const URL_MAP = /[\\/]web[\\/]lib[\\/]url-map\.ts$/;

/** The pages by which goods are found and judged: most visits see two of them. */
const MARKET_PAGES = ['pages/home/home.tsx', 'pages/goods/list.tsx', 'pages/goods/detail.tsx'];

/** Every module that these files import, near or far; dynamic imports are not followed. */
function modulesOf(app: string, files: readonly string[], graph: ModuleGraph): Set<string> {
  const reached = new Set<string>();
  const open = files.map((file) => `${app}/${file}`);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || FRAMEWORK.test(id) || ICONS.test(id)) continue;
    reached.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

/**
 * Chunks of the browser's build, for the pages under `app`: the framework in one that changes only with an update, the
 * frame in one that every page loads, what two of the market's pages share in one for all of them, and the rest that pages
 * share in few pieces, each loaded by just those pages that use it. Left alone, sixty tiny files cost more in headers and in
 * lost compression than they carry. What ends in .lazy.tsx is loaded on demand and so must stay out of the shared pieces.
 */
export function chunksOf(app: string) {
  let layoutModules: Set<string> | undefined;
  let market: Set<string>[] | undefined;
  const nameLayoutChunk = (id: string, graph: ModuleGraph): string | null => {
    layoutModules ??= modulesOf(app, LAYOUT_ROOTS, graph);
    return layoutModules.has(id) ? 'frame' : null;
  };
  const nameMarket = (id: string, graph: ModuleGraph): string | null => {
    market ??= MARKET_PAGES.map((file) => modulesOf(app, [file], graph));
    return market.filter((modules) => modules.has(id)).length >= 2 ? 'market' : null;
  };
  return {
    groups: [
      { name: 'framework', test: FRAMEWORK, priority: 3 },
      { name: nameLayoutChunk, debugName: 'frame', priority: 2 },
      { name: nameMarket, debugName: 'market', priority: 1.5 },
      // Long, and needed by menus alone: beside a small piece it would come along with every page that wants that one.
      { name: 'url-map', test: URL_MAP, priority: 1.2 },
      { name: 'shared', test: SHARED, entriesAware: true, entriesAwareMergeThreshold: 1_500, priority: 1 },
      { name: 'parts', test: SUBJECTS, entriesAware: true, entriesAwareMergeThreshold: 1_500, priority: 0 },
    ],
  };
}
