import { expect, test } from 'vitest';
import { refundArrival, refundWay } from './refund-arrival.ts';

const info = { channelName: '支付宝', arrival: refundArrival('alipay'), channelPart: '50.00', stays: null };

test('a refund goes to the channel for what it paid, with the time at which it arrives', () => {
  expect(refundWay(info, '50.00')).toBe('原路退回支付宝，付款用余额的一般即时到账，银行卡 1 至 3 个工作日');
  expect(refundWay(info, '80.00')).toMatch(/工作日；余额付的退到可用余额，马上到账$/);
  expect(refundWay({ ...info, channelPart: '0.00' }, '50.00')).toBe('到可用余额，马上到账');
});

test('a refund that stays on the balance has its reason', () => {
  const why = (['chosen', 'debt', 'window'] as const).map((stays) => refundWay({ ...info, stays }, '50.00'));
  expect(why).toEqual([
    '按您的选择到可用余额，马上到账',
    '先到可用余额，因为您有欠款未还清',
    '到可用余额，马上到账：支付宝已超过退款期限',
  ]);
});

test('an unknown channel promises no time', () => {
  expect(refundArrival('bank')).toBe('');
});
