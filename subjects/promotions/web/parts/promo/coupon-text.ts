import { fenOf, grouped } from '#web/lib/format/format.ts';

/** Yuan without trailing zeros: '10.00' is '10', '8.80' is '8.8'. */
export function shortYuan(yuan: string): string {
  return yuan.replace(/\.00$/, '').replace(/(\.\d)0$/, '$1');
}

/** The minimum price for a coupon. */
export function minimumText(minimum: string): string {
  return fenOf(minimum) > 0 ? `商品满 ${grouped(shortYuan(minimum))} 元可用` : '无门槛';
}
