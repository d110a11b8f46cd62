import { expect, test } from 'vitest';
import { canCombine, channelPart, firstChoice, isCodeAtOnce, isEnough, missing, takesBalance } from './pay-choice.ts';

const channels = [{ aliOrWx: 1 }, { aliOrWx: 2 }];
const rich = { coin: '3264.50', total: '1400.80' };
const some = { coin: '264.50', total: '1400.80' };
const none = { coin: '0.00', total: '1400.80' };

test('the balance is offered first only when it suffices, and never selected by default', () => {
  expect(firstChoice(rich, channels)).toEqual({ method: 'balance', useBalance: false });
  expect(firstChoice(some, channels)).toEqual({ method: 1, useBalance: false });
  expect(firstChoice(none, [])).toEqual({ method: 'balance', useBalance: false });
});

test('an exact balance suffices', () => {
  expect(isEnough({ coin: '12.80', total: '12.80' })).toBe(true);
  expect(isEnough({ coin: '12.79', total: '12.80' })).toBe(false);
});

test('the parts add up to the total', () => {
  expect(missing(some)).toBe('1136.30');
  expect(channelPart(some, { method: 1, useBalance: true })).toBe('1136.30');
  expect(channelPart(some, { method: 1, useBalance: false })).toBe('1400.80');
  expect(missing(rich)).toBe('0.00');
});

test('balance and channel are combined only with a balance that does not suffice', () => {
  expect([canCombine(rich), canCombine(some), canCombine(none)]).toEqual([false, true, false]);
  expect(takesBalance({ method: 1, useBalance: true })).toBe(true);
  expect(takesBalance({ method: 2, useBalance: false })).toBe(false);
  expect(takesBalance({ method: 'balance', useBalance: false })).toBe(true);
});

test('the QR code appears on selection only where it is scanned from this page and no balance can be used', () => {
  const at = (method: string, mustLeave = false) => [{ aliOrWx: 1, way: method, mustLeave }];
  const choice = { method: 1, useBalance: false };
  expect(isCodeAtOnce(rich, choice, at('qr'))).toBe(true);
  expect(isCodeAtOnce(some, choice, at('qr'))).toBe(false);
  expect(isCodeAtOnce(rich, choice, at('h5'))).toBe(false);
  expect(isCodeAtOnce(rich, choice, at('qr', true))).toBe(false);
  expect(isCodeAtOnce(rich, { method: 'balance', useBalance: false }, at('qr'))).toBe(false);
});
