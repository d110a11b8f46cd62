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
