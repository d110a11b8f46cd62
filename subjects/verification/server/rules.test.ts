import { describe, expect, it } from 'vitest';
import { idAad, isBankCard, maskIdNo, maskName, maskPayee, nameAad, sameName } from './rules.ts';

it('a name shows its first character, a number of an ID card its ends', () => {
  expect(['张', '张三', '张三丰', '𠮷田'].map(maskName)).toEqual(['张', '张*', '张**', '𠮷*']);
  expect(maskIdNo('110101199003077774')).toBe('110*************74');
});

describe('the same name', () => {
  it.each([
    ['买买提·艾力', '买买提•艾力', true],
    ['买买提．艾力', '买买提.艾力', true],
    ['买买提 · 艾力', '买买提‧艾力', true],
    ['买买提∙艾力', '买买提・艾力', true],
    ['王 小 明', '王小明', true],
    ['ＡＢ', 'AB', true],
    ['王小明', '王晓明', false],
    ['买买提·艾力', '买买提艾力', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(sameName(a, b)).toBe(expected);
  });
});

it('an account is recognised by its ends', () => {
  const accounts = ['abc@mail.com', 'a@mail.com', 'wx_12345', 'weixin123', '13812341234', '@mail.com'];
  expect(accounts.map(maskPayee)).toEqual([
    'ab****@mail.com',
    'a****@mail.com',
    'wx****45',
    'wei****n123',
    '138****1234',
    '@ma****.com',
  ]);
});

describe('the number of a bank card', () => {
  it.each([
    ['6222021234567894', true],
    ['6222021234567891', false],
    ['4111111111111111', true],
    ['4111111111111112', false],
    ['000000000000', true],
    ['00000000000', false],
    ['0000000000000000000', true],
    ['00000000000000000000', false],
    ['4111 1111 1111 1111', false],
    ['18', false],
    // A nine counts as nine where it is not doubled, and is doubled to eighteen.
    ['000000000109', true],
    ['000000000091', true],
    ['000000000100', false],
  ])('%s: %s', (digits, expected) => {
    expect(isBankCard(digits)).toBe(expected);
  });
});

it('encrypted values are bound to their row and column', () => {
  expect([nameAad(7), idAad(7)]).toEqual(['real_name.name_enc:7', 'real_name.id_no_enc:7']);
});
