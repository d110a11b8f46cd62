/** How many files a folder of the sources has. Runs on Node 24. */
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** With more files than this in one folder, a newcomer no longer sees what belongs together. */
const MAX_FILES = 20;
const SOURCES = '{bench,contract,db,packages,scripts,server,subjects,tests,web}/**/*.{ts,tsx,mts,mjs,css,sql}';
/** Folders with one kind of file each, which is looked up by its name. */
const OF_ONE_KIND = new Set(['db/migrations', 'db/catalogue/games']);

/** A test next to its module and the declarations of a script are seen with it. */
const isCompanion = (file) => /\.d\.m?ts$/.test(file) || (/\.test\.tsx?$/.test(file) && !file.startsWith('tests/'));

/** The source files below a folder, as paths from it. */
export const sourcesIn = (root) =>
  globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**'] }).map((file) => file.replaceAll('\\', '/'));

/** The folders that have too many files, each with their number. */
export function crowdedFolders(files) {
  const counted = Map.groupBy(
    files.filter((file) => !isCompanion(file)),
    (file) => dirname(file),
  );
  return [...counted]
    .filter(([folder, { length }]) => length > MAX_FILES && !OF_ONE_KIND.has(folder))
    .map(([folder, { length }]) => `${folder}: ${length} files`);
}
