import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { openPayment, payCashier } from '#subjects/payments/contract/cashier.ts';
import { TOP_UP_RETURN } from '#contract/rules/amounts.ts';
import { payChannelName } from '../../rules/pay-channels.ts';
import { mustLeave, payerBrowser } from '../../rules/payer-browser.ts';
import { PaymentStatus } from '#contract/rules/statuses.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { PayChannel } from '#server/ports/pay.ts';
import { payerOf } from './payer.ts';
import type { PaymentRow } from '../settle.ts';
import { dialogFields, freshLink } from '../start.ts';
import { hurryWatch } from '../watch.ts';

type PublicPayment = PaymentRow & { order_sn: string | null; dist_name: string };

/** A payment by its public token. Anyone who has the token may see and pay it, on any site. Throws PAY_NOT_FOUND. */
export async function publicPayment(ctx: Context, payRand: string): Promise<PublicPayment> {
  const { rows } = await sql<PublicPayment>`
    select p.*, o.sn as order_sn, d.name as dist_name
    from payment p join distributor d on d.id = p.dist_id left join orders o on o.id = p.order_id where p.pay_rand = ${payRand}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('PAY_NOT_FOUND');
  return rows[0];
}

/** The purpose of a payment, as shown to strangers: the order number is shortened. */
export function subjectOf(p: PublicPayment): string {
  if (p.purpose === 'deposit') return `${p.dist_name} 保证金`;
  return p.order_sn === null ? `${p.dist_name} 充值` : `${p.dist_name} 订单 ${p.order_sn.slice(0, 6)}…`;
}

/** The URL of the payment's page: a path on the same site, otherwise the site where it was made. */
function backUrlOf(p: PublicPayment, origin: string): string {
  const path = p.return_url ?? TOP_UP_RETURN;
  const made = p.lead?.origin ?? origin;
  return made === origin ? path : `${made}${path}`;
}

/** The method available in this browser: a payment made for WeChat's dialog that has not been opened may still be paid from a browser. */
const wayHere = (p: PublicPayment, agent: string): PaymentRow['way'] =>
  p.way === 'jsapi' && p.lead?.openId === undefined && payerBrowser(agent) === 'phone' ? 'h5' : p.way;

/** A payment for the cashier's page; its check at the channel is brought forward, since a user waits for it. */
export async function loadCashier(call: Call, p: PublicPayment): Promise<HandlerResult<typeof payCashier>> {
  if (p.status === PaymentStatus.Pending) await hurryWatch(call.ctx.db, p.id);
  const environment = payerBrowser(call.agent);
  const method = wayHere(p, call.agent);
  return {
    payRand: p.pay_rand,
    amount: p.amount_fen,
    subject: subjectOf(p),
    status: p.status,
    channelName: payChannelName(p.channel),
    way: method,
    place: environment,
    mustLeave: mustLeave(p.channel, method, environment),
    expireTime: p.expires_at,
    backUrl: backUrlOf(p, call.origin),
  };
}

/** Turns a payment for WeChat's dialog that no one opened into one for a phone's browser. Throws PAY_ELSEWHERE. */
async function turned(ctx: Context, p: PublicPayment): Promise<PublicPayment> {
  const { rows } = await sql<PaymentRow>`
    update payment set way = 'h5' where id = ${p.id} and way = 'jsapi' and lead->>'openId' is null returning *`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('PAY_ELSEWHERE');
  return { ...p, ...rows[0] };
}

/** Throws unless a payment may still be paid: PAY_ALREADY, PAY_CLOSED, PAY_CHANNEL_CLOSED. */
function payable(ctx: Context, p: PublicPayment): PayChannel {
  if (p.status === PaymentStatus.Paid || p.status === PaymentStatus.PaidLate) throw new AppError('PAY_ALREADY');
  if (p.status === PaymentStatus.Closed || p.dropped_at !== null || p.expires_at.getTime() <= Date.now())
    throw new AppError('PAY_CLOSED');
  const channel = ctx.pay.get(p.channel);
  if (!channel) throw new AppError('PAY_CHANNEL_CLOSED');
  return channel;
}

/**
 * Opens the channel for anyone who has the payment's address: its page from a phone's browser, or WeChat's dialog. Throws PAY_ALREADY,
 * PAY_CLOSED, PAY_ELSEWHERE, PAY_CHANNEL_CLOSED, PAY_CHANNEL_BUSY, BAD_INPUT for a payment by a code to scan.
 */
export async function openAtCashier(call: Call, found: PublicPayment): Promise<HandlerResult<typeof openPayment>> {
  const { ctx } = call;
  const channel = payable(ctx, found);
  const p = wayHere(found, call.agent) === found.way ? found : await turned(ctx, found);
  const nothing = { jumpUrl: null, jsapi: null, payerUrl: null };
  const subject = subjectOf(p);
  if (p.way === 'h5' || p.way === 'page') return { ...nothing, jumpUrl: await freshLink(call, channel, p, subject) };
  if (p.way === 'qr') throw new AppError('BAD_INPUT', { text: '这笔付款请回到电脑上扫码完成' });
  const openId = payerOf(call);
  if (openId === undefined) return { ...nothing, payerUrl: `/api/pay/payer?payRand=${p.pay_rand}` };
  return { ...nothing, jsapi: { ...(await dialogFields(call, channel, p, { subject, openId })) } };
}
