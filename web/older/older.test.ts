/** older.js in a separate page, whose built-in functions are those of the oldest supported browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { expect, test } from 'vitest';

const source = readFileSync(join(import.meta.dirname, 'older.js'), 'utf8');
const declared = readFileSync(join(import.meta.dirname, 'older.d.ts'), 'utf8');

/** A window without `removed`, whose style engine answers `isSupported`; returns what runs in it. */
function windowWithout(removed: string, isSupported = true) {
  const told: string[] = [];
  const context = vm.createContext({
    told,
    isSupported,
    URL,
    URLSearchParams: class extends URLSearchParams {},
    Event,
  });
  const run = (code: string): unknown => vm.runInContext(code, context);
  run(`
    var window = globalThis, lines = [];
    olderWait = true;
    CSS = { supports: function () { return isSupported; } };
    HTMLElement = function () {}; HTMLElement.prototype.popover = null;
    document = {
      readyState: 'complete',
      dispatchEvent: function (event) { told.push(event.type); },
      createElement: function () { return { style: {}, setAttribute: function () {} }; },
      body: { insertBefore: function (line) { lines.push(line.textContent); } },
    };
    ${removed}
  `);
  run(source);
  return { run, told };
}

const ALL = `
  ['toSorted','toReversed','toSpliced','with','findLast','findLastIndex'].forEach(function (n) { delete Array.prototype[n]; });
  delete Map.groupBy; delete Object.groupBy; delete String.prototype.isWellFormed;
`;

test('every function it declares is added and answers as the browser of today would', () => {
  const { run, told } = windowWithout(ALL);
  const cases = [
    '[3,1,2].toSorted()',
    '[3,1,2].toSorted((a, b) => b - a)',
    '[1,2,3].toReversed()',
    '[1,2,3].toSpliced(1, 1, 8, 9)',
    '[1,2,3].with(-1, 7)',
    '[1,2,3].findLast((n) => n < 3)',
    '[1,2,3].findLastIndex((n) => n > 9)',
    '[...Map.groupBy([1,2,3], (n) => n % 2)]',
    "({ ...Object.groupBy(['a','bb','c'], (s) => s.length) })",
    "['a\\ud83d', '\\ude00b', '\\ud83d\\ude00', '\\ude00\\ude00', ''].map((s) => s.isWellFormed())",
  ];
  for (const one of cases) expect(JSON.stringify(run(one)), one).toBe(JSON.stringify(vm.runInNewContext(one)));
  const names = [...declared.matchAll(/^ {4}(\w+)[<(]/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBeGreaterThan(6);
  for (const name of names) expect(source).toContain(`'${name}'`);
  expect(run('olderWait')).toBe(false);
  expect(told).toEqual(['styled']);
});

test('the number of parameters of an address is known, repeated ones counted', () => {
  const { run } = windowWithout(`
    URLSearchParams = function (pairs) { this.pairs = pairs; };
    URLSearchParams.prototype[Symbol.iterator] = function () { return this.pairs[Symbol.iterator](); };
  `);
  expect(
    run("new URLSearchParams([]).size + ',' + new URLSearchParams([['a', '1'], ['a', '2'], ['b', '']]).size"),
  ).toBe('0,3');
  expect(windowWithout('').run("new URLSearchParams('a=1').size")).toBe(1);
});

test('functions of the browser itself are not replaced', () => {
  const { run } = windowWithout('var own = Array.prototype.toSorted;');
  expect(run('Array.prototype.toSorted === own')).toBe(true);
});

test('below the floor the scripts keep waiting and one line names browsers', () => {
  const { run, told } = windowWithout(ALL, false);
  expect(run('olderWait')).toBe(true);
  expect(told).toEqual([]);
  expect(run('lines.length')).toBe(1);
  expect(run('lines[0]')).toContain('浏览器版本过低');
});

test('it is written in syntax that browsers far below the floor read', () => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  expect(code.match(/=>|\b(?:const|let|class|async)\s|`|\?\.|\?\?|\.\.\.|\(\?<[=!]/g)).toBeNull();
});
