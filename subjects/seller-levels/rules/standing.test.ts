import { describe, expect, it } from 'vitest';
import { sellerLevelName, securityLevel, securityLevelNames, securityScore, vipLevel } from './standing.ts';

const nothing = {
  authStatus: 0,
  isHadPhone: false,
  isHadPassWord: false,
  isPayPassWord: false,
  isHadEmail: false,
  isHadPayout: false,
};

describe('security', () => {
  it('starts at 3 and grows by 1 for each of six criteria', () => {
    expect(securityScore(nothing)).toBe(3);
    expect(securityScore({ ...nothing, authStatus: 1 })).toBe(3);
    expect(securityScore({ ...nothing, authStatus: 2 })).toBe(4);
    expect(
      securityScore({
        authStatus: 2,
        isHadPhone: true,
        isHadPassWord: true,
        isPayPassWord: true,
        isHadEmail: true,
        isHadPayout: true,
      }),
    ).toBe(9);
  });

  it.each([
    [9, '安全'],
    [8.9, '良好'],
    [6, '良好'],
    [5.9, '一般'],
    [3, '一般'],
    [2.9, '危险'],
  ])('%d is %s', (score, name) => {
    expect(securityLevelNames[securityLevel(score)]).toBe(name);
  });
});

it.each([
  [0, 0],
  [49_999_999, 0],
  [50_000_000, 1],
  [99_999_999, 1],
  [100_000_000, 2],
  [149_999_999, 2],
  [150_000_000, 3],
])('%i fen paid is vip%i', (fen, level) => {
  expect(vipLevel(fen)).toBe(level);
});

it.each(['isHadPhone', 'isHadPassWord', 'isPayPassWord', 'isHadEmail', 'isHadPayout'] as const)(
  '%s alone counts one',
  (name) => {
    expect(securityScore({ ...nothing, [name]: true })).toBe(4);
  },
);

it('a level beyond the names has the nearest one', () => {
  expect([-1, 0, 0.9, 1, 4, 5, 6].map(sellerLevelName)).toEqual([
    '新手',
    '新手',
    '新手',
    '普通',
    '钻石',
    '皇冠',
    '皇冠',
  ]);
});
