import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { takePenalty } from '#subjects/deposits/server/service.ts';
import { recordGoodsEvent, takeOffAccount } from '#subjects/goods/server/service.ts';
import { account, authoriseFund, type FundReason, post, recordDebt } from '#subjects/ledger/server/service.ts';
import { resumeClocks, takeForFund } from '#subjects/orders/server/service.ts';
import { announce, clearTimers, type OpenClaim, record, step } from './clock.ts';
import { limitOf } from './queries.ts';

/** Amounts that the fund recovered of a paid claim, in fen. */
interface Recourse {
  heldFen: number;
  depositFen: number;
  debtFen: number;
}

/**
 * Recovers the fund's payment from the responsible seller: first from the part of the sale that is still frozen, then from the deposit; the
 * rest is recorded as the seller's debt to the fund, collected from balance and later income (platform rule 5.3).
 */
async function recoverFromSeller(trx: Trx, claim: OpenClaim, fen: number): Promise<Recourse> {
  const { order } = claim;
  const heldFen = await takeForFund(trx, order, fen, claim.id);
  const restFen = fen - heldFen;
  const depositFen =
    restFen === 0
      ? 0
      : await takePenalty(trx, {
          userId: order.sellerId,
          role: 'seller',
          distId: claim.distId,
          amountFen: restFen,
          ruleNo: '5.3',
          reason: `订单 ${order.sn} 的包赔赔付，追偿`,
          orderId: order.id,
        });
  const debtFen = restFen - depositFen;
  if (debtFen > 0)
    await recordDebt(trx, {
      debtor: { userId: order.sellerId },
      creditor: account.platform('guarantee_fund', order.id),
      fen: debtFen,
      code: 'claim',
      reason: `订单 ${order.sn} 的包赔赔付，由卖家承担（规则 5.3）`,
      ref: `claim:${claim.id}`,
      orderId: order.id,
      distId: claim.distId,
    });
  return { heldFen, depositFen, debtFen };
}

/** The sources of the recovered money as text; empty when nothing was recovered. */
function recourseText({ heldFen, depositFen, debtFen }: Recourse): string {
  return [
    heldFen > 0 ? `从冻结货款收回 ${yuanLabel(heldFen)} 元` : '',
    depositFen > 0 ? `从卖家保证金收回 ${yuanLabel(depositFen)} 元` : '',
    debtFen > 0 ? `其余 ${yuanLabel(debtFen)} 元记为卖家对包赔基金的欠款，从余额和以后的收入中偿还` : '',
  ]
    .filter((part) => part !== '')
    .map((part) => `，${part}`)
    .join('');
}

/**
 * Pays a locked open claim from the fund to the cover's holder, ends the cover and takes the account's listings off sale. The payment is
 * recovered from the seller unless `sparesSeller` is set because the seller is not responsible (rule 5.3). The postings' ref is the claim,
 * which makes a second payment impossible; `by` is the reason why the fund may pay. Throws CLAIM_LIMIT above what the reason covers.
 */
export async function pay(
  ctx: Context,
  trx: Trx,
  claim: OpenClaim,
  paid: { fen: number; actor: string; text: string; by: FundReason; sparesSeller?: boolean },
): Promise<void> {
  const { order } = claim;
  const limitFen = limitOf(claim);
  if (paid.fen > limitFen)
    throw new AppError('CLAIM_LIMIT', {
      text: `该原因目前最多赔付 ${yuanLabel(limitFen)} 元，超出商品价的部分须先录入充值凭证`,
    });
  const spares = paid.sparesSeller ?? false;
  const back = spares ? { heldFen: 0, depositFen: 0, debtFen: 0 } : await recoverFromSeller(trx, claim, paid.fen);
  if (back.heldFen === 0) await resumeClocks(trx, order, claim.stopped);
  await record(trx, order, `包赔已赔付买家 ${yuanLabel(paid.fen)} 元${recourseText(back)}`);
  await sql`update guarantee_claim set status = 'paid', paid_fen = ${paid.fen}, recourse_fen = ${back.heldFen}, penalty_fen = ${back.depositFen},
      debt_fen = ${back.debtFen}, spares_seller = ${spares}, paid_note = ${paid.text}, decided_at = now() where id = ${claim.id}`.execute(
    trx,
  );
  await sql`update guarantee_cover set status = 'paid' where id = ${claim.coverId}`.execute(trx);
  await clearTimers(trx, claim.id);
  if (claim.fingerprint !== null)
    await takeOffAccount(ctx, trx, {
      fingerprint: claim.fingerprint,
      claimSn: claim.sn,
      why: '已由包赔基金赔付，不能再出售',
      rule: '5.6',
    });
  await authoriseFund(trx, { code: 'claim_paid', ref: `claim:${claim.id}`, fen: paid.fen }, paid.by);
  await post(trx, [
    {
      code: 'claim_paid',
      ref: `claim:${claim.id}`,
      debit: account.platform('guarantee_fund', claim.orderId),
      credit: account.available(claim.userId),
      fen: paid.fen,
      dist: claim.distId,
      order: claim.orderId,
    },
  ]);
  await step(trx, claim, paid.actor, `${paid.text}，赔付 ${yuanLabel(paid.fen)} 元已到余额`);
  if (claim.goodsId !== null) await recordGoodsEvent(trx, claim.goodsId, 'claimed', 'system');
  await announce(trx, 'claim.paid', claim);
}
