import type { Plugin } from 'vite';
import { urlMap } from '#web/lib/pages/url-map.ts';

/** A module that exports one function, from a path to the name of its page. */
function moduleOf(exported: string, isStaff: boolean): string {
  const named = urlMap.filter(({ section }) => (section === 'backstage') === isStaff);
  const names = JSON.stringify(Object.fromEntries(named.map(({ path, name }) => [path, name])));
  return `const names = ${names};\nexport const ${exported} = (path) => names[path] ?? '';`;
}

/**
 * Gives browsers the names of pages without the rest of the URL map: only the server reads which file serves a page
 * and who may open it. The map is 3.5 KB of every page with a menu; the names are 1.5 KB in the centre and 0.6 KB in the back office.
 */
export function pageNames(): Plugin {
  return {
    name: 'page-names',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /[\\/]web[\\/]lib[\\/]pages[\\/](?:staff-)?page-names\.ts$/ },
      handler: (id) => (id.includes('staff-page') ? moduleOf('staffPageName', true) : moduleOf('pageName', false)),
    },
  };
}
