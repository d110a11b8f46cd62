import { expect, it } from 'vitest';
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
