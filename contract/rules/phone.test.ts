import { describe, expect, it } from 'vitest';
import { isClassicMobile, isMobile, isPhone, maskPhone, phoneProblem } from './phone.ts';

describe('phone numbers', () => {
  it.each([
    // text, isMobile (11 digits from 1), isClassicMobile (classic prefixes), isPhone (assigned prefixes)
    ['13800138000', true, true, true],
    ['16600138000', true, false, true],
    ['19900138000', true, false, true],
    ['12000138000', true, false, false],
    ['1380013800', false, false, false],
    ['138001380000', false, false, false],
    ['23800138000', false, false, false],
    [' 13800138000', false, false, false],
    ['13800138000\n', false, false, false],
    ['１３８００１３８０００', false, false, false],
  ])('%j', (text, mobile, classic, phone) => {
    expect([isMobile(text), isClassicMobile(text), isPhone(text)]).toEqual([mobile, classic, phone]);
  });

  it('returns a message for invalid numbers', () => {
    expect(phoneProblem('')).toBe('手机号不能为空');
    expect(phoneProblem('12345')).toBe('您输入的手机号有误');
    expect(phoneProblem('13800138000')).toBeNull();
  });

  it('masks the middle', () => {
    expect(maskPhone('13812345678')).toBe('138****5678');
  });
});
