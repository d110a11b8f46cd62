import { expect, test } from 'vitest';
import { MAX_ALI_OR_WX, payChannelName, payChannelNames, payerChannels } from './pay-channels.ts';

test('a payer chooses between the channels that have a number; the sandbox has none', () => {
  expect(payerChannels).toEqual([
    { aliOrWx: 1, name: '支付宝', channel: 'alipay' },
    { aliOrWx: 2, name: '微信支付', channel: 'wechat' },
  ]);
  expect(MAX_ALI_OR_WX).toBe(2);
  expect(payChannelNames).toEqual(['alipay', 'wechat', 'sandbox']);
});

test('an unknown channel has no name, also one named like a property of every object', () => {
  expect(['alipay', 'paypal', 'toString'].map(payChannelName)).toEqual(['支付宝', '', '']);
});
