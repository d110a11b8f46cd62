import type { PayChannelName } from './pay-channels.ts';

const ARRIVALS: Readonly<Record<PayChannelName, string>> = {
  alipay: '付款用余额的一般即时到账，银行卡 1 至 3 个工作日',
  wechat: '付款用零钱的一般即时到账，银行卡 1 至 3 个工作日',
  sandbox: '沙箱里一分钟内到账，不涉及真实资金',
};

/** When a refund arrives at the payer's account with a channel; '' for an unknown one. */
export const refundArrival = (channel: string): string =>
  Object.hasOwn(ARRIVALS, channel) ? ARRIVALS[channel as PayChannelName] : '';
