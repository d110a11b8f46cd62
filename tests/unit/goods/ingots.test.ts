import { showValue } from '#subjects/games/rules/attr-text.ts';
import { expect, test } from 'vitest';
import { amountUnit } from '#contract/rules/catalogue.ts';
import { fieldFor } from '#subjects/games/server/rules.ts';

const AMOUNT = {
  key: 'amount',
  label: '数量',
  kind: 'range' as const,
  unit: '万宝票',
  required: true,
  inCard: true,
  filterable: true,
  goodsTypes: [2, 22],
  sort: 0,
};

test('ingots have their own unit, in any coin unit of the game', () => {
  expect(showValue(fieldFor(22)(AMOUNT), 6000)).toBe('6000元宝');
  expect(showValue(fieldFor(2)(AMOUNT), 6000)).toBe('6000万宝票');
  expect(amountUnit(22, '金币')).toBe('元宝');
  expect(fieldFor(22)({ ...AMOUNT, key: 'level', unit: '级' }).unit).toBe('级');
});
