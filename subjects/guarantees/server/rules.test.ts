import { describe, expect, test } from 'vitest';
import {
  chaseDay,
  claimName,
  coverExplain,
  coverName,
  escalationText,
  maskHolder,
  measuredRate,
  OPEN_CLAIM,
} from './rules.ts';

describe('the measured rate', () => {
  const many = { covers: 600, pricesFen: 600 * 100_000 };

  test('too few cases leave the tier’s own rate', () => {
    expect(measuredRate(1000, { covers: 29, pricesFen: 2_900_000, paidFen: 0 })).toBeNull();
  });

  test('30 covers are enough for a measurement, 29 are not, and neither is a turnover of nothing', () => {
    const measured = (covers: number, pricesFen = covers * 100_000) =>
      measuredRate(1000, { covers, pricesFen, paidFen: 0 })?.bp ?? null;
    expect([29, 30, 31].map((covers) => measured(covers))).toEqual([null, 670, 660]);
    expect([0, 1].map((pricesFen) => measured(30, pricesFen))).toEqual([null, 670]);
  });

  test('few losses lower the rate, many raise it, within 3 % and 20 %', () => {
    expect(measuredRate(1000, { ...many, paidFen: 0 })?.bp).toBe(300);
    expect(measuredRate(1000, { ...many, paidFen: 600_000 * 5 })?.bp).toBe(770);
    expect(measuredRate(1000, { ...many, paidFen: 600_000 * 40 })?.bp).toBe(2000);
  });

  test('the rate is divided into shares that add up to it', () => {
    for (const paidFen of [0, 600_000, 600_000 * 5, 600_000 * 40]) {
      const rate = measuredRate(1000, { ...many, paidFen });
      expect(rate?.parts.reduce((sum, part) => sum + part.bp, 0)).toBe(rate?.bp);
    }
    expect(measuredRate(1000, { ...many, paidFen: 600_000 * 5 })?.parts).toEqual([
      { label: '基准费率 10%，权重 9%', bp: 91 },
      { label: '近 180 天实际赔付 5%，权重 91%', bp: 455 },
      { label: '风险准备（赔付部分的一半）', bp: 227 },
      { label: '取整', bp: -3 },
    ]);
  });

  test('explains the rate as text', () => {
    expect(measuredRate(1000, { ...many, paidFen: 600_000 * 5 })?.reasons).toEqual([
      '近 180 天该游戏售出 600 份，赔付占保额 5%',
      '风险低于平均，费率由 10% 降为 7.7%',
    ]);
  });
});

test('the recovery schedule starts on day one and ends at its last stage', () => {
  const from = new Date('2026-11-01T00:00:00Z');
  const after = (days: number) => new Date(from.getTime() + days * 86_400_000);
  expect([null, from].map((f) => chaseDay(f, 7, from))).toEqual([0, 1]);
  expect([0.9, 1, 6.5, 9].map((d) => chaseDay(from, 7, after(d)))).toEqual([1, 2, 7, 7]);
});

test('a rate at its bounds or as before says so', () => {
  const rate = (baseBp: number, paidFen: number) =>
    measuredRate(baseBp, { covers: 600, pricesFen: 600 * 100_000, paidFen });
  expect(rate(1000, 0)?.reasons.slice(1)).toEqual(['风险低于平均，费率由 10% 降为 3%', '费率不低于 3%']);
  expect(rate(1000, 600_000 * 40)?.reasons.slice(1)).toEqual(['风险高于平均，费率由 10% 升为 20%', '费率不高于 20%']);
  expect(rate(300, 0)?.reasons[1]).toBe('与基准费率 3% 相同');
  expect([rate(1000, 0)?.parts.at(-1)?.label, rate(1000, 600_000 * 40)?.parts.at(-1)?.label]).toEqual([
    '补足下限 3%',
    '不超过上限 20%',
  ]);
  expect(rate(1000, 0)?.parts.every(({ bp }) => bp !== 0)).toBe(true);
});

test('the states of covers and claims, masked holders, and each reason of an escalation once', () => {
  const states = ['waiting', 'active', 'claimed', 'paid', 'ended', 'void'] as const;
  expect(new Set(states.map(coverName)).size).toBe(states.length);
  expect(states.map(coverExplain).every((text) => text.length > 5)).toBe(true);
  expect(claimName('chasing')).toBe('追索中');
  expect(OPEN_CLAIM).toEqual(['checking', 'chasing', 'escalated']);
  expect(escalationText(['limit', 'related', 'debt'])).toBe('金额超过单人限额，需要核实交易双方情况');
  expect([maskHolder('王小五'), maskHolder('')]).toEqual(['王**', '**']);
});
