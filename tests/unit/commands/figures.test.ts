/** The figures that docs/HOUSE.md names are counted as it says (scripts/lib/written/figures.ts). */
import { expect, test } from 'vitest';
import { figuresOf } from '../../../scripts/lib/written/figures.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `  const statement${i} = 'a line of this function';`).join('\n');

test('a long function is counted without blank lines and comments', () => {
  const padded = `function padded() {\n${lines(60)}\n${'\n  // a remark\n'.repeat(20)}}\n`;
  const long = `const long = () => {\n${lines(69)}\n};\n`;
  expect(figuresOf('a', [{ path: 'a/padded.ts', text: padded }])).toMatchObject({
    longFunctions: 0,
    longestFunction: 62,
  });
  expect(figuresOf('a', [{ path: 'a/long.ts', text: long }])).toMatchObject({ longFunctions: 1, longestFunction: 71 });
});

test('six equal lines in two files are two duplicates, five are none', () => {
  const file = (name: string, count: number) => ({
    path: `a/${name}.ts`,
    text: `import { a } from 'a';\nconst own${name} = 1;\n${lines(count)}\nconst last${name} = 2;\n`,
  });
  expect(figuresOf('a', [file('One', 6), file('Two', 6)]).duplicates).toBe(2);
  expect(figuresOf('a', [file('One', 9), file('Two', 9)]).duplicates).toBe(2);
  expect(figuresOf('a', [file('One', 5), file('Two', 5)]).duplicates).toBe(0);
});

test('imports and short lines are no duplicates', () => {
  const text = `${Array.from({ length: 9 }, (_, i) => `import { something${i} } from './a-module-with-a-long-name.ts';`).join('\n')}\n`;
  const closing = `f(() => {\n${'  {\n'.repeat(8)}${'  }\n'.repeat(8)}});\n`;
  const sources = ['a/one.ts', 'a/two.ts'].map((path) => ({ path, text: text + closing }));
  expect(figuresOf('a', sources)).toMatchObject({ duplicates: 0, files: 2, lines: 54 });
});

test('a number beside a status is counted whichever side it is on', () => {
  const text = 'f(order.status === 3, 404 !== response.status, status > 2, count === 3, order.status === Paid);\n';
  expect(figuresOf('a', [{ path: 'a/one.ts', text }]).statusLiterals).toBe(3);
});
