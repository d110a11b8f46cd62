/** Sums of money in texts: with thousands separators everywhere, made by one helper on the server (`yuanLabel`) and one for yuan text (`grouped`). */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { yuanLabel } from '#contract/wire.ts';

const SOURCES = globSync([
  'server/**/*.ts',
  'subjects/**/*.{ts,tsx}',
  'contract/**/*.ts',
  'db/seed/**/*.ts',
  '{db/functions,subjects/*/db}/*.sql',
  'web/**/*.{ts,tsx}',
]);

/** Calls that write the separators. */
const WRITES = /\b(?:yuanLabel|grouped|yuanParts|yuanInTenThousands|wholeYuan|moneyText)\(/;

/** Expressions that hold no sum, or one that was written with separators before, by file. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  'subjects/quick-coin/rules/coin.ts': ['plainNumber(1 / perYuan)'],
  'db/seed/generate/texts.ts': ['amount', 'ratio', 'place'],
  'db/seed/load/content/notices.ts': ['o.total', 'o.net'],
  'db/seed/load/content/texts.ts': ['amount'],
  'subjects/notices/server/case-events.ts': ['e.text'],
  'subjects/notices/server/events.ts': ['p.text'],
  'subjects/offers/server/rules.ts': ['price'],
  'subjects/recycling/server/recyclers.ts': ['before', 'after'],
};

/** Pages whose texts are not covered yet. */
const OPEN = /^subjects\/(?:[^/]+\/staff|goods\/web\/detail)\//;

/** Returns the text enclosed by the opening brace at `from`; undefined where it does not close nearby. */
function enclosed(source: string, from: number): string | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(source.length, from + 400); at++) {
    if (source[at] === '{') depth++;
    else if (source[at] === '}' && --depth === 0) return source.slice(from + 1, at);
  }
  return undefined;
}

/** The sums of a source that are written without separators, one line each; what is excepted is added to `hits`. */
function bareSums(file: string, source: string, hits = new Set<string>()): string[] {
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length;
  const found: string[] = [];
  for (const { index } of source.matchAll(/\{/g)) {
    const inner = enclosed(source, index);
    if (inner === undefined) continue;
    const isSum =
      /¥\$?$/.test(source.slice(0, index)) || /^\s?元/.test(source.slice(index + inner.length + 2).slice(0, 4));
    if (!isSum) continue;
    if (EXCEPT[file]?.includes(inner)) {
      hits.add(`${file} ${inner}`);
      continue;
    }
    // Each branch of an expression has to write them.
    if (WRITES.test(inner) && !/\byuanText\(/.test(inner)) continue;
    found.push(`${file}:${lineOf(index)} ${inner.split('\n')[0]}`);
  }
  for (const { index, 0: literal } of source.matchAll(/(?<![\d.])\d{4,} ?元/g))
    found.push(`${file}:${lineOf(index)} ${literal}`);
  for (const { index } of source.matchAll(/'FM9{4,}0\.00'(?=\) \|\| ' 元|\) as (?:total|net)\b)/g))
    found.push(`${file}:${lineOf(index)} to_char`);
  // The values of a notice are put into its text.
  if (file.startsWith('subjects/notices/server/'))
    for (const { index } of source.matchAll(/\byuanText\(/g)) found.push(`${file}:${lineOf(index)} yuanText`);
  return found;
}

test('a sum has separators and two decimals', () => {
  expect([1, 99_999, 100_000, 1_234_567, -12_345_678].map((fen) => yuanLabel(fen))).toEqual([
    '0.01',
    '999.99',
    '1,000.00',
    '12,345.67',
    '-123,456.78',
  ]);
});

test('the check finds sums without separators, and accepts the others', () => {
  const text = [
    'const a = `退回 ${yuanText(fen)} 元`;',
    'const b = `全包价 ¥${price}`;',
    '<p>可用余额 {balance} 元</p>',
    "const c = '不能超过 3000 元';",
    'const e = `退回 ${part ? yuanLabel(part) : yuanText(fen)} 元`;',
    'const d = `退回 ${yuanLabel(fen)} 元，¥${grouped(price)}，3,000 元`;',
  ].join('\n');
  expect(bareSums('server/a.ts', text)).toEqual([
    'server/a.ts:1 yuanText(fen)',
    'server/a.ts:2 price',
    'server/a.ts:3 balance',
    'server/a.ts:5 part ? yuanLabel(part) : yuanText(fen)',
    'server/a.ts:4 3000 元',
  ]);
  expect(bareSums('subjects/notices/server/a.ts', 'values: { amount: yuanText(fen) }')).toHaveLength(1);
});

test('every sum in a text has its separators', () => {
  const files = SOURCES.filter((file) => !/\.test\.tsx?$/.test(file) && !OPEN.test(file));
  expect(files.length).toBeGreaterThan(1000);
  const hits = new Set<string>();
  expect(files.flatMap((file) => bareSums(file, readFileSync(file, 'utf8'), hits))).toEqual([]);
  const excepted = Object.entries(EXCEPT).flatMap(([file, inners]) => inners.map((inner) => `${file} ${inner}`));
  expect(excepted.filter((one) => !hits.has(one))).toEqual([]);
});
