import postcss from 'postcss';
import { expect, test } from 'vitest';
import { plainColours, plainColoursPlugin } from './plain-colours.ts';

const sheet = (css: string): string =>
  postcss([plainColoursPlugin()]).process(css, { from: undefined }).css.replaceAll(/\s+/g, '');

test('colours are converted to sRGB, with their opacity', () => {
  expect(plainColours('oklch(1 0 0)')).toBe('#ffffff');
  expect(plainColours('oklch(62.8% 0.2577 29.23)')).toBe('#ff0000');
  expect(plainColours('1px solid oklch(0 0 0 / 0.5)')).toBe('1px solid rgb(0 0 0 / 0.5)');
  expect(plainColours('light-dark(#fff, oklch(0.208 0.013 235))')).toBe('light-dark(#fff, #12191d)');
});

test('a hue and a strength that a brand decides stay variable', () => {
  expect(plainColours('oklch(0.5 calc(.09*var(--brand-k)) var(--brand-h))')).toBe(
    'hsl(calc(var(--brand-h) - 29) calc(90% * var(--brand-k)) 28%)',
  );
  expect(plainColours('oklch(0.44 0.075 calc(var(--h) + 14))')).toMatch(
    /^hsl\(calc\(var\(--h\) [+-] \d+\) \d+% \d+%\)$/,
  );
});

test('a mixture is replaced by its first colour', () => {
  expect(plainColours('color-mix(in oklab, var(--ink) 7%, transparent)')).toBe('var(--ink)');
  expect(plainColours('color-mix(in srgb, oklch(1 0 0) 20%, #000)')).toBe('#ffffff');
});

test('a colour of another form is an error and no silent gap', () => {
  expect(() => plainColours('oklch(var(--l) 0.1 20)')).toThrow(/unsupported colour/);
});

test('each rule is followed by its twin, which browsers with the colours skip; nothing else is added', () => {
  expect(sheet('a { color: oklch(1 0 0); margin: 0 } b { color: red }')).toBe(
    'a{color:oklch(100);margin:0}@supportsnot(color:oklch(000)){a{color:#ffffff}}b{color:red}',
  );
  const guarded = '@supports (color: color-mix(in lab, red, red)) { a { color: color-mix(in lab, red, blue) } }';
  expect(sheet(guarded)).toBe(guarded.replaceAll(' ', ''));
});
