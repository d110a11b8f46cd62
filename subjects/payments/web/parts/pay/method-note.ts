import type { payMethodShow } from '#subjects/payments/contract/pay.ts';
import type { Data } from '#contract/endpoint.ts';

type Method = Pick<Data<typeof payMethodShow>['list'][number], 'name' | 'note' | 'way' | 'mustLeave'>;

/** How a channel is paid in this browser, for the choice of a payment method. */
export function methodNote({ name, note, way, mustLeave }: Method): string {
  if (note) return note;
  if (mustLeave) return '需要在手机浏览器里打开';
  if (way === 'jsapi') return '在微信里直接付款';
  if (way === 'h5') return `打开${name}付款`;
  return way === 'page' ? `到${name}网站付款` : '扫码支付';
}

/** The URL of a page as the return URL of a payment; without its parameters when they contain escapes, which are rejected. */
export function returnable(address: string): string {
  return /^\/(?!\/)[\w\-/?=&.]*$/.test(address) ? address : (address.split('?')[0] ?? '/');
}
