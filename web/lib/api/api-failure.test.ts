import { expect, test } from 'vitest';
import { ApiFailure, isApiFailure, isNetworkFailure } from './api-failure.ts';

test('a failure has the fields of the envelope', () => {
  const failure = new ApiFailure(3303, '您不在该群聊中', 403, 'groupId');
  expect({ ...failure }).toEqual({
    name: 'ApiFailure',
    code: 3303,
    msg: '您不在该群聊中',
    status: 403,
    field: 'groupId',
  });
  expect([failure.message, failure instanceof Error]).toEqual(['您不在该群聊中', true]);
  expect(new ApiFailure(1, '', 400).field).toBeUndefined();
});

test('a proxy’s error is an update of the site', () => {
  const failure = new ApiFailure(-1, 'dial tcp 127.0.0.1: connection refused', 502);
  expect([failure.msg, failure.message]).toEqual(Array(2).fill('网站正在更新，请稍候...'));
});

test.each([
  [new ApiFailure(1, '', 400), true],
  [{ code: 1, msg: '', status: 400 }, true],
  [{ code: '1', msg: '', status: 400 }, false],
  [{ code: 1, msg: 1, status: 400 }, false],
  [{ code: 1, msg: '', status: '400' }, false],
  [{ code: 1, msg: '' }, false],
  [Object.assign(() => undefined, { code: 1, msg: '', status: 400 }), false],
  [null, false],
  [undefined, false],
  ['x', false],
  [new TypeError('x'), false],
])('%j is a failure of a call: %s', (error, isOne) => {
  expect(isApiFailure(error)).toBe(isOne);
});

test('a failure without a status had no response', () => {
  expect([isNetworkFailure({ status: 0 }), isNetworkFailure({ status: 500 })]).toEqual([true, false]);
});
