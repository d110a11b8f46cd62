import { expect, test } from 'vitest';
import { canonicalQueryOf, pageNumber } from './page-number.ts';

test('a page number is a whole number from 1 to 1000', () => {
  const of = (query: string) => pageNumber(new URLSearchParams(query));
  expect([
    of('pages=2'),
    of('pages=1000'),
    of(''),
    of('pages=0'),
    of('pages=1001'),
    of('pages=-1'),
    of('pages=2x'),
  ]).toEqual([2, 1000, 1, 1, 1, 1, 1]);
});

test('a later page has a separate canonical address, the first one has none', () => {
  expect(canonicalQueryOf({ category: 'rule' }, 1)).toBe('category=rule');
  expect(canonicalQueryOf({ category: 'rule' }, 3)).toBe('category=rule&pages=3');
  expect(canonicalQueryOf({ category: null }, 2)).toBe('pages=2');
  expect(canonicalQueryOf({ category: undefined }, 1)).toBeUndefined();
});

test.each([
  ['pages=1', 1],
  ['pages=0002', 2],
  ['pages=00002', 1],
  ['pages=999', 999],
  ['pages=9999', 1],
  ['pages=x2', 1],
  ['pages=', 1],
  ['pages=1.5', 1],
  ['pages=3&pages=4', 3],
])('%s is the page %i', (query, page) => {
  expect(pageNumber(new URLSearchParams(query))).toBe(page);
});

test('the canonical address has every part of the subject that is there, and pages from the second on', () => {
  expect(canonicalQueryOf({ a: '1', b: '', c: '3' }, 0)).toBe('a=1&c=3');
  expect(canonicalQueryOf({ a: '1' }, 2)).toBe('a=1&pages=2');
  expect(canonicalQueryOf({}, 2)).toBe('pages=2');
  expect(canonicalQueryOf({}, 1)).toBeUndefined();
});
