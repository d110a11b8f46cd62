import { describe, expect, test } from 'vitest';
import { gamesToWin, MATCH_FORMATS, matchFault, type MatchScore } from './league.ts';

const match: MatchScore = { homeId: 1, awayId: 2, bestOf: 5, homeScore: 0, awayScore: 0, status: 'waiting' };
const faultOf = (change: Partial<MatchScore>) => matchFault({ ...match, ...change })?.field ?? null;

describe('valid scores', () => {
  test.each([
    [{}],
    [{ status: 'playing' as const, homeScore: 2, awayScore: 2 }],
    [{ status: 'over' as const, homeScore: 3, awayScore: 1 }],
    [{ status: 'over' as const, bestOf: 1, awayScore: 1 }],
    [{ status: 'postponed' as const, homeScore: 1 }],
  ])('%j', (change) => expect(faultOf(change)).toBeNull());
});

describe('invalid scores', () => {
  test.each([
    [{ awayId: 1 }, 'awayId'],
    [{ status: 'over' as const, homeScore: 4 }, 'homeScore'],
    [{ status: 'over' as const, homeScore: 3, awayScore: 4 }, 'awayScore'],
    [{ status: 'over' as const, homeScore: 3, awayScore: 3 }, 'awayScore'],
    [{ status: 'over' as const, homeScore: 2, awayScore: 1 }, 'homeScore'],
    [{ status: 'over' as const, awayScore: 1 }, 'awayScore'],
    [{ status: 'over' as const, homeScore: 1, awayScore: 1 }, 'homeScore'],
    [{ status: 'waiting' as const, homeScore: 1 }, 'status'],
    [{ status: 'waiting' as const, awayScore: 1 }, 'status'],
    [{ status: 'playing' as const, homeScore: 3 }, 'status'],
  ])('%j is refused beside %s', (change, field) => expect(faultOf(change)).toBe(field));
});

test('a match has one of four formats, and nobody wins more games than it takes', () => {
  expect(MATCH_FORMATS.map((bestOf) => [bestOf, gamesToWin(bestOf)])).toEqual([
    [1, 1],
    [3, 2],
    [5, 3],
    [7, 4],
  ]);
  expect(matchFault({ ...match, status: 'over', homeScore: 4 })?.text).toBe('BO5 最多赢 3 局');
});
