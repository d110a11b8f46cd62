/** Notifications from the vendors' fakes to a market, and time that passes for its payment jobs. */
import { passTime } from '../time/clock.ts';
import type { TestApp } from '../servers/build.ts';
import type { startChannels } from './channels.ts';

export const CHANNELS = ['alipay', 'wechat'] as const;
export type Channel = (typeof CHANNELS)[number];
type Vendors = Awaited<ReturnType<typeof startChannels>>;

/** The response by which a channel acknowledges a notification and stops repeating it. */
export const accepted = { alipay: '200 success', wechat: '204 ' } as const;

/** aliOrWx of a channel. */
export const methodOf = (name: Channel): number => (name === 'alipay' ? 1 : 2);

export const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

/** Posts to a channel's address like an outsider; returns 'status body'. */
export async function post(
  t: TestApp,
  name: Channel,
  payload: string,
  headers: Record<string, string>,
): Promise<string> {
  const url = `/api/pay/notify/${name}`;
  const r = await t.app.http.inject({ method: 'POST', url, headers: { host: 'market.example', ...headers }, payload });
  return `${r.statusCode} ${r.body}`;
}

/** The vendor notifies of a payment in its present state; `other` changes the content before it is signed. Returns 'status body'. */
export async function notifyPayment(
  t: TestApp,
  w: Vendors,
  name: Channel,
  interSn: string,
  other: Record<string, unknown> = {},
): Promise<string> {
  if (name === 'alipay') {
    const form = w.alipay.notice(interSn, other as Record<string, string>);
    return await post(t, name, new URLSearchParams(form).toString(), { 'content-type': FORM });
  }
  const trade = w.wechat.trades.get(interSn);
  const { body, headers } = w.wechat.notice({ ...(trade && w.wechat.transaction(trade)), ...other });
  return await post(t, name, body, headers);
}

/** Minutes pass: what is due by then of payments, refunds, payouts and unpaid orders runs, with what follows from it. */
export async function minutesPass(t: TestApp, minutes: number): Promise<void> {
  await passTime(
    t.ctx.db,
    'timer',
    { kind: ['pay.watch', 'refund.send', 'withdraw.pay', 'payment.decide', 'order.expire'] },
    { minutes },
  );
  await passTime(t.ctx.db, 'payment', { status: 0 }, { minutes });
  await t.relay();
  await t.timers();
  await t.relay();
}
