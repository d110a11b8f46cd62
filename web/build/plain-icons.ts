import { join } from 'node:path';
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

/**
 * Replaces the components of lucide-react by ours (web/ui/icon.tsx), in the browser's build and in the server's alike. `npm run dev` has the
 * library's.
 */
export function plainIcons(): Plugin {
  let factory = '';
  return {
    name: 'plain-icons',
    apply: 'build',
    configResolved({ root }) {
      factory = join(root, 'web/ui/icon.tsx');
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
