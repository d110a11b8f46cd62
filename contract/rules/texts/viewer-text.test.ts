import { expect, test } from 'vitest';
import { textFor } from './viewer-text.ts';

test('a party of an order reads its own side as 您, with 的 before what it owns', () => {
  const text = '卖家已发货，验收期内买家不确认也不申诉，到时自动确认。';
  expect(textFor('buyer', text)).toBe('卖家已发货，验收期内您不确认也不申诉，到时自动确认。');
  expect(textFor('seller', text)).toBe('您已发货，验收期内买家不确认也不申诉，到时自动确认。');
  expect(textFor('buyer', '货款已全额退回买家余额')).toBe('货款已全额退回您的余额');
  expect(textFor('seller', '货款已转入卖家可用余额')).toBe('货款已转入您的可用余额');
  expect(textFor('buyer', '密保手机改为买家号码，验证码由卖家填入')).toBe('密保手机改为您的号码，验证码由卖家填入');
  expect(textFor('seller', '平台托管中')).toBe('平台托管中');
});

test.each([
  ['buyer', '买家付款后，卖家发货', '您付款后，卖家发货'],
  ['seller', '买家付款后，卖家发货', '买家付款后，您发货'],
  ['seller', '卖家可用余额不足', '您的可用余额不足'],
  ['seller', '卖家余额不足', '您的余额不足'],
  ['buyer', '换绑到买家手机', '换绑到您的手机'],
  ['buyer', '买家等级、买家号码、买家邮箱、买家账号', '您的等级、您的号码、您的邮箱、您的账号'],
  ['buyer', '买家确认账号无误', '您确认账号无误'],
  ['buyer', '与双方无关', '与双方无关'],
] as const)('as %s: %s', (viewer, text, read) => {
  expect(textFor(viewer, text)).toBe(read);
});
