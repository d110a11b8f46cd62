import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { acceptWithdrawal } from '#subjects/payments/contract/pay.ts';
import { payerBrowser } from '../../rules/payer-browser.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';

/**
 * How the caller accepts their own withdrawal in their browser (by its User-Agent). Throws NOT_FOUND, and WITHDRAW_STATE when it does not
 * await their acceptance.
 */
export async function acceptPayout(
  { ctx, user, agent, origin }: UserCall,
  { withdrawSn }: Parsed<typeof acceptWithdrawal>,
): Promise<HandlerResult<typeof acceptWithdrawal>> {
  const { rows } = await sql<{ status: number; token: string | null; channel: string | null }>`
    select status, accept_token as token, channel from withdrawal where sn = ${withdrawSn} and user_id = ${user.id}`.execute(
    ctx.db,
  );
  const w = rows[0];
  if (!w) throw new AppError('NOT_FOUND');
  const channel = ctx.pay.get(w.channel ?? '');
  if (w.status !== WithdrawalStatus.Paying || w.token === null || !channel?.acceptFields)
    throw new AppError('WITHDRAW_STATE', { text: '这笔提现不在等待确认收款，请刷新查看' });
  const environment = payerBrowser(agent);
  const pageUrl = `${origin}/center/mywallets/withdrawal`;
  return {
    place: environment,
    fields: environment === 'wechat' ? { ...channel.acceptFields(w.token) } : null,
    pageUrl,
    qrSvg: environment === 'desktop' ? await QRCode.toString(pageUrl, { type: 'svg', margin: 1 }) : null,
  };
}
