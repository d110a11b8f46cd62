import { expect, it } from 'vitest';
import { defaultGoodsType, deliveryName, goodsTypeIds, goodsTypeName, usesJDetail } from './catalogue.ts';

it('names every goods type, but not the types that only orders have', () => {
  expect(goodsTypeIds.map(goodsTypeName)).toEqual([
    '账号',
    '游戏币',
    '首充号',
    '元宝',
    '道具',
    '寄售账号',
    '代练',
    '陪玩',
  ]);
  expect(goodsTypeName(51)).toBe('其他');
});

it('uses JDetail only for types 2 and 22', () => {
  expect(goodsTypeIds.filter(usesJDetail)).toEqual([2, 22]);
});

it('starts a search with accounts, and game 18 with type 8', () => {
  expect([defaultGoodsType(1), defaultGoodsType(18)]).toEqual([1, 8]);
});

it('names the deliveries', () => {
  expect([1, 2, 3, 4].map(deliveryName)).toEqual(['邮寄', '拍卖', '当面交易', '协商']);
});
