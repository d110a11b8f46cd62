import { expect, test } from 'vitest';
import { arrives, payeesOf, withdrawError, withdrawTone } from './withdraw-rules.ts';

test('only bound accounts are listed, available ones first', () => {
  const ways = [
    { accountType: 'alipay' as const, isOpen: false, arrival: '' },
    { accountType: 'wechat' as const, isOpen: true, arrival: '微信' },
    { accountType: 'bank' as const, isOpen: true, arrival: '1 至 2 个工作日' },
  ];
  expect(payeesOf({ aliAccount: null, wxAccount: null, bankAccount: null }, ways)).toEqual([]);
  expect(payeesOf({ aliAccount: '138****2046', wxAccount: null, bankAccount: '6222 **** 0011' }, ways)).toEqual([
    { type: 'bank', name: '银行卡', mask: '6222 **** 0011', isOpen: true, arrival: '1 至 2 个工作日' },
    { type: 'alipay', name: '支付宝', mask: '138****2046', isOpen: false, arrival: '' },
  ]);
});

test('amounts from the minimum to the whole balance are accepted', () => {
  const bounds = { minimum: '10.00', coin: '264.50' };
  for (const text of ['10', '264.50', '100.5']) expect(withdrawError(text, bounds), text).toBeNull();
  expect(withdrawError('', bounds)).toBe('请输入提现金额');
  expect(withdrawError('9.99', bounds)).toBe('最低提现 10.00 元');
  expect(withdrawError('264.51', bounds)).toBe('超过可用余额 264.50 元');
  for (const text of ['1e2', '-10', '10.001', '十'])
    expect(withdrawError(text, bounds), text).toMatch(/应为正数，最多两位小数|请用半角数字填写|请用数字写全/);
});

test('the net amount is never below zero', () => {
  expect(arrives('100.00', '0.00')).toBe('100.00');
  expect(arrives('100', '2.50')).toBe('97.50');
  expect(arrives('1', '2.50')).toBe('0.00');
});

test('the colours of the states', () => {
  expect([0, 1, 2, 3].map(withdrawTone)).toEqual(['attn', 'attn', 'safe', undefined]);
});
