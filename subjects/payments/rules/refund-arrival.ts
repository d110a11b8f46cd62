import type { PayChannelName } from './pay-channels.ts';

const ARRIVALS: Readonly<Record<PayChannelName, string>> = {
  alipay: '付款用余额的一般即时到账，银行卡 1 至 3 个工作日',
  wechat: '付款用零钱的一般即时到账，银行卡 1 至 3 个工作日',
  sandbox: '沙箱里一分钟内到账，不涉及真实资金',
};

/** When a refund arrives at the payer's account with a channel; '' for an unknown one. */
export const refundArrival = (channel: string): string =>
  Object.hasOwn(ARRIVALS, channel) ? ARRIVALS[channel as PayChannelName] : '';

/** Completes a sentence that begins with 退款: where the refund of an order goes and when it arrives. `info` is `refundInfo`, `total` in yuan. */
export function refundWay(
  info: { channelName: string; arrival: string; channelPart: string; stays: 'chosen' | 'debt' | 'window' | null },
  total: string,
): string {
  if (info.channelPart === '0.00') return '到可用余额，马上到账';
  switch (info.stays) {
    case 'chosen':
      return '按您的选择到可用余额，马上到账';
    case 'debt':
      return '先到可用余额，因为您有欠款未还清';
    case 'window':
      return `到可用余额，马上到账：${info.channelName}已超过退款期限`;
    case null:
      return `原路退回${info.channelName}，${info.arrival}${info.channelPart === total ? '' : '；余额付的退到可用余额，马上到账'}`;
  }
}
