import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { __unstable__loadDesignSystem } from 'tailwindcss';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
/** Every name that a rule of our own style sheets has. */
const own = new Set(
  globSync('web/styles/*.css', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ''),
  ),
);
/** Names that only group: by a selector in another name's rule, or for what reads the document. */
const WITHOUT_RULE = new Set(['group', 'peer']);

it('every class that a page names has a rule', async () => {
  const utilities = await __unstable__loadDesignSystem(
    `@layer utilities;\n${read('web/styles/theme.css')}\n@tailwind utilities;`,
    { base: root },
  );
  const used = new Map<string, string>();
  const files = globSync(['subjects/**/*.tsx', 'web/**/*.tsx'], { cwd: root }).filter((f) => !f.endsWith('.test.tsx'));
  for (const file of files)
    for (const [, names = ''] of read(file).matchAll(/className="([^"{}]*)"/g))
      for (const name of names.split(/\s+/)) if (name !== '' && !own.has(name)) used.set(name, file);
  const names = [...used.keys()].filter((name) => !WITHOUT_RULE.has(name));
  const rules = utilities.candidatesToCss(names);
  expect(names.filter((_, i) => rules[i] === null).map((name) => `${name} in ${used.get(name)}`)).toEqual([]);
  expect(utilities.candidatesToCss(['text-18', 'text-20'])).toEqual([null, expect.stringContaining('font-size')]);
});
