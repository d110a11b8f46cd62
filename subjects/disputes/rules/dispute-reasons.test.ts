import { describe, expect, test } from 'vitest';
import { disputedStates, disputedTypes, REPORT_STATE, reasonPlaces, withoutReason } from './dispute-reasons.ts';

const states = reasonPlaces.map(([state]) => state);

test('an order can be disputed in three states, and a report has a separate place', () => {
  expect(disputedStates.map(([state]) => state)).toEqual([1, 2, 3]);
  // Named for goods and for services.
  expect(disputedStates.map(([, name]) => name)).toEqual(['待发货、待完成', '待收货、待验收', '已完成（保护期内）']);
  expect(states).toEqual([1, 2, 3, REPORT_STATE]);
});

describe('the first order without a reason', () => {
  test('is none when one reason fits every type, or each type has one', () => {
    expect(withoutReason([{ types: null, states }])).toBeNull();
    expect(withoutReason(disputedTypes.map((typeId) => ({ types: [typeId], states })))).toBeNull();
  });

  test('is found by type and by state', () => {
    expect(withoutReason([{ types: disputedTypes.slice(1), states }])?.typeId).toBe(1);
    expect(withoutReason([{ types: null, states: [1, 3, 0] }])).toEqual({ typeId: 1, state: '待收货' });
    expect(withoutReason([{ types: null, states: [1, 2, 3] }])).toEqual({ typeId: 1, state: '举报商品与问答' });
    expect(withoutReason([])?.typeId).toBe(1);
  });
});
