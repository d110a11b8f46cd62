/** The browser of a payer: on a computer, a phone's own, WeChat's on a phone, or Alipay's on a phone. */
export type PayerBrowser = 'desktop' | 'phone' | 'wechat' | 'alipay';

const PHONE = /Android|iPhone|iPad|iPod|HarmonyOS|OpenHarmony|Mobile/i;
/** WeChat for computers, whose browser cannot pay by JSAPI. */
const ON_COMPUTER = /WindowsWechat|MacWechat|Windows NT|Macintosh|X11/i;

/** Whether a browser is WeChat's, on a phone or a computer. */
export const isWechat = (agent: string): boolean => /MicroMessenger/i.test(agent);

/** The kind of a browser, by its User-Agent. A tablet that identifies itself as a computer is treated as one: a phone can scan its screen. */
export function payerBrowser(agent: string): PayerBrowser {
  if (!PHONE.test(agent) || ON_COMPUTER.test(agent)) return 'desktop';
  if (isWechat(agent)) return 'wechat';
  return /AlipayClient/i.test(agent) ? 'alipay' : 'phone';
}

/** How the payer reaches a channel: a QR code to scan, its page on a computer, its app from a phone, WeChat's own dialog. */
export const PAY_METHODS = ['qr', 'page', 'h5', 'jsapi'] as const;
export type PayMethod = (typeof PAY_METHODS)[number];

/** Whether a channel cannot be reached in this browser, so that the cashier's page must be opened in the phone's own browser. */
export function mustLeave(channel: string, method: PayMethod, environment: PayerBrowser): boolean {
  if (channel === 'sandbox') return false;
  if (environment === 'wechat') return channel === 'wechat' ? method !== 'jsapi' : true;
  return environment === 'alipay' && channel !== 'alipay';
}
