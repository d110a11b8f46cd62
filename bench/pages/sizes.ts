/**
 * What each storefront page makes a browser load: JavaScript by brotli and in how many files, and of pages of a running market
 * their text by gzip with its parts. `npm run bench -- sizes` reports only on the build; `BASE=http://localhost:3000` asks a market
 * for `PAGES` (addresses separated by spaces) as well. Bytes are the same on every machine and under any load.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readBuiltPages } from '#web/build/built-pages.ts';
import { STOREFRONT, urlMap } from '#web/lib/pages/url-map.ts';

const { BASE = '', PAGES = '/ /wares?gt=1&gid=1' } = process.env;
const pages = readBuiltPages(join(import.meta.dirname, '../../build/client'));
const rows = urlMap
  .filter(({ layout, file }) => file !== undefined && STOREFRONT.includes(layout))
  .map(({ path }) => {
    const chunks = [...pages.chunksOf(`page:${path}`)];
    return { path, bytes: chunks.reduce((sum, url) => sum + pages.servedBytes(url), 0), files: chunks.length };
  })
  .toSorted((a, b) => b.bytes - a.bytes);
console.table(rows);

const packed = (text: string): number => gzipSync(text).length;

/** A page's text and what of it is style, what the loaders' data and other scripts, and what is shown; each compressed by itself. */
async function textOf(address: string) {
  const html = await (await fetch(BASE + address)).text();
  const style = /<style id="app-css"[^>]*>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
  const visibleHtml = html.replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, '');
  const sizes = { text: html, style, scripts: scripts.join(''), shown: visibleHtml };
  return { page: address, ...Object.fromEntries(Object.entries(sizes).map(([part, of]) => [part, packed(of)])) };
}

if (BASE) console.table(await Promise.all(PAGES.split(' ').map(textOf)));
