import { expect, it } from 'vitest';
import { payPasswordProblem, secretProblem } from './secret.ts';

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
  ['000000', '支付密码过于简单，请换一个'],
  ['123456', '支付密码过于简单，请换一个'],
  ['987654', '支付密码过于简单，请换一个'],
  ['135792', null],
  ['024680', null],
])('pay password %j: %s', (text, problem) => {
  expect(payPasswordProblem(text)).toBe(problem);
});
