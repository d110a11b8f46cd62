import { expect, it, test } from 'vitest';
import { isRoute, ladderOf, routeText } from './rank-ladder.ts';

const options = (labels: string) => [...labels].map((label, i) => ({ v: i + 1, label }));
const field = (key: string, labels: string, more: object = {}) => ({
  key,
  kind: 'single' as const,
  options: options(labels),
  ...more,
});

it('a ladder is the field of ranks, if it has enough of them', () => {
  const ranks = ladderOf([field('last_rank', '甲乙丙'), field('rank', '铜银金')]);
  expect(ranks.map(({ label }) => label).join('')).toBe('铜银金');
  expect(ladderOf([field('noble', '甲乙丙'), field('fire_rank', '铜银金')])).toHaveLength(3);
  expect(ladderOf([field('rank', '铜银')])).toEqual([]);
  expect(ladderOf([field('rank', '铜银金', { retired: true })])).toEqual([]);
});

it('a route leads upwards on its ladder', () => {
  const ladder = ladderOf([field('rank', '铜银金钻')]);
  expect(isRoute(ladder, { from: 1, to: 4 })).toBe(true);
  for (const wrong of [
    { from: 2, to: 2 },
    { from: 3, to: 1 },
    { from: 0, to: 3 },
    { from: 1, to: 9 },
  ])
    expect(isRoute(ladder, wrong)).toBe(false);
  expect(routeText(ladder, { from: 2, to: 4 })).toBe('银 打到 钻');
  expect(routeText(ladder, { from: 2, to: 9 })).toBe('');
});

const RANKS = ['青铜', '白银', '黄金'].map((label, i) => ({ v: (i + 1) * 10, label }));
const fieldOf = (key: string, more: object = {}) => ({
  key,
  kind: 'single' as const,
  options: RANKS,
  retired: false,
  ...more,
});
const ranks = RANKS.map(({ v, label }) => ({ value: v, label }));

test('the ladder is the field rank, else the first that ends in _rank', () => {
  const other = RANKS.map((option) => ({ ...option, label: `${option.label}杯` }));
  expect(ladderOf([fieldOf('solo_rank', { options: other }), fieldOf('rank')])).toEqual(ranks);
  expect(
    ladderOf([fieldOf('ranking', { options: other }), fieldOf('solo_rank'), fieldOf('duo_rank', { options: other })]),
  ).toEqual(ranks);
  expect(ladderOf([fieldOf('ranking'), fieldOf('rank_of'), fieldOf('area')])).toEqual([]);
  expect(ladderOf([])).toEqual([]);
});

test('a retired field, one of several choices, and RANKS without a number are no ladder', () => {
  expect(ladderOf([fieldOf('rank', { retired: true })])).toEqual([]);
  expect(ladderOf([fieldOf('rank', { kind: 'multi' })])).toEqual([]);
  expect(ladderOf([fieldOf('rank', { options: undefined })])).toEqual([]);
  const text = { v: 'x', label: '无段位' };
  expect(ladderOf([fieldOf('rank', { options: [text, ...RANKS] })])).toEqual(ranks);
});

test('three ranks are the fewest of a ladder', () => {
  expect(ladderOf([fieldOf('rank', { options: RANKS.slice(0, 2) })])).toEqual([]);
  expect(ladderOf([fieldOf('rank', { options: RANKS.slice(0, 3) })])).toHaveLength(3);
});

test.each([
  [10, 20, true],
  [10, 30, true],
  [20, 20, false],
  [30, 10, false],
  [15, 20, false],
  [10, 35, false],
  [35, 36, false],
])('from %i to %i is a route: %s', (from, to, expected) => {
  expect(isRoute(ranks, { from, to })).toBe(expected);
});

test('a route reads by the names of its ranks', () => {
  expect(routeText(ranks, { from: 10, to: 30 })).toBe('青铜 打到 黄金');
  expect(routeText(ranks, { from: 15, to: 30 })).toBe('');
  expect(routeText(ranks, { from: 10, to: 35 })).toBe('');
});
