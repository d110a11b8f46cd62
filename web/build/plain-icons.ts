import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The drawing of an icon, from its module of lucide-react. */
export interface IconData {
  size: number;
  node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string | number>>, children?: unknown])[];
}

const markup = (value: string | number): string => String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/**
 * The elements of a picture as markup, without the keys that only React needs.
 * @throws Error when the picture is not made as lucide-react 1.73 makes it
 */
export function shapesOf({ size, node }: IconData): string {
  if (size !== 24) throw new Error(`an icon of lucide-react is ${size} wide, not 24: look at web/build/plain-icons.ts`);
  return node
    .map(([tag, { key: _key, ...attributes }, children]) => {
      if (children !== undefined) throw new Error(`<${tag}> of an icon has children: look at web/build/plain-icons.ts`);
      const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${markup(value)}"`);
      return `<${tag}${pairs.join('')}/>`;
    })
    .join('');
}

/** The module of each icon by every name it has, from the library's file of all names. */
export function iconModules(barrel: string, folder: string): Map<string, string> {
  const modules = new Map<string, string>();
  for (const [, names = '', file = ''] of barrel.matchAll(/^export \{([^}]*)\} from '(\.\/icons\/[\w-]+\.mjs)';$/gm))
    for (const [, name = ''] of names.matchAll(/\bdefault as (\w+)/g)) modules.set(name, join(folder, file));
  return modules;
}

const FROM_LIBRARY = /import \{([^}]*)\} from 'lucide-react';/g;

/** Anything but an icon stays an import of the library. A type-only import must be marked as a whole, or the library is loaded needlessly. */
function libraryImport(names: readonly string[]): string {
  const areTypes = names.every((name) => name.startsWith('type '));
  const list = names.map((name) => (areTypes ? name.slice('type '.length) : name)).join(', ');
  return `${areTypes ? 'import type' : 'import'} { ${list} } from 'lucide-react';`;
}

/** The same code with each icon imported from its own module; other names stay imports of the library. */
export function withOwnModules(code: string, modules: ReadonlyMap<string, string>): string {
  return code.replace(FROM_LIBRARY, (_, list: string) => {
    const names = list.split(',').map((name) => name.trim());
    const moduleOf = (name: string): string | undefined => modules.get(name.split(' as ')[0] ?? '');
    const rest = names.filter((name) => name !== '' && moduleOf(name) === undefined);
    const own = names.filter((name) => moduleOf(name) !== undefined);
    const lines = own.map((name) => `import ${name.split(' as ').at(-1)} from ${JSON.stringify(moduleOf(name))};`);
    if (rest.length > 0) lines.push(libraryImport(rest));
    // Keeps the number of lines, so that messages refer to the right ones.
    return lines.join(' ') + '\n'.repeat(list.split('\n').length - 1);
  });
}

/**
 * Replaces the components of lucide-react by ours (web/ui/icon.tsx), in the browser's build and in the server's alike, and imports each
 * icon from its own module: the file of all names would make both builds read 1,700 icons, half of all their modules. `npm run dev`
 * uses the library's own components.
 */
export function plainIcons(): Plugin {
  let factory = '';
  let modules: Map<string, string> | undefined;
  return {
    name: 'plain-icons',
    apply: 'build',
    enforce: 'pre',
    configResolved({ root }) {
      factory = join(root, 'web/ui/icon.tsx');
    },
    transform: {
      filter: { code: /from 'lucide-react'/, id: { exclude: /[\\/]node_modules[\\/]/ } },
      async handler(code, id) {
        if (modules === undefined) {
          const barrel = (await this.resolve('lucide-react', id))?.id ?? '';
          modules = iconModules(readFileSync(barrel, 'utf8'), dirname(barrel));
        }
        return { code: withOwnModules(code, modules), map: null };
      },
    },
    load: {
      filter: { id: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](?!index\.)[\w-]+\.mjs$/ },
      async handler(id) {
        const { __iconData: data } = (await import(pathToFileURL(id).href)) as { __iconData?: IconData };
        // A second name of an icon re-exports the first.
        if (!data) return null;
        return `import { iconOf } from ${JSON.stringify(factory)};
export default /* @__PURE__ */ iconOf(${JSON.stringify(shapesOf(data))});`;
      },
    },
  };
}
