import { describe, expect, it } from 'vitest';
import {
  blacklistOutcomeText,
  isQq,
  isWechatId,
  qqProblem,
  serviceQueryProblem,
  serviceOutcomeText,
  wechatProblem,
} from './account-ids.ts';

describe('QQ', () => {
  it.each([
    ['10000', true],
    ['1234567890', true],
    ['1234', false],
    ['12345678901', false],
    ['012345', false],
    ['12345a', false],
  ])('%s: %s', (text, fits) => {
    expect(isQq(text)).toBe(fits);
    expect(qqProblem(text)).toBe(fits ? null : 'QQ号格式错误');
  });
});

describe('WeChat id', () => {
  it.each([
    ['wxid_1', true],
    ['a23456', true],
    ['a2345', false],
    ['a'.repeat(20), true],
    ['a'.repeat(21), false],
    ['123456', false],
    ['_abcdef', false],
    ['微信号abc', false],
    ['13800138000', true],
  ])('%s: %s', (text, fits) => {
    expect(isWechatId(text)).toBe(fits);
    expect(wechatProblem(text) === null).toBe(fits);
  });
});

describe('verification', () => {
  it.each([
    [1, '012345', '请输入正确的客服QQ'],
    [1, '123456', null],
    [2, 'abcde', '请输入正确的客服微信'],
    [2, '微信号六个字', null],
    [3, '1380013800', '请输入正确的手机号或客服电话'],
    [3, '13800138000', null],
    [4, 'abc', '请输入完整的账号'],
    [4, 'abcd', null],
    [3, '400-000-0001', null],
    [3, '010-12345678', null],
    [3, '4000000001', null],
    [3, 'x400-000-0001', '请输入正确的手机号或客服电话'],
    [3, '400-000-0001x', '请输入正确的手机号或客服电话'],
    [5, '88888888', null],
  ])('kind %i, %s: %s', (queryType, value, problem) => {
    expect(serviceQueryProblem(queryType, value)).toBe(problem);
  });

  it('uses the messages of the specification', () => {
    expect(serviceOutcomeText('10001', true)).toBe('经验证：10001为真客服！');
    expect(serviceOutcomeText('10001', false)).toBe('经验证：10001为假客服！');
    expect(blacklistOutcomeText(1)).toBe('该账号是黑号');
    expect(blacklistOutcomeText(2)).toBe('该账号无不良记录');
    expect(blacklistOutcomeText(0)).not.toBe(blacklistOutcomeText(2));
  });
});
