import { expect, test } from 'vitest';
import { noMatches } from './no-matches.ts';

test('an empty list of matches names its filters', () => {
  expect(noMatches('2026-11-26', null)).toBe('这一天没有比赛');
  expect(noMatches('2026-11-26', '3')).toBe('这一天没有这项赛事的比赛');
  expect(noMatches(null, '3')).toBe('这项赛事近期没有比赛');
  expect(noMatches(null, null)).toBe('近期没有比赛');
});
