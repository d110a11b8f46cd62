/** A folder with too many files hides what belongs together: scripts/check/folders.mjs counts them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

interface Folders {
  sourcesIn: (root: string) => string[];
  crowdedFolders: (files: readonly string[]) => string[];
}

const { sourcesIn, crowdedFolders } = (await import(
  pathToFileURL(join(process.cwd(), 'scripts/check/folders.mjs')).href
)) as Folders;

const filesOf = (folder: string, count: number, ending = '.ts'): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}/file-${at}${ending}`);

test('no folder of the sources has more than twenty files', () => {
  const files = sourcesIn('.');
  expect(files.length).toBeGreaterThan(3_000);
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
  expect(crowdedFolders(files)).toEqual([]);
});

test.each([
  ['a folder with one file too many is named', filesOf('web/ui', 21), ['web/ui: 21 files']],
  ['a folder of tests counts its tests', filesOf('tests/http/orders', 21, '.test.ts'), ['tests/http/orders: 21 files']],
  ['style sheets and statements count', filesOf('db/functions', 21, '.sql'), ['db/functions: 21 files']],
  ['twenty files may be in a folder', filesOf('web/ui', 20), []],
  ['a test next to its module does not count', [...filesOf('web/ui', 20), ...filesOf('web/ui', 20, '.test.tsx')], []],
  ['the declarations of a script do not count', [...filesOf('scripts', 20), ...filesOf('scripts', 5, '.d.mts')], []],
  ['files in separate folders do not count', [...filesOf('web/ui', 20), ...filesOf('web/ui/forms', 20)], []],
  ['migrations are one kind of file', filesOf('db/migrations', 40, '.sql'), []],
])('%s', (_title, files, named) => {
  expect(crowdedFolders(files)).toEqual(named);
});
