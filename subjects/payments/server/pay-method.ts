import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';
import { type PayMethod, payerBrowser, type PayerBrowser } from '../rules/payer-browser.ts';
import type { Context } from '#server/context.ts';
import type { PayChannel } from '#server/ports/pay.ts';

/**
 * Payment method by the specification's payMode: 15 (the default) is the method that suits the browser; 16 to 18 name the channel's page, its
 * app, or WeChat's JSAPI.
 */
const METHODS_BY_MODE: ReadonlyMap<number, PayMethod> = new Map([
  [16, 'page'],
  [17, 'h5'],
  [18, 'jsapi'],
]);

/** The payModes that a channel offers, the default first. */
export const modesOf = (channel: PayChannel): number[] => [
  DEFAULT_PAY_MODE,
  ...[...METHODS_BY_MODE].filter(([, method]) => channel.methods.includes(method)).map(([mode]) => mode),
];

/** Whether a payer inside WeChat can be identified without a prompt: the log-in uses the same WeChat account as the payment channel. */
export const canLearnPayer = (ctx: Context, channel: PayChannel): boolean =>
  channel.payerAppId !== undefined && ctx.wechatLogin?.appId === channel.payerAppId;

/** The methods that fit a browser, the preferred one first. */
const METHODS_BY_BROWSER: Readonly<Record<PayerBrowser, readonly PayMethod[]>> = {
  desktop: ['qr', 'page', 'h5'],
  // Never a QR code first: a phone cannot scan its own screen.
  phone: ['h5', 'page', 'qr'],
  alipay: ['h5', 'page', 'qr'],
  wechat: ['jsapi', 'h5', 'page', 'qr'],
};

/**
 * The method by which a payer reaches a channel: that of payMode if the channel has it, otherwise the first that fits the browser (by its
 * User-Agent). JSAPI needs a payer whose openid is sent or can be requested.
 */
export function payMethodFor(
  ctx: Context,
  channel: PayChannel,
  browser: { agent: string; payMode?: number; openId?: string | undefined },
): PayMethod {
  const can = (method: PayMethod): boolean =>
    channel.methods.includes(method) &&
    (method !== 'jsapi' || browser.openId !== undefined || canLearnPayer(ctx, channel));
  const wanted = METHODS_BY_MODE.get(browser.payMode ?? DEFAULT_PAY_MODE);
  if (wanted !== undefined && can(wanted)) return wanted;
  return METHODS_BY_BROWSER[payerBrowser(browser.agent)].find(can) ?? 'qr';
}
