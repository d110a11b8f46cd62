/**
 * Prints how much JavaScript the pages of each area load first, as sent to browsers (brotli), in KB: minimum, median, maximum, and the largest page.
 * Builds the pages where they are missing or stale.
 */
import { join } from 'node:path';
import { readBuiltPages } from '#web/build/built-pages.ts';
import { STOREFRONT, urlMap } from '#web/lib/pages/url-map.ts';
import { ensurePages } from '../lib/built.mjs';

/** Areas with the layouts of their pages. */
const AREAS = new Map([
  ['storefront', STOREFRONT],
  ['centre and shops', ['center', 'centerCode', 'shop']],
  ['chat', ['chat']],
  ['back office', ['backstage', 'staff-plain']],
]);

await ensurePages(process.execPath);
const pages = readBuiltPages(join(process.cwd(), 'build/client'));
const kilobytes = (path) =>
  [...pages.chunksOf(`page:${path}`)].reduce((sum, url) => sum + pages.servedBytes(url), 0) / 1024;

process.stdout.write('| area | pages | least, median, most | largest |\n| --- | --- | --- | --- |\n');
for (const [name, layouts] of AREAS) {
  const sizes = urlMap
    .filter(({ layout, file }) => file !== undefined && layouts.includes(layout))
    .map(({ path }) => ({ path, size: kilobytes(path) }))
    .toSorted((a, b) => a.size - b.size);
  const at = (index) => sizes[index]?.size.toFixed(1) ?? '';
  const figures = [at(0), at(Math.floor((sizes.length - 1) / 2)), at(sizes.length - 1)].join(', ');
  process.stdout.write(`| ${name} | ${sizes.length} | ${figures} | ${sizes.at(-1)?.path ?? ''} |\n`);
}
