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
  '"13800138000"',
  "'13800138000",
  '“13800138000”。',
  '=13800138000',
  '13800138000，',
  'tel:+86-138-0013-8000',
  '我的手机号：138 0013 8000',
  '联系电话13800138000',
  '+86+13800138000',
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
  ['“123456”', '123456'],
  ['（123456）', '123456'],
  ['验证码：123456', '123456'],
  ['【游市】您的验证码是123456，5分钟内有效。', '123456'],
  ['验证码 123456，旧的是 654321', '验证码123456,旧的是654321'],
  ['QQ：123456', '123456'],
  ['No.123456', '123456'],
  ['12345***', '12345***'],
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
  ['微信号：wxid_a-1', 'wxid_a-1'],
  ['vx:wxid_a', 'wxid_a'],
  ['wxid_a', 'wxid_a'],
  ['QQ: 123456', '123456'],
  ['银行卡 6222 0212 3456 7890 123', '6222021234567890123'],
  ['「abc」', 'abc'],
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
  ['邀请码：ab12CD', 'ab12CD'],
  ['https://market.example/register?inviteCode=ab12CD', 'ab12CD'],
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
  expect(typedSn('订单号：2611 2822')).toBe('26112822');
  expect(typedMail('邮箱：<a@mail。example>；')).toBe('a@mail.example');
});

test.each([
  ['１２８８．５０', '1288.50'],
  ['¥1,288.00', '1288.00'],
  ['￥ 1,288', '1288'],
  ['1，288，000', '1288000'],
  ['1 288.5', '1288.5'],
  [' 66元 ', '66'],
  ['¥ 1,200.00元', '1200.00'],
  ['"1200.5"', '1200.5'],
  ['1200。50', '1200.50'],
  ['价格：1200¥', '1200'],
  ['\u200b66\u00a0', '66'],
])('the amount %j is %j', (text, plain) => {
  expect(typedAmount(text)).toBe(plain);
});

test.each([
  '1,',
  '1.',
  '1。',
  '1.2w',
  '1.2万',
  '(88)',
  '1,5',
  '1,2345',
  '12 34',
  '0,100',
  '1e3',
  '-5',
  '+5',
  '1_000',
  '5元5',
  '①',
  '1.2.3',
  '1,00',
  '1,000 000',
])('the amount %j stays as it is, to be refused', (text) => {
  expect(typedAmount(text)).toBe(text);
});

test.each([
  ['手机：138 0013 8000', '13800138000'],
  ['手机号:13800138000', '13800138000'],
  ['手机号码 13800138000', '13800138000'],
  ['  电话： : 13800138000', '13800138000'],
  ['联系电话:13800138000', '13800138000'],
  ['Tel: 138-0013-8000', '13800138000'],
  ['mobile 13800138000', '13800138000'],
  ['013800138000', '13800138000'],
  ['+86013800138000', '13800138000'],
  ['138.0013.8000', '13800138000'],
  ['138·0013·8000', '13800138000'],
  ['138•0013•8000', '13800138000'],
  ['138_0013_8000', '13800138000'],
  ['138/0013/8000', '13800138000'],
  ['138\u20130013\u22128000', '13800138000'],
  ['𝟏𝟑𝟖𝟎𝟎𝟏𝟑𝟖𝟎𝟎𝟎', '13800138000'],
  ['138\t0013\u00858000', '13800138000'],
  ['138\u3164001\u28003\ufe0f8000', '13800138000'],
  // Not before eleven digits, and not in the middle.
  ['8613800138', '8613800138'],
  ['86138001380001', '86138001380001'],
  ['0138001380001', '0138001380001'],
  ['513800138000', '513800138000'],
  ['08613800138000', '08613800138000'],
  ['+8513800138000', '+8513800138000'],
  ['13800138000 手机：', '13800138000手机：'.replace('：', ':')],
  ['我的手机：13800138000', '13800138000'],
  ['手机13800138000', '13800138000'],
  ['', ''],
])('the phone number %j is %j', (text, plain) => {
  expect(typedPhone(text)).toBe(plain);
});

test.each([
  ['--5', '-5'],
  ['1-2-', '12'],
  ['—5', '-5'],
  ['', ''],
  ['-', '-'],
])('the code %j keeps its first sign alone: %j', (text, plain) => {
  expect(typedDigits(text)).toBe(plain);
});

test.each([
  ...[...'×✕✖хχХΧ'].map((sign) => [`11010119900307777${sign}`, '11010119900307777X']),
  // Only at the end of seventeen digits.
  ['1101011990030777×', '1101011990030777×'],
  ['110101199003077771×', '110101199003077771×'],
  ['11010119900307777×1', '11010119900307777×1'],
  ['11010119900307777×', '11010119900307777X'],
  ['1101011990030777a×', '1101011990030777A×'],
  ['110101199003077776', '110101199003077776'],
  ['11010119900307777y', '11010119900307777Y'],
])('the identity card %j is %j', (text, plain) => {
  expect(typedIdCard(text)).toBe(plain);
});

test.each([
  ['(010) 6552-9988', '01065529988'],
  ['138.0013.8000', '13800138000'],
  ['a138-0013', 'a138-0013'],
  ['138-0013a', '138-0013a'],
  ['+', '+'],
  ['1+38-1', '1+38-1'],
])('the account %j is %j', (text, plain) => {
  expect(typedAccountId(text)).toBe(plain);
});

test.each([
  [' 1234-5678 ', '12345678'],
  ['(010) 6552-9988', '01065529988'],
  ['+86 13800138000', '13800138000'],
  ['QQ 1234-5678', 'QQ 1234-5678'],
  ['V1\v2', 'V1 2'],
  ['1234-5678 转 2', '1234-5678 转 2'],
  ['12—34 转—5', '12—34 转—5'],
  ['-5', '-5'],
  ['5-', '5-'],
  ['5', '5'],
])('the contact %j is %j', (text, plain) => {
  expect(typedContact(text)).toBe(plain);
});

test.each([
  ['-12-34', '-1234'],
  ['12-34a', '12-34a'],
  ['a12-34', 'a12-34'],
  ['ａ 1', 'a1'],
])('the code with letters %j is %j', (text, plain) => {
  expect(typedCode(text)).toBe(plain);
});

test.each([
  ['138 0013 8000', '13800138000'],
  ['12800138000', '12800138000'],
  ['19912345678', '19912345678'],
  // More or fewer digits are no phone number: with dashes they stay what they are.
  ['138-0013-80001', '138-0013-80001'],
  ['9138-0013-8000', '9138-0013-8000'],
  // Eight digits and more with spaces are one id, fewer are words.
  ['1234 5678', '12345678'],
  ['123 4567', '1234567'],
  ['123 456', '123 456'],
  ['1234 5678 号', '1234 5678 号'],
  ['Q 1234 5678', 'Q 1234 5678'],
  ['\u200bＹＳ-1\u200b', 'YS-1'],
  ['\u200bYS 1', '\u200bYS 1'],
  ['号 YS1', '号 YS1'],
  ['YS1 号', 'YS1 号'],
])('the keyword %j is %j', (text, plain) => {
  expect(typedKeyword(text)).toBe(plain);
});

test.each([
  ['RMB 88', '88'],
  ['cny：88', '88'],
  ['人民币 ¥88.50', '88.50'],
  ['人民币: ¥ 1,288', '1288'],
  ['88 元', '88'],
  ['88块', '88'],
  ['88块钱', '88'],
  ['88圆整', '88'],
  ['88元整', '88'],
  ['88 RMB', '88'],
  ['88cny', '88'],
  ['12,345,678.9', '12345678.9'],
  ['12 345 678.', '12345678.'],
  ['1,288.', '1288.'],
  ['100,000', '100000'],
  ['999 999', '999999'],
  ['0', '0'],
  ['', ''],
])('the amount %j is %j', (text, plain) => {
  expect(typedAmount(text)).toBe(plain);
});

test.each([
  '1,288 5',
  '1,288.5.5',
  'a1,288',
  '1,288a',
  '1 288a',
  'a1 288',
  '1234,567',
  '1234 567',
  '1,288,5',
  '1 288 5',
  '0 288',
  '1a,288',
  '1a 288',
  '-1,288',
  '88元5',
  '8rmb8',
  '5元元',
])('the amount %j is left to be refused', (text) => {
  expect(typedAmount(text)).toMatch(/[^\d.]|\..*\./);
});

test.each([
  // A label is removed at the beginning, with or without a colon; elsewhere it is part of the text.
  [typedDigits, 'x(12)', 'x(12)'],
  [typedDigits, 'x卡号123', 'x卡号123'],
  [typedDigits, '身份证110101199003077774', '110101199003077774'],
  [typedDigits, '身份证号110101199003077774', '110101199003077774'],
  [typedDigits, '证件号110101', '110101'],
  [typedDigits, '卡号6222', '6222'],
  [typedDigits, '卡6222', '6222'],
  [typedPhone, '王哥手机13800138000', '王哥手机13800138000'],
  [typedAccountId, 'ab@mail.com', 'ab@mail.com'],
  [typedAccountId, 'x微信abc12', 'x微信abc12'],
  [typedAccountId, '账号abc12', 'abc12'],
  [typedAccountId, '手机13800138000', '13800138000'],
  [typedCode, 'AB邀请码CD', 'AB邀请码CD'],
  [typedCode, 'code:AB12', 'AB12'],
  [typedCode, '邀请码AB12', 'AB12'],
  [typedMail, 'mail:a@b.cn', 'a@b.cn'],
  [typedMail, 'email:a@b.cn', 'a@b.cn'],
  [typedMail, 'amail:b@c.cn', 'amail:b@c.cn'],
  [typedSn, 'A#1', 'A#1'],
  [typedSn, '编号123', '123'],
  [typedAmount, '1.5。3', '1.5。3'],
  // Of two codes neither is taken; another number in the message is none.
  [typedDigits, '123456 验证码 654321', '123456验证码654321'],
  [typedDigits, '【5号店】您的验证码是123456', '123456'],
])('%o of %s is %s', (typed, text, plain) => {
  expect(typed(text)).toBe(plain);
});
