import { expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { asFailure, failureMessage, isError, readFailureMessage } from './call-errors.ts';

test('an error is identified by its number', () => {
  const failure = new ApiFailure(codes.GOODS_CHANGED[0], codes.GOODS_CHANGED[2], 409);
  expect(isError(failure, codes.GOODS_CHANGED)).toBe(true);
  expect(isError(failure, codes.GOODS_STOCK, codes.BALANCE_LOW)).toBe(false);
  expect(isError(null, codes.GOODS_CHANGED)).toBe(false);
});

test('the message of an error, and the hint that a retry is safe without a response', () => {
  expect(failureMessage(new ApiFailure(3101, codes.BALANCE_LOW[2], 422))).toBe(codes.BALANCE_LOW[2]);
  expect(failureMessage(asFailure(new TypeError('fetch failed')))).toContain('不会重复提交');
  expect(failureMessage(new ApiFailure(-1, 'tcp refused', 502))).toContain('正在更新');
});

test('a read without a response has changed nothing, so it speaks of no second sending', () => {
  expect(readFailureMessage(asFailure(new TypeError('fetch failed')))).toBe('网络超时，没有读到内容');
  expect(readFailureMessage(new ApiFailure(3101, codes.BALANCE_LOW[2], 422))).toBe(codes.BALANCE_LOW[2]);
});

test('an error is one of several, and nothing is none', () => {
  const failure = { code: codes.GOODS_STOCK[0] };
  expect(isError(failure, codes.GOODS_CHANGED, codes.GOODS_STOCK)).toBe(true);
  expect([isError(failure), isError(undefined, codes.GOODS_STOCK)]).toEqual([false, false]);
});

test('what is no failure of a call is one without a response; a failure stays the same', () => {
  const failure = new ApiFailure(5, '不行', 409, 'price');
  expect(asFailure(failure)).toBe(failure);
  const { code, msg, status, field } = asFailure({ code: 5, msg: '不行', status: 409 });
  expect([code, msg, status, field]).toEqual([-1, '网络超时', 0, undefined]);
  expect(failureMessage({ status: 0, msg: '原文' })).toBe('网络超时，结果还不确定；请重试，不会重复提交');
  expect(failureMessage({ status: 1, msg: '原文' })).toBe('原文');
  expect(readFailureMessage({ status: 500, msg: '原文' })).toBe('原文');
});
