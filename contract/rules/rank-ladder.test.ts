import { expect, it } from 'vitest';
import { includesRoute, isRoute, ladderOf, routeText } from './rank-ladder.ts';

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

it('a route leads upwards, and includes those within it', () => {
  const ladder = ladderOf([field('rank', '铜银金钻')]);
  expect(isRoute(ladder, { from: 1, to: 4 })).toBe(true);
  for (const wrong of [
    { from: 2, to: 2 },
    { from: 3, to: 1 },
    { from: 0, to: 3 },
    { from: 1, to: 9 },
  ])
    expect(isRoute(ladder, wrong)).toBe(false);
  const offered = { from: 2, to: 4 };
  expect(includesRoute(ladder, offered, { from: 2, to: 3 })).toBe(true);
  expect(includesRoute(ladder, offered, offered)).toBe(true);
  expect(includesRoute(ladder, offered, { from: 1, to: 3 })).toBe(false);
  expect(includesRoute(ladder, { from: 2, to: 9 }, { from: 2, to: 3 })).toBe(false);
  expect(routeText(ladder, offered)).toBe('银 打到 钻');
  expect(routeText(ladder, { from: 2, to: 9 })).toBe('');
});
