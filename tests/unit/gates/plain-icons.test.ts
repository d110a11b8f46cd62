/** Icons as the build makes them: the same pictures as the library's own components draw. */
import { globSync, readFileSync } from 'node:fs';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as lucide from 'lucide-react';
import { describe, expect, test } from 'vitest';
import { type IconData, iconModules, shapesOf, withOwnModules } from '#web/build/plain-icons.ts';
import { iconOf } from '#web/ui/icon.tsx';

type Component = ComponentType<object> & { displayName?: string };
const library = lucide as unknown as Readonly<Record<string, Component>>;

/** The icons that pages import. */
const used = [
  ...new Set(
    globSync('{web,subjects}/**/*.{ts,tsx}')
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from 'lucide-react'/g)])
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim().split(' as ')[0] ?? '')
      .filter((name) => name !== '' && !name.startsWith('type ')),
  ),
];

const dashed = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([a-zA-Z])(\d)/g, '$1-$2')
    .toLowerCase();

/** Attributes of an element, sorted; the library's own classes and the name space are of no use in a page. */
function picture(html: string): { attributes: string[]; shapes: string } {
  const [, tag = '', shapes = ''] = /^<svg([^>]*)>(.*)<\/svg>$/.exec(html) ?? [];
  const attributes = [...tag.matchAll(/([\w-]+)="([^"]*)"/gi)]
    .filter(([, name]) => name !== 'xmlns')
    .map(([, name, value = '']) => `${name}=${value.replace(/lucide[\w-]*\s*/g, '').trim()}`);
  return { attributes: attributes.toSorted(), shapes: shapes.replaceAll(/><\/\w+>/g, '/>') };
}

test('the icons of the pages are found in their sources', () => {
  expect(used.length).toBeGreaterThan(100);
});

describe.each(used)('%s', (name) => {
  test('is the picture of the library, with and without a label', async () => {
    const Library = library[name] as Component;
    const file = dashed(Library.displayName ?? name);
    const { __iconData: data } = (await import(
      new URL(`../../../node_modules/lucide-react/dist/esm/icons/${file}.mjs`, import.meta.url).href
    )) as { __iconData: IconData };
    const Ours = iconOf(shapesOf(data));
    for (const props of [{ className: 'icon' }, { className: 'icon', 'aria-label': '完成', strokeWidth: 1.5 }])
      expect(picture(renderToStaticMarkup(createElement(Ours, props)))).toEqual(
        picture(renderToStaticMarkup(createElement(Library, props))),
      );
  });
});

test('a picture of another size, or with elements inside elements, is refused', () => {
  expect(() => shapesOf({ size: 32, node: [] })).toThrow('24');
  expect(() => shapesOf({ size: 24, node: [['g', {}, []]] })).toThrow('children');
});

describe('each icon is imported from its own module', () => {
  const folder = new URL('../../../node_modules/lucide-react/dist/esm/', import.meta.url).pathname;
  const modules = iconModules(readFileSync(`${folder}lucide-react.mjs`, 'utf8'), folder);

  test('which is found for every icon that pages use', () => {
    expect(used.filter((name) => !modules.has(name))).toEqual([]);
  });

  test('under the name that the page gives it, on as many lines; what is no icon stays', () => {
    const code = "import {\n  Check as Done,\n  Trash2,\n  createLucideIcon,\n} from 'lucide-react';\nnext();";
    const own = withOwnModules(code, modules);
    expect(own.split('\n')).toHaveLength(code.split('\n').length);
    expect(own).toContain(`import Done from "${folder}icons/check.mjs";`);
    expect(own).toContain(`import Trash2 from "${folder}icons/trash.mjs";`);
    expect(own).toContain("import { createLucideIcon } from 'lucide-react';");
    expect(withOwnModules("import { X, type LucideIcon } from 'lucide-react';", modules)).toBe(
      `import X from "${folder}icons/x.mjs"; import type { LucideIcon } from 'lucide-react';`,
    );
  });
});
