import { expect, it, test } from 'vitest';
import {
  amountUnit,
  defaultGoodsType,
  deliveryName,
  gameTypeNames,
  goodsTypeIds,
  goodsTypeName,
  isCollection,
  isGameCoin,
  isGoodsType,
  usesJDetail,
} from './catalogue.ts';

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

it('names every way of delivery', () => {
  expect([1, 2, 3, 4].map(deliveryName)).toEqual(['邮寄', '拍卖', '当面交易', '协商']);
});

test.each([
  [1, '账号'],
  [2, '游戏币'],
  [60, '代练'],
  [3, '其他'],
  [0, '其他'],
])('type %i of goods is called %s', (id, name) => {
  expect(goodsTypeName(id)).toBe(name);
});

test('a type only of orders is no type of goods', () => {
  expect(goodsTypeIds.every(isGoodsType)).toBe(true);
  for (const id of [0, 3, 21, 23, 49, 51, 62]) expect(isGoodsType(id), String(id)).toBe(false);
});

test('a search begins with accounts, and in game 18 with type 8', () => {
  expect([17, 18, 19].map(defaultGoodsType)).toEqual([1, 8, 1]);
});

test('coin and ingots have their own page', () => {
  expect(goodsTypeIds.filter(usesJDetail)).toEqual([2, 22]);
});

test('amounts have the unit of the game’s field, ingots their own', () => {
  expect(amountUnit(2, '万金币')).toBe('万金币');
  expect(amountUnit(2, undefined)).toBe('个');
  expect(amountUnit(22, '万金币')).toBe('元宝');
  expect([isGameCoin(2), isGameCoin(22)]).toEqual([true, false]);
});

test('names of deliveries and of kinds of games', () => {
  expect([1, 2, 3, 4].map(deliveryName)).toEqual(['邮寄', '拍卖', '当面交易', '协商']);
  expect(gameTypeNames).toEqual({ 1: '端游', 2: '手游' });
});

test('a game with the field game_name collects listings of other games', () => {
  expect(isCollection([{ key: 'rank' }, { key: 'game_name' }])).toBe(true);
  expect(isCollection([{ key: 'rank' }])).toBe(false);
  expect(isCollection([])).toBe(false);
});
