import { expect, it } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { boolLabels, showValue } from './attr-text.ts';

const options = ['甲', '乙', '丙', '丁', '戊'].map((label, v) => ({ v, label }));
const field = (kind: Field['kind'], more: Partial<Field> = {}): Field =>
  ({ key: 'key', label: '名称', kind, options, ...more }) as Field;

it('a yes-or-no field says whether something is there, or is so', () => {
  for (const key of ['anti_addiction', 'health_limit', 'alts', 'play_voice'])
    expect(boolLabels({ key, label: '名称' })).toEqual(['有', '无']);
  for (const label of ['有皮肤', '带宠物', '登录限制']) expect(boolLabels({ key: 'key', label })).toEqual(['有', '无']);
  for (const label of ['可二次实名', '没有皮肤', '限制登录'])
    expect(boolLabels({ key: 'key', label })).toEqual(['是', '否']);
});

it('a single value is shown by its kind', () => {
  expect([showValue(field('bool'), true), showValue(field('bool'), false)]).toEqual(['是', '否']);
  expect(showValue(field('range'), 12)).toBe('12');
  expect(showValue(field('range', { unit: '级' }), 12)).toBe('12级');
  expect([showValue(field('single'), 1), showValue(field('single'), '1')]).toEqual(['乙', '乙']);
  expect(showValue(field('text'), '自填')).toBe('自填');
});

it('several values are listed, at most four in short', () => {
  expect(showValue(field('multi'), [0, 2])).toBe('甲、丙');
  expect(showValue(field('multi'), [0, 9])).toBe('甲');
  expect(showValue(field('multi'), [0, 1, 2, 3], false)).toBe('甲、乙、丙、丁');
  expect(showValue(field('multi'), [0, 1, 2, 3, 4], false)).toBe('甲、乙、丙、丁 等 5 项');
  expect(showValue(field('multi'), [0, 1, 2, 3, 4])).toBe('甲、乙、丙、丁、戊');
  expect(showValue(field('item_count'), { 0: 3, 9: 1, 1: 2 })).toBe('甲 ×3、乙 ×2');
});

it('a missing, unknown or mistyped value is shown as empty text', () => {
  for (const kind of ['bool', 'range', 'single', 'text', 'multi', 'item_count'] as const)
    for (const value of [undefined, null]) expect(showValue(field(kind), value)).toBe('');
  expect(showValue(field('bool'), 1)).toBe('');
  expect(showValue(field('range'), '12')).toBe('');
  expect(showValue(field('text'), 12)).toBe('');
  expect(showValue(field('multi'), '0')).toBe('');
  expect(showValue(field('single'), 9)).toBe('');
  expect(showValue({ ...field('single'), options: undefined } as unknown as Field, 1)).toBe('');
});
