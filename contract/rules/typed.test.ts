import { expect, test } from 'vitest';
import {
  typedAccountId,
  typedAmount,
  typedCode,
  typedContact,
  typedDigits,
  typedIdCard,
  typedKeyword,
  typedMail,
  typedPhone,
  typedSn,
} from './typed.ts';

test.each([
  '138 0013 8000',
  '138-0013-8000',
  '+86 138 0013 8000',
  '+86-138-0013-8000',
  '86 13800138000',
  '0086 138 0013 8000',
  '(+86)13800138000',
  '１３８００１３８０００',
  '＋８６　１３８００１３８０００',
  '\u202a13800138000\u202c',
  '\u200b138\u00a00013\u20118000\ufeff',
  ' 13800138000\n',
])('%j is the phone number 13800138000', (text) => {
  expect(typedPhone(text)).toBe('13800138000');
});

test.each(['86138', '8613800138', '+1 202 555 0100', '1380013800a', '138001380001'])('%j loses no digit', (text) => {
  expect(typedPhone(text).replaceAll(/\D/g, '')).toBe(text.replaceAll(/\D/g, ''));
});

test.each([
  ['12 34 56', '123456'],
  ['123-456', '123456'],
  ['１２３４５６', '123456'],
  ['\u2066123456\u2069', '123456'],
  ['12a456', '12a456'],
  ['-5', '-5'],
])('the code %j is %j', (text, plain) => {
  expect(typedDigits(text)).toBe(plain);
});

test.each([
  ['110101 19900307 777x', '11010119900307777X'],
  ['１１０１０１１９９００３０７７７７ｘ', '11010119900307777X'],
])('the identity card %j is %j', (text, plain) => {
  expect(typedIdCard(text)).toBe(plain);
});

test.each([
  ['wx_abc-12', 'wx_abc-12'],
  [' wx_abc－12\u200b', 'wx_abc-12'],
  ['ｗｘｉｄ１２３', 'wxid123'],
  ['+86 138 0013 8000', '13800138000'],
  ['1234 5678', '12345678'],
])('the account %j is %j', (text, plain) => {
  expect(typedAccountId(text)).toBe(plain);
});

test.each([
  ['138 0013 8000', '13800138000'],
  ['1234-5678', '12345678'],
  [' QQ 12345，微信 abc-def\u200b', 'QQ 12345,微信 abc-def'],
])('the contact %j is %j', (text, plain) => {
  expect(typedContact(text)).toBe(plain);
});

test.each([
  ['12-34 56', '123456'],
  ['ａｂ１２', 'ab12'],
  ['G-123456', 'G-123456'],
])('the code with letters %j is %j', (text, plain) => {
  expect(typedCode(text)).toBe(plain);
});

test.each([
  ['+86 138-0013-8000', '13800138000'],
  ['2611 2822 0049 593111', '261128220049593111'],
  ['\u200bYS8470738 ', 'YS8470738'],
  ['2026-11-29', '2026-11-29'],
  ['1.5 亿金币', '1.5 亿金币'],
  ['小 号', '小 号'],
])('the keyword %j is %j', (text, plain) => {
  expect(typedKeyword(text)).toBe(plain);
});

test('the address and the number of an order lose what is invisible', () => {
  expect(typedMail(' ａ@mail.example\u200b')).toBe('a@mail.example');
  expect(typedSn('YS 8470738\u00a0')).toBe('YS8470738');
});

test.each([
  ['１２８８．５０', '1288.50'],
  ['¥1,288.00', '1288.00'],
  ['￥ 1,288', '1288'],
  ['1，288，000', '1288000'],
  ['1 288.5', '1288.5'],
  [' 66元 ', '66'],
  ['\u200b66\u00a0', '66'],
])('the amount %j is %j', (text, plain) => {
  expect(typedAmount(text)).toBe(plain);
});

test.each(['1,5', '1,2345', '12 34', '0,100', '1e3', '-5', '+5', '1_000', '5元5', '①', '1.2.3', '1,00', '1,000 000'])(
  'the amount %j stays as it is, to be refused',
  (text) => {
    expect(typedAmount(text)).toBe(text);
  },
);
