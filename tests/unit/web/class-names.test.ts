import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'tailwindcss';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const STYLES = ['app', 'tools', 'print'].map((name) => join(root, `web/styles/${name}.css`));
/** Names that mark an element for a script or a test, and have no rule. */
const MARKS = new Set<string>(['group', 'peer']);

/** A style sheet that another one imports, by its path or from a package. */
async function loadStylesheet(id: string, base: string) {
  const path = id.startsWith('.') ? join(base, id) : fileURLToPath(import.meta.resolve(id));
  return { path, base: dirname(path), content: readFileSync(path, 'utf8') };
}

/** The class names of a style sheet. */
const classesOf = (css: string): string[] =>
  (css.match(/\.(?:[\w-]|\\[0-9a-f]{1,6} |\\.)+/gi) ?? []).map((name) => name.slice(1).replace(/\\(.)/g, '$1'));

test('every class name written in a page has a rule in the style sheets', async () => {
  const used = new Map<string, string>();
  for (const file of globSync('{web,subjects}/**/*.tsx', { cwd: root }).filter((name) => !name.endsWith('.test.tsx')))
    for (const [, names = ''] of readFileSync(join(root, file), 'utf8').matchAll(/className="([^"]+)"/g))
      for (const name of names.split(/\s+/)) used.set(name, file);
  const known = new Set(MARKS);
  for (const file of STYLES) {
    const compiler = await compile(readFileSync(file, 'utf8'), { base: dirname(file), loadStylesheet });
    for (const name of classesOf(compiler.build([...used.keys()]))) known.add(name);
  }
  const unknown = [...used].filter(([name]) => !known.has(name) && !/^(group|peer)\//.test(name));
  expect(unknown).toEqual([]);
}, 60_000);
