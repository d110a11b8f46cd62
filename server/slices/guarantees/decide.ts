import { sql } from 'kysely';
import { yuanText } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { close, onClaim, startChase, step } from './clock.ts';
import { pay } from './pay.ts';
import { claimWhere, type ClaimRow } from './queries.ts';

export interface Decision {
  act: 'accept' | 'note' | 'pay' | 'refuse' | 'recovered';
  text: string;
  ruleNo: string | null;
  /** What is paid, in fen; what was asked for when null. */
  amountFen: number | null;
  /** Paid without taking what is held of the sale: the loss is not the seller's. */
  sparesSeller?: boolean;
}

interface Who {
  id: number;
  distId: number | null;
  /** What a second person allowed: a claim is ended by nothing less. */
  approvalId?: number;
}

/** One claim for staff; who is bound to a distributor finds that distributor's alone. */
export async function claimForStaff(db: Trx, sn: string, distId: number | null): Promise<ClaimRow | undefined> {
  const rows = await claimWhere(db, sql`c.sn = ${sn} ${distId === null ? sql`` : sql`and c.dist_id = ${distId}`}`);
  return rows[0];
}

/**
 * What staff do to an open claim. Against the deadline and against each other the claim's lock decides: who comes second finds it
 * closed. Throws CLAIM_NOT_FOUND, CLAIM_STATE, CLAIM_LIMIT, SECOND_PERSON, BAD_INPUT.
 */
export async function decideClaim(
  ctx: Context,
  staff: Who,
  sn: string,
  decision: Decision,
  also: (trx: Trx, claim: ClaimRow) => Promise<void>,
): Promise<void> {
  const { act, text, ruleNo, amountFen, sparesSeller = false } = decision;
  const actor = `staff:${staff.id}`;
  await onClaim(
    ctx,
    (trx) => claimForStaff(trx, sn, staff.distId),
    async (trx, claim) => {
      if (act === 'accept') {
        if (claim.status !== 'checking') throw new AppError('CLAIM_STATE');
        await startChase(trx, claim, actor, `已受理：${text}`, staff.id);
      } else if (act === 'note') await step(trx, claim, actor, text);
      else if (staff.approvalId === undefined) throw new AppError('SECOND_PERSON');
      else if (act === 'pay') {
        const fen = amountFen ?? claim.askedFen;
        const mostFen = claim.askedFen + claim.receiptsFen;
        if (fen > mostFen)
          throw new AppError('BAD_INPUT', {
            text: `赔付不能超过申请金额与充值凭证合计 ${yuanText(mostFen)} 元`,
            field: 'amount',
          });
        const by = { approvalId: staff.approvalId };
        await pay(ctx, trx, claim, { fen, actor, text: `审核通过，${text}`, by, sparesSeller });
      } else if (act === 'recovered') {
        await close(trx, claim, 'recovered', null);
        await step(trx, claim, actor, `账号已追回：${text}`);
      } else {
        const rule = await citedRule(trx, ruleNo);
        await close(trx, claim, 'refused', `规则 ${rule.no} ${rule.title}：${text}`);
        await step(trx, claim, actor, `不予赔付，依据规则 ${rule.no} ${rule.title}：${text}`);
      }
      if (act !== 'accept')
        await sql`update guarantee_claim set staff_id = ${staff.id} where id = ${claim.id}`.execute(trx);
      await also(trx, claim);
    },
  );
}

/** The cited rule in force. Throws BAD_INPUT: nothing is refused without one. */
export async function citedRule(trx: Trx, no: string | null): Promise<{ no: string; title: string }> {
  const { rows } = await sql<{ no: string; title: string; retired: boolean }>`
    select no, title, retired from platform_rule where no = ${no} and in_force_from <= now() order by version desc limit 1`.execute(
    trx,
  );
  const rule = rows[0];
  if (!rule || rule.retired) throw new AppError('BAD_INPUT', { text: '请引用一条有效的规则', field: 'ruleNo' });
  return rule;
}
