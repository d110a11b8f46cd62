import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipPage, packStyle, plainPage } from '#server/ssr/ssr-gzip.ts';

const css = Array.from({ length: 2_000 }, (_, n) => `.c${n}{color:oklch(0.5 0.1 ${n})}`).join('');
const before = '<!DOCTYPE html><html><head><title>游市</title><style id="app-css" nonce="abc">';

test.each([
  ['a page', css, before, '</style></head><body><p>钱在平台，号到手再放款</p></body></html>'],
  ['a page that repeats the style', css, before, css],
  ['a page without a style', '', before, '</style>'],
  ['a page without anything', '', '', ''],
])('%s is decompressed to the original', (_, style, start, end) => {
  const text = { before: start, after: end };
  const packed = packStyle(style);
  expect(gunzipSync(gzipPage(text, packed)).toString()).toBe(start + style + end);
  expect(plainPage(text, packed).toString()).toBe(start + style + end);
});

test('pages are sent with the style that they are given, whichever came before', () => {
  for (const n of [1, 2, 2, 1]) {
    const packed = packStyle(`.c${n}{}`);
    expect(gunzipSync(gzipPage({ before, after: '' }, packed)).toString()).toBe(`${before}.c${n}{}`);
  }
});
