import { expect, it } from 'vitest';
import { payPasswordProblem, secretProblem, staffPasswordProblem } from './secret.ts';

it.each([
  ['', '请输入密码'],
  ['12345', '密码应为 6-18 个字符'],
  ['123456', null],
  ['密码也可以是汉字', null],
  ['a'.repeat(18), null],
  ['a'.repeat(19), '密码应为 6-18 个字符'],
])('password %j: %s', (text, problem) => {
  expect(secretProblem(text)).toBe(problem);
});

it.each([
  ['130926', null],
  ['12345', '支付密码应为 6 位数字'],
  ['12345a', '支付密码应为 6 位数字'],
  ['a130926', '支付密码应为 6 位数字'],
  ['130926a', '支付密码应为 6 位数字'],
  ['1309261', '支付密码应为 6 位数字'],
  ['123457', null],
  ['000000', '支付密码过于简单，请换一个'],
  ['123456', '支付密码过于简单，请换一个'],
  ['987654', '支付密码过于简单，请换一个'],
  ['135792', null],
  ['024680', null],
])('pay password %j: %s', (text, problem) => {
  expect(payPasswordProblem(text)).toBe(problem);
});

it.each([
  ['', '请输入密码'],
  ['abcdefgh1', '后台密码至少 10 个字符'],
  ['abcdefghi1', null],
  ['abcdefghij', '密码过于简单：请混用字母、数字或符号'],
  ['ABCDEFGHIJ', '密码过于简单：请混用字母、数字或符号'],
  ['1234567890', '密码过于简单：请混用字母、数字或符号'],
  ['!@#$%^&*()', '密码过于简单：请混用字母、数字或符号'],
  ['abcdeABCDE', null],
  ['12345!@#$%', null],
  ['ABCDE12345', null],
  ['aaaaaaabc1', '密码过于简单：请混用字母、数字或符号'],
  ['aaaaaabcd1', null],
])('password of staff %j: %s', (text, problem) => {
  expect(staffPasswordProblem(text)).toBe(problem);
});
