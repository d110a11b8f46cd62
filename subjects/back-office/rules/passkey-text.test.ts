import { expect, test } from 'vitest';
import { removalBar, removalQuestion } from './passkey-text.ts';

test('the removal of a passkey names it and says what remains', () => {
  expect(removalQuestion({ name: '办公电脑', isLast: false })).toContain('「办公电脑」不能再用来登录');
  expect(removalQuestion({ name: '办公电脑', isLast: true })).toContain('只能用密码和动态码登录');
});

test('the last passkey of those who need one is not offered for removal', () => {
  expect(removalBar({ isLast: true, isRequired: true })).toContain('先登记新的');
  expect(removalBar({ isLast: true, isRequired: false })).toBeNull();
  expect(removalBar({ isLast: false, isRequired: true })).toBeNull();
});
