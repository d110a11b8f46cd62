import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipPage } from '#server/ssr-gzip.ts';

const css = Array.from({ length: 2_000 }, (_, n) => `.c${n}{color:oklch(0.5 0.1 ${n})}`).join('');
const page = (body: string) =>
  `<!DOCTYPE html><html><head><style id="app-css" nonce="abc">${css}</style></head><body>${body}</body></html>`;

test.each([
  ['a page', page('<p class="c7">钱在平台，号到手再放款</p>')],
  ['a page with much of the style in it', page(css.slice(0, 60_000))],
  ['a page that names the style again', page('<style id="app-css"></style>')],
  ['a page without the style', '<!DOCTYPE html><p>你好</p>'],
  ['a style that never ends', '<style id="app-css" nonce="abc">.a{}'],
  ['nothing', ''],
])('%s comes back as it was', (_, text) => {
  expect(gunzipSync(gzipPage(text)).toString()).toBe(text);
});

test('the style is compressed once and the rest each time', () => {
  const texts = Array.from({ length: 10 }, (_, n) => page(`第 ${n} 页`.repeat(n)));
  expect(texts.map((text) => gunzipSync(gzipPage(text)).toString())).toEqual(texts);
});

test('a later style takes the place of an earlier one', () => {
  const texts = Array.from({ length: 10 }, (_, n) => `<style id="app-css">.c${n}{}</style><p>${n}</p>`);
  for (const text of [...texts, ...texts]) expect(gunzipSync(gzipPage(text)).toString()).toBe(text);
});
