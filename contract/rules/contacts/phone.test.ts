import { describe, expect, it } from 'vitest';
import { isPhone, maskPhone, phoneProblem } from './phone.ts';

describe('phone numbers', () => {
  it.each([
    ['13800138000', true],
    ['16600138000', true],
    ['19900138000', true],
    ['12000138000', false],
    ['1380013800', false],
    ['138001380000', false],
    ['23800138000', false],
    [' 13800138000', false],
    ['13800138000\n', false],
    ['１３８００１３８０００', false],
  ])('%j', (text, phone) => {
    expect(isPhone(text)).toBe(phone);
  });

  it('returns a message for invalid numbers', () => {
    expect(phoneProblem('')).toBe('手机号不能为空');
    expect(phoneProblem('12345')).toBe('您输入的手机号有误');
    expect(phoneProblem('13800138000')).toBeNull();
  });

  it('masks the middle of a phone number', () => {
    expect(maskPhone('13812345678')).toBe('138****5678');
  });
});
