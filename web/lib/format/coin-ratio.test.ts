import { expect, test } from 'vitest';
import { coinRatio } from './coin-ratio.ts';

const chips = [
  { label: '阵营', value: '部落' },
  { label: '数量', value: '15000万金币' },
];

test('coin has a ratio, whichever attribute contains the amount', () => {
  expect(coinRatio({ goodsTypeId: 2, chips, price: '273.94' })).toEqual({
    ratio: '1元=54.76万金币',
    unitPrice: '0.01826元/万金币',
  });
  expect(coinRatio({ goodsTypeId: 22, chips: [{ label: '数量', value: '18,000元宝' }], price: '112.68' })?.ratio).toBe(
    '1元=159.7元宝',
  );
});

test('other listings, and coin without an amount, have none', () => {
  expect(coinRatio({ goodsTypeId: 1, chips, price: '273.94' })).toBeNull();
  expect(coinRatio({ goodsTypeId: 2, chips: [{ label: '等级', value: '60级' }], price: '10.00' })).toBeNull();
  expect(coinRatio({ goodsTypeId: 2, chips: [], price: '10.00' })).toBeNull();
});

test('ingots never use the unit of the game’s coin', () => {
  expect(coinRatio({ goodsTypeId: 22, chips: [{ label: '数量', value: '18,000金币' }], price: '112.68' })).toBeNull();
});

test('the first attribute with an amount in the unit of the type counts, and it must be all of the attribute', () => {
  const ratioOf = (goodsTypeId: number, ...values: string[]) =>
    coinRatio({ goodsTypeId, chips: values.map((value) => ({ label: '数量', value })), price: '100.00' })?.ratio ??
    null;
  expect(ratioOf(2, '0金币', '500金币', '900金币')).toBe('1元=5金币');
  expect(ratioOf(2, '60级', '2000万基纳')).toBe('1元=20万基纳');
  expect(ratioOf(2, '1,000,000金币')).toBe('1元=10000金币');
  expect(ratioOf(22, '1000元宝')).toBe('1元=10元宝');
  for (const value of ['金币500', '约500金币', '500金币2', '500', ',金币', '500元宝', '金币', ''])
    expect(ratioOf(2, value), value).toBeNull();
  for (const value of ['1000万金币', '1000万宝票', '1000个']) expect(ratioOf(22, value), value).toBeNull();
  // Items have an amount, and no ratio.
  expect(ratioOf(27, '500金币')).toBeNull();
});
