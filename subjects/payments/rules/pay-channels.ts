/**
 * The payment channels by the name under which payments, postings and statements are stored. The one list: requests, names on pages, labels
 * of the ledger and the import of statements read it. A new channel begins with an entry here; docs/HOWTO.md names the other files.
 */
export const PAY_CHANNELS = {
  alipay: {
    aliOrWx: 1,
    name: '支付宝',
    ledgerName: '支付宝',
  },
  wechat: {
    aliOrWx: 2,
    name: '微信支付',
    ledgerName: '微信',
  },
  /** The demo market's channel substitutes every other one, so it has no number. */
  sandbox: {
    aliOrWx: undefined,
    name: '沙箱渠道',
    ledgerName: '沙箱',
  },
} as const;

export type PayChannelName = keyof typeof PAY_CHANNELS;
/** A channel that moves real money. */
export type VendorChannelName = Exclude<PayChannelName, 'sandbox'>;

/** The names of all channels, in the order in which pages list them. */
export const payChannelNames = Object.keys(PAY_CHANNELS) as PayChannelName[];

/** The display name of a channel; '' for an unknown one. */
export const payChannelName = (channel: string): string =>
  Object.hasOwn(PAY_CHANNELS, channel) ? PAY_CHANNELS[channel as PayChannelName].name : '';

/** The channels that a payer chooses from, by their number in requests (product.md 3, aliOrWx). */
export const payerChannels = payChannelNames.flatMap((channel) => {
  const { aliOrWx, name } = PAY_CHANNELS[channel];
  return aliOrWx === undefined ? [] : [{ aliOrWx, name, channel }];
});

/** The highest channel number allowed in a request. */
export const MAX_ALI_OR_WX = Math.max(...payerChannels.map(({ aliOrWx }) => aliOrWx));
