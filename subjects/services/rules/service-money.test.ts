/** Properties of the money of boosting and companion play: no fen is lost or created, for any shares and progress. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeOf } from '#contract/rules/fee.ts';
import {
  cancelSplit,
  milestoneShares,
  playedMinutes,
  type SplitMilestone,
  unplayedFen,
  wholeShares,
} from './service.ts';

const goods = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 100, max: 9_999_900 }));
/** Shares in basis points that add up to the whole. */
const shares = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 }).map((weights) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = 10_000;
  return weights.map((weight, index) => {
    const bp = index === weights.length - 1 ? left : Math.floor((weight * 10_000) / total);
    left -= bp;
    return bp;
  });
});
const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0);

describe('the stages of an order', () => {
  it('add up to its price, and each is its share to less than a fen on either side', () => {
    fc.assert(
      fc.property(goods, shares, (fen, bps) => {
        const parts = milestoneShares(fen, bps);
        expect(sum(parts)).toBe(fen);
        for (const [index, part] of parts.entries()) {
          const exact = (fen * (bps[index] ?? 0)) / 10_000;
          expect(part).toBeGreaterThanOrEqual(0);
          expect(Math.abs(part - exact)).toBeLessThan(1);
        }
      }),
    );
  });

  it('are rounded down from the beginning on, so that an early stage is never too large', () => {
    expect(milestoneShares(101, [3333, 3333, 3334])).toEqual([33, 34, 34]);
    expect(milestoneShares(1, [5000, 5000])).toEqual([0, 1]);
  });

  it('are shown as a growing part of the whole that ends at 100 percent', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9_999_900 }), { minLength: 1, maxLength: 8 }), (fens) => {
        const whole = wholeShares(fens);
        expect(whole.at(-1)).toBe(100);
        for (const [index, part] of whole.entries()) expect(part).toBeGreaterThanOrEqual(whole[index - 1] ?? 0);
      }),
    );
    expect(wholeShares([0, 0])).toEqual([50, 100]);
    expect(wholeShares([30, 30, 40])).toEqual([30, 60, 100]);
  });
});

describe('a cancelled order', () => {
  const progress = fc.record({
    state: fc.constantFrom<SplitMilestone['state']>('pending', 'submitted', 'refused'),
    progressPercent: fc.integer({ min: 0, max: 100 }),
  });

  it('is divided without a rest: what is done to the booster, the other part of price and fee to the buyer', () => {
    fc.assert(
      fc.property(goods, shares, fc.array(progress, { minLength: 8, maxLength: 8 }), (goodsFen, bps, steps) => {
        const [serviceFeeFen, commissionFen] = [feeOf(goodsFen, 100), feeOf(goodsFen, 500)];
        const order = {
          goodsFen,
          serviceFeeFen,
          ensureFen: 0,
          fixEnsureFen: 0,
          discountFen: 0,
          commissionFen,
          distShareFen: 0,
          inviteRewardFen: 0,
          advanceFen: 0,
          advanceGoodsFen: 0,
        };
        const milestones = milestoneShares(goodsFen, bps).map((shareFen, index) => ({
          shareFen,
          ...(steps[index] ?? { state: 'pending' as const, progressPercent: 0 }),
        }));
        const split = cancelSplit(order, milestones, 'plan');
        const done = milestones.map(({ shareFen, state, progressPercent }) =>
          state === 'submitted' ? shareFen : Math.floor((shareFen * progressPercent) / 100),
        );
        expect(split.backFen).toBe(goodsFen - sum(done));
        expect(split.buyerFen + split.sellerFen + split.feeFen + split.paidFen).toBe(goodsFen + serviceFeeFen);
        for (const part of [split.buyerFen, split.sellerFen, split.feeFen]) expect(part).toBeGreaterThanOrEqual(0);
        expect(split.buyerFen).toBeGreaterThanOrEqual(split.backFen);
      }),
    );
  });

  it('pays the booster what was paid in advance and the rest of what is done: an accepted stage whole', () => {
    const terms = {
      goodsFen: 10_000,
      serviceFeeFen: 0,
      ensureFen: 0,
      fixEnsureFen: 0,
      discountFen: 0,
      commissionFen: 0,
    };
    const order = { ...terms, distShareFen: 0, inviteRewardFen: 0, advanceFen: 3000, advanceGoodsFen: 3000 };
    const stage = (state: SplitMilestone['state'], shareFen: number, progressPercent: number) => ({
      state,
      shareFen,
      progressPercent,
    });
    const split = cancelSplit(order, [stage('accepted', 3000, 50), stage('pending', 7000, 50)], 'plan');
    expect(split).toMatchObject({ backFen: 3500, buyerFen: 3500, paidFen: 3000, sellerFen: 3500, providerFen: 6500 });
  });

  it('costs the booster the efficiency deposit only when late', () => {
    const order = { goodsFen: 100, serviceFeeFen: 1, ensureFen: 0, fixEnsureFen: 0, discountFen: 0, commissionFen: 5 };
    const terms = { ...order, distShareFen: 0, inviteRewardFen: 0, advanceFen: 0, advanceGoodsFen: 0 };
    const cancelled = (['plan', 'late'] as const).map((reason) => cancelSplit(terms, [], reason));
    expect(cancelled.map((split) => split.efficiencyToBuyer)).toEqual([false, true]);
    expect(cancelled.map((split) => split.buyerFen)).toEqual([101, 101]);
  });
});

describe('minutes of play', () => {
  it('are counted at each limit: the first, each begun one, and the last', () => {
    const at = (ms: number) => playedMinutes(0, ms, 120);
    expect([0, 1, 59_999, 60_000, 60_001].map(at)).toEqual([1, 1, 1, 1, 2]);
    expect([119, 120, 121].map((minutes) => at(minutes * 60_000))).toEqual([119, 120, 120]);
  });

  it('cost the played part rounded up and give the rest back', () => {
    fc.assert(
      fc.property(goods, fc.integer({ min: 0, max: 720 }), fc.integer({ min: 1, max: 720 }), (fen, played, ordered) => {
        const back = unplayedFen(fen, played, ordered);
        const exact = (fen * Math.max(0, ordered - played)) / ordered;
        expect(back).toBeLessThanOrEqual(exact + 1e-6);
        expect(exact - back).toBeLessThan(1);
        expect(Number.isInteger(back)).toBe(true);
      }),
    );
  });
});
