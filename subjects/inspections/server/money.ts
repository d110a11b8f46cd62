import type { Trx } from '#server/db/client.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { account, authoriseFund, post, recordDebt } from '#subjects/ledger/server/service.ts';
import type { TaskRow } from './rows.ts';

type Fee = Pick<TaskRow, 'id' | 'distId' | 'buyerId' | 'feeFen'>;
const refOf = ({ id }: { id: number }): string => `inspection:${id}`;

/** Moves the fee of a re-inspection into escrow. Throws BALANCE_LOW. */
export async function escrowFee(trx: Trx, task: Fee): Promise<void> {
  const { id, feeFen: fen, distId: dist, buyerId } = task;
  if (buyerId === null || fen === 0) return;
  const [debit, credit] = [account.available(buyerId), account.inspection(id)];
  try {
    await post(trx, [{ code: 'inspection_fee', ref: refOf(task), debit, credit, fen, dist }]);
  } catch (error) {
    if (asAppError(error)?.error !== 'BALANCE_LOW') throw error;
    throw new AppError('BALANCE_LOW', { text: '可用余额不足，请先充值再申请复验' });
  }
}

/** Returns the fee, because no reading was made. */
export async function returnFee(trx: Trx, task: Fee): Promise<void> {
  const { id, feeFen: fen, distId: dist, buyerId } = task;
  if (buyerId === null || fen === 0) return;
  const [debit, credit] = [account.inspection(id), account.available(buyerId)];
  await post(trx, [{ code: 'inspection_fee_back', ref: refOf(task), debit, credit, fen, dist }]);
}

/** The account was read: the fee is earned; with the `approvalId` of two people, the fund repays it when a reading differs. */
export async function earnFee(trx: Trx, task: Fee, approvalId: number | null): Promise<void> {
  const { id, feeFen: fen, distId: dist, buyerId } = task;
  if (buyerId === null || fen === 0) return;
  const ref = refOf(task);
  const fee = account.platform('fee', id);
  await post(trx, [{ code: 'inspection_fee_earned', ref, debit: account.inspection(id), credit: fee, fen, dist }]);
  if (approvalId === null) return;
  await authoriseFund(trx, { code: 'inspection_repaid', ref, fen }, { approvalId });
  const [debit, credit] = [account.platform('guarantee_fund', id), account.available(buyerId)];
  await post(trx, [{ code: 'inspection_repaid', ref, debit, credit, fen, dist }]);
}

/**
 * The fund pays for a wrong reading, by the approval of two persons; the seller, whose listing stated the same value, owes it to the fund
 * (decision 293).
 */
export async function payWrong(
  trx: Trx,
  claim: {
    id: number;
    distId: number;
    buyerId: number;
    sellerId: number;
    orderId: number;
    orderSn: string;
    amountFen: number;
  },
  approvalId: number,
): Promise<void> {
  const posting = { code: 'inspection_wrong', ref: `inspectionClaim:${claim.id}`, fen: claim.amountFen } as const;
  await authoriseFund(trx, posting, { approvalId });
  const fund = account.platform('guarantee_fund', claim.id);
  const credit = account.available(claim.buyerId);
  await post(trx, [{ ...posting, debit: fund, credit, dist: claim.distId, order: claim.orderId }]);
  await recordDebt(trx, {
    debtor: { userId: claim.sellerId },
    creditor: fund,
    fen: claim.amountFen,
    code: 'reading',
    reason: `订单 ${claim.orderSn} 的账号与您填写和确认的验号结果不符，包赔基金已先行赔付`,
    ref: posting.ref,
    orderId: claim.orderId,
    distId: claim.distId,
  });
}
