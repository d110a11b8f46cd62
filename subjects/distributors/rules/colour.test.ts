import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brandTokens, colourFault, contrast, contrastsOf, hexOf, hueDistances, oklchOf } from './colour.ts';

const WHITE = { l: 1, c: 0, h: 0 };
const BLACK = { l: 0, c: 0, h: 0 };

test('contrast is that of WCAG', () => {
  expect(contrast(WHITE, BLACK)).toBeCloseTo(21, 1);
  // #767676 on white is the grey that just passes AA.
  expect(contrast(oklchOf('#767676') ?? BLACK, WHITE)).toBeCloseTo(4.54, 1);
});

test('converting a colour to sRGB and back returns the same colour', () => {
  for (const hex of ['#00586d', '#4f4773', '#c81d25', '#ffffff', '#000000'])
    expect(hexOf(oklchOf(hex) ?? WHITE)).toBe(hex);
  expect(oklchOf('red')).toBeNull();
});

test('the tokens are those of the style sheet', () => {
  const css = readFileSync('web/styles/tokens.css', 'utf8');
  for (const [name, schemes] of Object.entries(brandTokens)) {
    const block = new RegExp(`--${name}: light-dark\\(([^;]*);`).exec(css)?.[1] ?? '';
    const found = [...block.matchAll(/oklch\(([\d.]+) calc\(([\d.]+) \*/g)].map(([, l, c]) => [Number(l), Number(c)]);
    expect({ name, found }).toEqual({ name, found: schemes });
  }
});

test('the platform colour passes every pair', () => {
  expect(contrastsOf({ hue: 221, chroma: 1 }).every(({ grade }) => grade !== '')).toBe(true);
  expect(colourFault({ hue: 221, chroma: 1 })).toBeNull();
});

test('a hue near the price colour is rejected, with the hues that are available', () => {
  expect(hueDistances(40)).toContainEqual({ name: '价格色', degrees: 7 });
  expect(colourFault({ hue: 40, chroma: 1 })).toEqual({
    field: 'hue',
    text: '色相与价格色只差 7°，会看混；至少差 30°，可用 63 到 128、188 到 348',
  });
  // The last allowed hue on either side.
  expect(colourFault({ hue: 63, chroma: 1 })).toBeNull();
  expect(colourFault({ hue: 62, chroma: 1 })?.field).toBe('hue');
  // A grey has no hue that could be confused with another.
  expect(colourFault({ hue: 40, chroma: 0.1 })).toBeNull();
});

test('a strength that makes a pair unreadable is rejected, with one that does not', () => {
  const fault = colourFault({ hue: 190, chroma: 2.5 });
  expect(fault?.field).toBe('chroma');
  const most = Number(/最多 ([\d.]+)$/.exec(fault?.text ?? '')?.[1]);
  expect(most).toBeGreaterThan(1);
  expect(colourFault({ hue: 190, chroma: most })).toBeNull();
  expect(colourFault({ hue: 190, chroma: most + 0.05 })).not.toBeNull();
});
