/** docs/HOWTO.md names the files of each usual change; a recipe whose file has moved misleads. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

interface Editor {
  read: (path: string) => string;
}
interface Recipe {
  name: string;
  title: string;
  apply: (edit: Editor, run: (args: string[]) => Promise<void>) => Promise<void> | undefined;
}

const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join(process.cwd(), 'scripts/recipes', name)).href)) as T;
const { RECIPES } = await load<{ RECIPES: Recipe[] }>('run.mjs');
const { editorOf, recipeTexts } = await load<{
  editorOf: (folder: string, text: string, source: string) => Editor;
  recipeTexts: (root: string) => Map<string, string>;
}>('workspace.mjs');

const folder = mkdtempSync(join(tmpdir(), 'youshi-howto-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The long lane follows them in a copy of the tree and checks what results (scripts/recipes.mjs).
test.each(RECIPES.map((recipe) => [recipe.name, recipe] as const))(
  'the recipe %s names the files that its steps change, and they have the places',
  async (_name, { title, apply }) => {
    const recipe = recipeTexts(process.cwd()).get(title);
    expect(recipe).toBeDefined();
    await apply(editorOf(folder, recipe ?? '', process.cwd()), () => Promise.resolve());
  },
);

test('an edit of a file that the recipe does not name fails', () => {
  const edit = editorOf(folder, 'Edit `package.json`.', process.cwd()) as unknown as Record<
    'after',
    (path: string, anchor: string, content: string) => void
  >;
  expect(() => edit.after('contract/codes.ts', '  GOODS_STOCK: [', '')).toThrow('is not named by the recipe');
  expect(() => edit.after('package.json', 'no such line', '')).toThrow('found 0');
});
