import { PaymentStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { TOP_UP_RETURN } from '#contract/rules/amounts.ts';
import { fen } from '#contract/wire.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import type { PayChannel, CheckoutData } from '#server/ports/pay.ts';
import type { PaymentRow } from './settle.ts';

/** The age after which a link to the channel's page is replaced by a new one; WeChat's is valid for five minutes. */
const LINK_SECONDS = 240;

/** The cashier's page of a payment, where a payer on a phone opens the channel. It needs no log-in: the URL is the capability. */
export function cashierUrl(ctx: Context, row: Pick<PaymentRow, 'pay_rand' | 'lead'>, origin: string): string {
  return `${ctx.config.pay.pageOrigin ?? row.lead?.origin ?? origin}/pay/go/${row.pay_rand}`;
}

/** Where the payer continues: the channel's page for the sandbox, otherwise the cashier's page; null for a code to scan. */
export function goUrlOf(ctx: Context, row: PaymentRow, origin: string): string | null {
  if (row.way !== 'h5' && row.way !== 'jsapi') return null;
  return row.channel === 'sandbox' ? (row.lead?.jumpUrl ?? null) : cashierUrl(ctx, row, origin);
}

const returnUrlOf = (ctx: Context, row: PaymentRow, origin: string): string =>
  row.way === 'page' || row.channel === 'sandbox'
    ? `${origin}${row.return_url ?? TOP_UP_RETURN}`
    : cashierUrl(ctx, row, origin);

/**
 * Creates the payment at the channel under its own number, or requests another link to it; the same number is one payment. Throws
 * PAY_CHANNEL_BUSY when the channel gave no clear response.
 */
async function createAtChannel(
  { ctx, ip }: Pick<Call, 'ctx' | 'ip'>,
  channel: PayChannel,
  row: PaymentRow,
  p: { subject: string; origin: string; openId?: string | undefined },
): Promise<CheckoutData> {
  try {
    return await channel.create({
      interSn: row.inter_sn,
      payRand: row.pay_rand,
      amountFen: fen(row.amount_fen),
      subject: p.subject,
      expiresAt: row.expires_at,
      origin: p.origin,
      method: row.way,
      returnUrl: returnUrlOf(ctx, row, p.origin),
      payerIp: ip,
      openid: p.openId,
    });
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn({ interSn: row.inter_sn, error: error.message }, 'the channel did not create a payment');
    throw new AppError('PAY_CHANNEL_BUSY', { retryAfterSeconds: 5, cause: error });
  }
}

/** Stores what the payer needs, for repeated requests. */
async function storeCheckout(
  ctx: Context,
  row: PaymentRow,
  { qrText, jumpUrl, jsapi }: CheckoutData,
): Promise<PaymentRow> {
  const lead = {
    at: Date.now(),
    ...(jumpUrl === undefined ? {} : { jumpUrl }),
    ...(jsapi === undefined ? {} : { jsapi }),
  };
  const { rows } = await sql<PaymentRow>`
    update payment set qr_text = ${qrText}, lead = coalesce(lead, '{}') || ${JSON.stringify(lead)}::jsonb
    where id = ${row.id} returning *`.execute(ctx.db);
  return rows[0] ?? row;
}

/**
 * Starts a payment that was just stored. One inside WeChat with an unknown payer starts once the cashier's page has identified the payer.
 * Throws PAY_CHANNEL_BUSY.
 */
export async function startAtChannel(
  call: Pick<Call, 'ctx' | 'ip' | 'origin'>,
  channel: PayChannel,
  row: PaymentRow,
  how: { subject: string; openId?: string | undefined },
): Promise<PaymentRow> {
  const { ctx, origin } = call;
  if (row.way === 'jsapi' && how.openId === undefined) return await storeCheckout(ctx, row, { qrText: '' });
  return await storeCheckout(ctx, row, await createAtChannel(call, channel, row, { ...how, origin }));
}

/** The link to the channel's page, a new one when the last may have expired. Throws PAY_CHANNEL_BUSY. */
export async function freshLink(
  call: Pick<Call, 'ctx' | 'ip' | 'origin'>,
  channel: PayChannel,
  row: PaymentRow,
  subject: string,
): Promise<string> {
  const { jumpUrl, at } = row.lead ?? {};
  if (jumpUrl !== undefined && at !== undefined && Date.now() - at < LINK_SECONDS * 1000) return jumpUrl;
  const origin = row.lead?.origin ?? call.origin;
  const stored = await storeCheckout(call.ctx, row, await createAtChannel(call, channel, row, { subject, origin }));
  const fresh = stored.lead?.jumpUrl;
  if (fresh === undefined) throw new Error(`payment ${row.id} has no payment page URL`);
  return fresh;
}

/**
 * The fields of WeChat's own dialog, for the payer with this openid. The first openid owns the payment: WeChat allows one payer per payment
 * number. Throws PAY_ELSEWHERE, PAY_CHANNEL_BUSY.
 */
export async function dialogFields(
  call: Pick<Call, 'ctx' | 'ip' | 'origin'>,
  channel: PayChannel,
  row: PaymentRow,
  p: { subject: string; openId: string },
): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql`
    update payment set lead = coalesce(lead, '{}') || jsonb_build_object('openId', ${p.openId}::text)
    where id = ${row.id} and status = ${sql.lit(PaymentStatus.Pending)} and coalesce(lead->>'openId', ${p.openId}) = ${p.openId} returning id`.execute(
    call.ctx.db,
  );
  if (rows.length === 0) throw new AppError('PAY_ELSEWHERE');
  const { jsapi } = await createAtChannel(call, channel, row, { ...p, origin: row.lead?.origin ?? call.origin });
  if (jsapi === undefined) throw new Error(`payment ${row.id} has no JSAPI parameters for WeChat`);
  return jsapi;
}
