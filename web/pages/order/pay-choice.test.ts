import { expect, test } from 'vitest';
import { canCombine, channelPart, firstChoice, isEnough, missing, takesBalance } from './pay-choice.ts';

const channels = [{ aliOrWx: 1 }, { aliOrWx: 2 }];
const rich = { coin: '3264.50', total: '1400.80' };
const some = { coin: '264.50', total: '1400.80' };
const none = { coin: '0.00', total: '1400.80' };

test('the balance is offered first only when it suffices, and never taken unasked', () => {
  expect(firstChoice(rich, channels)).toEqual({ method: 'balance', useBalance: false });
  expect(firstChoice(some, channels)).toEqual({ method: 1, useBalance: false });
  expect(firstChoice(none, [])).toEqual({ method: 'balance', useBalance: false });
});

test('exactly enough is enough', () => {
  expect(isEnough({ coin: '12.80', total: '12.80' })).toBe(true);
  expect(isEnough({ coin: '12.79', total: '12.80' })).toBe(false);
});

test('the parts add up to the total', () => {
  expect(missing(some)).toBe('1136.30');
  expect(channelPart(some, { method: 1, useBalance: true })).toBe('1136.30');
  expect(channelPart(some, { method: 1, useBalance: false })).toBe('1400.80');
  expect(missing(rich)).toBe('0.00');
});

test('balance and channel together only with something and not enough', () => {
  expect([canCombine(rich), canCombine(some), canCombine(none)]).toEqual([false, true, false]);
  expect(takesBalance({ method: 1, useBalance: true })).toBe(true);
  expect(takesBalance({ method: 2, useBalance: false })).toBe(false);
  expect(takesBalance({ method: 'balance', useBalance: false })).toBe(true);
});
