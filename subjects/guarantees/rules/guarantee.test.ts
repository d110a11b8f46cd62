import { describe, expect, test } from 'vitest';
import { claimableUntil, claimLimit, type Covered, reasonLines, shareLeftBp } from './guarantee.ts';

const fall = { afterDays: 30, everyDays: 10, stepBp: 500, floorBp: 5000 };
const price = { most: 'price', byItself: true } as const;
const receipts = { most: 'receipts', byItself: false } as const;
const covered = (reasons: Covered['reasons']): Covered => ({ reasons, priceFen: 10_001, payoutMaxFen: 15_000 });

describe('the payable share of the price', () => {
  test('is whole until the fall begins, one step on its first day and one more after each period', () => {
    const shares = [0, 29, 30, 39, 40, 49, 50].map((days) => shareLeftBp({ ...price, fall }, days));
    expect(shares).toEqual([10_000, 10_000, 9500, 9500, 9000, 9000, 8500]);
  });

  test('never falls below the floor, and stays whole where nothing falls', () => {
    expect([120, 129, 130, 900].map((days) => shareLeftBp({ ...price, fall }, days))).toEqual([5000, 5000, 5000, 5000]);
    expect([110, 119].map((days) => shareLeftBp({ ...price, fall }, days))).toEqual([5500, 5500]);
    expect(shareLeftBp(price, 900)).toBe(10_000);
  });
});

describe('the maximum payout of a claim', () => {
  test('is the share of the price in whole fen, without receipts where no reason accepts them', () => {
    expect(claimLimit(covered({ recovered: { ...price, fall } }), 'recovered', 30, 9000)).toBe(9500);
    expect(claimLimit(covered({ recovered: { ...price, fall } }), 'recovered', 0, 0)).toBe(10_001);
  });

  test('adds receipts where some reason accepts them, up to the guarantee’s maximum', () => {
    const both = covered({ recovered: price, topup_lost: receipts });
    expect(claimLimit(both, 'recovered', 0, 4000)).toBe(14_001);
    expect(claimLimit(both, 'recovered', 0, 5000)).toBe(15_000);
    expect(claimLimit(both, 'topup_lost', 0, 4000)).toBe(4000);
  });

  test('is 0 for a reason that is not covered', () => {
    expect(claimLimit(covered({ topup_lost: receipts }), 'banned', 0, 4000)).toBe(0);
    expect(claimableUntil(covered({}), 'banned', 0)).toBe(0);
  });

  test('when a claim is opened, a reason paid by receipts allows the guarantee’s maximum', () => {
    const both = covered({ recovered: { ...price, fall }, topup_lost: receipts });
    expect(claimableUntil(both, 'topup_lost', 30)).toBe(15_000);
    expect(claimableUntil(both, 'recovered', 30)).toBe(9500);
  });
});

test('the terms name each covered reason, in the order of the list, with what it pays', () => {
  const lines = reasonLines({ topup_lost: receipts, recovered: { ...price, fall }, banned: price }, 15_000);
  expect(lines).toEqual([
    {
      reason: 'recovered',
      name: '账号被找回',
      text: '最多商品价，满 30 天后每 10 天减 5%，不低于 50%',
      byItself: true,
    },
    { reason: 'banned', name: '因原号主行为被封', text: '最多商品价', byItself: true },
    {
      reason: 'topup_lost',
      name: '购号后的充值损失',
      text: '以核实的充值凭证为限，最多商品价的 150%，由人工核定',
      byItself: false,
    },
  ]);
  expect(reasonLines({ topup_lost: { ...receipts, byItself: true } }, 10_000)[0]?.text).toBe(
    '以核实的充值凭证为限，最多商品价',
  );
});
