import { describe, expect, it } from 'vitest';
import { BargainStatus } from '../rules/bargain.ts';
import { eventText, floorFen, shortName, statusText } from './rules.ts';

describe('the least offer', () => {
  it.each([
    [10_000, 80, 8000],
    [10_001, 80, 8100],
    [9_999, 80, 8000],
    [100, 50, 100],
    [200, 50, 100],
    [250, 50, 200],
    [50, 10, 100],
  ])('for %i fen at %i percent is %i fen, in whole yuan', (priceFen, percent, least) => {
    expect(floorFen(priceFen, percent)).toBe(least);
  });
});

describe('the text of a state', () => {
  const states = Object.values(BargainStatus).filter((status) => status !== BargainStatus.Expired);

  it('is there for each party and each state, and speaks to that party', () => {
    for (const status of states) {
      const [buyer, seller] = [statusText('buyer', status, null), statusText('seller', status, null)];
      expect([status, buyer !== '', seller !== '', buyer !== seller]).toEqual([status, true, true, true]);
    }
    expect(statusText('buyer', 99, null)).toBe('');
    expect(statusText('buyer', BargainStatus.Withdrawn, null)).toBe('您撤回了出价');
    expect(statusText('seller', BargainStatus.Withdrawn, null)).toBe('买家撤回了出价');
  });

  it('says why an offer ended automatically', () => {
    const { Expired } = BargainStatus;
    for (const party of ['buyer', 'seller'] as const) {
      expect(statusText(party, Expired, null)).toBe('超过 24 小时没有下一步，已自动失效');
      expect(statusText(party, Expired, 'timeout')).toBe('超过 24 小时没有下一步，已自动失效');
      expect(statusText(party, Expired, 'sold')).toBe('商品已被他人买走，议价结束');
      expect(statusText(party, Expired, 'removed')).toBe('商品已被卖家删除，议价结束');
      expect(statusText(party, Expired, 'changed')).toContain('卖家修改了商品');
    }
  });
});

describe('a notice about an offer', () => {
  const S = BargainStatus;
  it.each([
    ['seller', S.Pending, '有买家出价 ¥88，请在 24 小时内答复'],
    ['seller', S.BuyerAgreed, '以 ¥88 谈成，买家 24 小时内可以此价下单'],
    ['seller', S.BuyerRejected, '买家没有接受您的还价 ¥88'],
    ['seller', S.Withdrawn, '买家撤回了出价 ¥88'],
    ['seller', S.SellerAgreed, null],
    ['seller', S.Expired, null],
    ['buyer', S.SellerAgreed, '卖家同意了您的出价 ¥88，24 小时内可以此价下单'],
    ['buyer', S.Countered, '卖家还价 ¥88，请在 24 小时内答复'],
    ['buyer', S.SellerRejected, '卖家没有接受您的出价 ¥88，可换个价再出或按标价购买'],
    ['buyer', S.Expired, '超过 24 小时没有下一步，已自动失效'],
    ['buyer', S.Pending, null],
    ['buyer', S.Withdrawn, null],
  ] as const)('to the %s in state %i: %s', (to, status, text) => {
    expect(eventText(to, status, { price: '88', why: null })).toBe(text);
  });

  it('names why it ended', () => {
    expect(eventText('buyer', S.Expired, { price: '88', why: 'sold' })).toBe('商品已被他人买走，议价结束');
  });
});

it('a name is shown by its first and last sign', () => {
  expect(['', '王', '王五', '王小五', '😀王小😺'].map(shortName)).toEqual(['*', '王*', '王*', '王**五', '😀**😺']);
});
