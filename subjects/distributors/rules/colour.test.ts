import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  brandColour,
  brandTokens,
  colourFault,
  contrast,
  contrastsOf,
  greatestChroma,
  hexOf,
  hueDistances,
  luminance,
  oklchOf,
} from './colour.ts';

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
  const css = readFileSync('web/styles/base/tokens.css', 'utf8');
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

test.each([
  ['#000000', '#000000'],
  ['#ffffff', '#ffffff'],
  // Dark greys are encoded by the straight part of the curve, which ends between 0a and 0b.
  ['#010101', '#010101'],
  ['#0a0a0a', '#0a0a0a'],
  ['#0b0b0b', '#0b0b0b'],
  ['00586D', '#00586d'],
  ['  #00586d\n', '#00586d'],
])('the colour %j is %s', (text, hex) => {
  expect(hexOf(oklchOf(text) ?? WHITE)).toBe(hex === '#ffffff' ? '#ffffff' : hex);
  expect(oklchOf(text)).not.toBeNull();
});

test.each(['', '#12345', '#1234567', '##123456', 'x#123456', '#12345g', '#123', '#123456 #123456'])(
  '%j is no colour',
  (text) => {
    expect(oklchOf(text)).toBeNull();
  },
);

test('known colours have the lightness, chroma and hue that others publish', () => {
  const round = (hex: string) => {
    const { l = 0, c = 0, h = 0 } = oklchOf(hex) ?? {};
    return [l.toFixed(3), c.toFixed(3), h.toFixed(1)];
  };
  expect(round('#ff0000')).toEqual(['0.628', '0.258', '29.2']);
  expect(round('#00ff00')).toEqual(['0.866', '0.295', '142.5']);
  expect(round('#0000ff')).toEqual(['0.452', '0.313', '264.1']);
  expect(oklchOf('#030303')?.l).toBeCloseTo(0.0969, 3);
});

test('colours beyond a screen are clipped to it', () => {
  expect(hexOf({ l: 0.7, c: 0.5, h: 30 })).toMatch(/^#ff00/);
  expect(luminance({ l: 2, c: 0, h: 0 })).toBeCloseTo(1, 6);
});

test('a pair is AA from what it needs, and AAA from 7 of text or 4.5 of a graphic', () => {
  const grade = (ratio: number, least: number): string =>
    ratio < least ? '' : least === 3 ? (ratio >= 4.5 ? 'AAA' : 'AA') : ratio >= 7 ? 'AAA' : 'AA';
  const all = Array.from({ length: 72 }, (_, n) => n * 5).flatMap((hue) =>
    [0, 0.5, 1, 1.5, 2, 2.5].flatMap((chroma) => contrastsOf({ hue, chroma })),
  );
  expect(all.filter((one) => one.grade !== grade(one.ratio, one.least))).toEqual([]);
  const seen = new Map<string, Set<string>>();
  for (const one of all) {
    const key = `${one.least}: ${one.ratio}`;
    seen.set(key, (seen.get(key) ?? new Set()).add(one.grade));
  }
  for (const [key, wanted] of [
    ['4.5: 4.5', 'AA'],
    ['4.5: 4.4', ''],
    ['4.5: 7', 'AAA'],
    ['4.5: 6.9', 'AA'],
    ['3: 4.5', 'AAA'],
    ['3: 4.4', 'AA'],
  ] as const)
    expect([key, [...(seen.get(key) ?? [])]]).toEqual([key, [wanted]]);
});

test('each pair is named with both colours', () => {
  expect(contrastsOf({ hue: 221, chroma: 1 }).map(({ name, least }) => [name, least])).toEqual([
    ['主按钮白字', 4.5],
    ['链接', 4.5],
    ['选中项文字', 4.5],
    ['自己的气泡', 4.5],
    ['图表与焦点框', 3],
    ['深色下的主按钮', 4.5],
    ['深色下的链接', 4.5],
    ['深色下的气泡', 4.5],
  ]);
  expect(contrastsOf({ hue: 221, chroma: 1 })[0]).toMatchObject({ fore: '#ffffff', back: '#00586d' });
});

test.each([
  [0, [33, 158, 18]],
  [33, [0, 125, 15]],
  [340, [53, 178, 38]],
  [359.6, [33, 158, 18]],
  [720, [33, 158, 18]],
])('the hue %s is %j degrees from the colours with a meaning', (hue, degrees) => {
  expect(hueDistances(hue).map((one) => one.degrees)).toEqual(degrees);
});

test.each([
  // The last allowed and the first refused hue on each side of the three colours.
  [63, null],
  [62, 'hue'],
  [128, null],
  [129, 'hue'],
  [187, 'hue'],
  [188, null],
  [348, null],
  [349, 'hue'],
])('the hue %i: %o', (hue, field) => {
  expect(colourFault({ hue, chroma: 0.25 })?.field ?? null).toBe(field);
});

test('a brand is grey below a strength of a quarter', () => {
  expect(colourFault({ hue: 40, chroma: 0.25 })?.field).toBe('hue');
  expect(colourFault({ hue: 40, chroma: 0.24 })).toBeNull();
});

test.each([
  [221, 'act'],
  [190, 'act'],
  [300, 'act'],
])('the greatest strength of the hue %i is the last one that a screen shows', (hue) => {
  const most = greatestChroma(hue);
  /** Whether a strong token is what it is after it was clipped to the screen. */
  const shown = (chroma: number) =>
    (['act', 'brand-500', 'brand-600', 'brand-700'] as const).every((token) =>
      (['light', 'dark'] as const).every((scheme) => {
        const colour = brandColour({ hue, chroma }, token, scheme);
        const back = oklchOf(hexOf(colour));
        return back !== null && Math.abs(back.c - colour.c) < 0.006;
      }),
    );
  expect(most).toBeGreaterThan(0.5);
  expect(most).toBeLessThan(2.5);
  expect(Number.isInteger(Math.round(most * 100) / 5)).toBe(true);
  expect([shown(most), shown(most + 0.25)]).toEqual([true, false]);
});

test.each([
  [1, 1.45],
  [7, 1.4],
  [46, 1.45],
  [48, 1.45],
])('the greatest strength of the hue %i is %d, with a little beyond the screen on both sides', (hue, chroma) => {
  expect(greatestChroma(hue)).toBe(chroma);
});

test('a brand is refused exactly when one of its pairs has no grade', () => {
  const brands = [70, 100, 128, 188, 210, 250, 290, 330].flatMap((hue) =>
    Array.from({ length: 26 }, (_, n) => ({ hue, chroma: n / 10 })),
  );
  const wrong = brands.filter(
    (brand) => (colourFault(brand) !== null) !== contrastsOf(brand).some(({ grade }) => grade === ''),
  );
  expect(wrong).toEqual([]);
  // Among them are pairs that just pass.
  expect(brands.some((brand) => Math.min(...contrastsOf(brand).map(({ ratio, least }) => ratio - least)) === 0)).toBe(
    true,
  );
});
