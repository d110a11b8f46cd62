import { expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import { asFailure, failureMessage, isTradeError, TRADE_ERRORS, type TradeErrorName } from './failures.ts';

test('the numbers are those of the contract', () => {
  for (const name of Object.keys(TRADE_ERRORS) as TradeErrorName[])
    expect(TRADE_ERRORS[name], name).toBe(codes[name][0]);
});

test('a refusal is known by its number', () => {
  const failure = new ApiFailure(codes.GOODS_CHANGED[0], codes.GOODS_CHANGED[2], 409);
  expect(isTradeError(failure, 'GOODS_CHANGED')).toBe(true);
  expect(isTradeError(failure, 'GOODS_STOCK', 'BALANCE_LOW')).toBe(false);
  expect(isTradeError(null, 'GOODS_CHANGED')).toBe(false);
});

test('words: the sentence of a refusal, and that nothing is sent twice when no answer came', () => {
  expect(failureMessage(new ApiFailure(3101, codes.BALANCE_LOW[2], 422))).toBe(codes.BALANCE_LOW[2]);
  expect(failureMessage(asFailure(new TypeError('fetch failed')))).toContain('不会重复提交');
  expect(failureMessage(new ApiFailure(-1, 'tcp refused', 502))).toContain('正在更新');
});
