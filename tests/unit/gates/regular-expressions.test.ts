/** Every regular expression of the sources takes time in proportion to its input: one customer's text must not stop the process. */
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BAIT, CONTACTS, LINKS, NUMBER, SECRETS, WIDE_NUMBER } from '#contract/rules/contacts/contact-patterns.ts';
import type { Measured } from '#tests/support/regex/growth-worker.ts';
import { literalsOf } from '#tests/support/regex/literals.ts';
import { slowPatterns } from '#tests/support/regex/measure.ts';
import { atomsOf, isRepeating, pumpsOf } from '#tests/support/regex/pumps.ts';

const FILES = globSync(['{server,subjects,web}/**/*.{ts,tsx}', 'contract/**/*.ts']).filter(
  (file) => !/\.test\.tsx?$/.test(file),
);

/** Patterns that get short inputs only, with the most characters and the reason. They are measured at that length. */
const BOUNDED: Readonly<Record<string, readonly [chars: number, why: string]>> = {
  [String.raw`\B(?=(\d{3})+(?!\d))`]: [40, 'the digits of a number'],
  [String.raw`\.?0+$`]: [40, 'the digits of a number'],
  [String.raw`(?=[a-z\d_-]{6})[a-z][a-z\d]*[\d_-]|(?=[a-z\d]*[a-z])(?=[a-z\d]*\d)[a-z\d]{5}`]: [
    200,
    'a search keyword',
  ],
  [String.raw`react-router[\\/]dist[\\/].*[\\/]routeModules\.js$`]: [300, 'a path of the build'],
  [String.raw`\/(contract|web|subjects\/[^/]+\/(contract|web|center|staff))\/.*\.tsx?$`]: [300, 'a path of the build'],
  [String.raw`[\s/／:：,，;；_-]*(?:单位)?[\s:：]*(?:元|人民币|rmb|cny|￥|¥|件|个|次|条|份|pcs)$`]: [80, 'a heading'],
  [String.raw`[\s/／:：,，;；_-]*(?:非?必填项?|必选项?|选填项?|可选项?|可空|可不填|required|optional)[\s:：_-]*`]: [
    80,
    'a heading',
  ],
  [String.raw`\s*(?:[(（]?(?:rmb|cny|人民币)[)）]?|(?:元|块|圆)(?:整|钱)?|[￥¥])$`]: [40, 'a price'],
  [String.raw`\d\s*(?:元|块|万|千|[wk])?\s*(?:[-~—–]|到|至)\s*[￥¥]?\d`]: [40, 'a price'],
};

/** Where patterns are built from strings, and the built patterns that are measured instead. */
const BUILT: Readonly<Record<string, readonly RegExp[] | 'of fixed terms and one class'>> = {
  'subjects/notices/contract/notice.ts': 'of fixed terms and one class',
  'subjects/back-office/rules/blocked-words.ts': 'of fixed terms and one class',
  'contract/rules/contacts/contact-digits.ts': 'of fixed terms and one class',
  'contract/rules/contacts/contact-patterns.ts': [...CONTACTS, ...BAIT, ...SECRETS, ...LINKS, NUMBER, WIDE_NUMBER],
  'contract/rules/contacts/contacts.ts': [],
  'subjects/settings/rules/setting-fields.ts': [/^\d{1,10}(\.\d{1,2})?$/],
  'server/adapters/pay/alipay-sign.ts': [/^\s*\{\s*"name"\s*:\s*/, /,\s*"name"\s*:\s*/],
  'server/adapters/storage/bucket.ts': [/<Key>([^<]*)<\/Key>/g],
  'server/db/migrate.ts': 'of fixed terms and one class',
  'server/http/openapi/openapi-example.ts': [],
};

const measured = ({ source, flags }: { source: string; flags: string }): Measured => ({
  source,
  flags,
  ...(BOUNDED[source] && { longest: BOUNDED[source][0] }),
});

test('the measurement finds patterns that are worse than linear, and no others', { timeout: 300_000 }, async () => {
  const bad = [
    /[+个件]+$/,
    /^(.+?)\s*[x×*]\s*(\d+)$/i,
    /^(a+)+$/,
    /<img\b[^>]*?\bsrc=/,
    /(?<![a-z])[a-z-]{2,}\s*com/,
    /^(\w+\s?)*$/,
  ];
  const good = [
    /(?<![+个件])[+个件]+$/,
    /^[a-z]+$/,
    /^(\d{1,9})(?:\.(\d+))?$/,
    /<img\b[^<>]*?\bsrc=/,
    /\d+/g,
    /^(?:\w+\s)*$/,
  ];
  const patterns = [...bad, ...good].map(measured);
  const slow = await slowPatterns(patterns);
  expect(patterns.filter((pattern) => slow.has(pattern)).map(({ source }) => source)).toEqual(
    bad.map(({ source }) => source),
  );
});

test('literals are found by the parser, with the atoms that they repeat', () => {
  const text = "const a = /x[/]\\/+$/g; const b = 4 / 2 / 1; const c = '/no/'; new RegExp(b);";
  expect(literalsOf('a.ts', text)).toEqual({
    literals: [{ file: 'a.ts', line: 1, source: 'x[/]\\/+$', flags: 'g' }],
    built: [1],
  });
  expect(atomsOf(String.raw`^a(?:[b\]]+|\d{2,})(c?)$`).map(({ source, isRepeated }) => [source, isRepeated])).toEqual([
    ['a', false],
    [String.raw`[b\]]`, true],
    [String.raw`\d`, true],
    ['c', false],
  ]);
  expect(pumpsOf('^a+$', '').some(({ prefix, repeated }) => prefix === '' && repeated === 'a')).toBe(true);
  expect([isRepeating('a[+*]{2}'), isRepeating('a+'), isRepeating(String.raw`a\+`)]).toEqual([false, true, false]);
});

test('A5: no regular expression is worse than linear on its longest input', { timeout: 600_000 }, async () => {
  const found = FILES.map((file) => ({ file, ...literalsOf(file) }));
  const literals = found.flatMap((one) => one.literals);
  expect(literals.length).toBeGreaterThan(700);
  expect(found.flatMap(({ file, built }) => (built.length > 0 ? [file] : [])).sort()).toEqual(
    Object.keys(BUILT).toSorted(),
  );
  const sources = new Set(literals.map(({ source }) => source));
  expect(Object.keys(BOUNDED).filter((source) => !sources.has(source))).toEqual([]);
  const all = [...literals, ...Object.values(BUILT).flatMap((built) => (Array.isArray(built) ? built : []))];
  const patterns = [...new Map(all.map((one) => [`${one.source}/${one.flags}`, measured(one)])).values()].filter(
    ({ source }) => isRepeating(source),
  );
  expect(patterns.length).toBeGreaterThan(250);
  const slow = await slowPatterns(patterns);
  const placeOf = (source: string) => {
    const at = literals.find((one) => one.source === source);
    return at ? `${at.file}:${at.line}` : 'built';
  };
  expect([...slow].map(([{ source }, pump]) => `${placeOf(source)} /${source}/ ${JSON.stringify(pump)}`)).toEqual([]);
});
