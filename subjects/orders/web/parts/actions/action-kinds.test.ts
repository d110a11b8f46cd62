import { expect, test } from 'vitest';
import { isBarOnly, isInBar, type OrderAction, visibleActions } from './action-kinds.ts';

const action = (given: Partial<OrderAction>): OrderAction => ({
  act: 'confirm',
  label: '确认收货',
  enabled: true,
  reason: null,
  primary: true,
  confirm: null,
  ...given,
});

test('the bar of a phone has the main action, once it can be done', () => {
  expect(isInBar(action({}))).toBe(true);
  expect(isInBar(action({ enabled: false, reason: '申诉处理中' }))).toBe(false);
  expect(isInBar(action({ primary: false }))).toBe(false);
});

test('a card is left with its margins alone where the bar has all of it, and keeps what the bar does not have', () => {
  expect(isBarOnly(visibleActions([action({})]))).toBe(true);
  expect(isBarOnly(visibleActions([action({}), action({ act: 'dispute', primary: false })]))).toBe(false);
  expect(isBarOnly(visibleActions([action({ enabled: false, reason: '申诉处理中' })]))).toBe(false);
});
