import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { close, onClaim, startChase, step } from './clock.ts';
import { pay } from './pay.ts';
import { claimWhere, type ClaimRow } from './queries.ts';

export interface Decision {
  action: 'accept' | 'note' | 'pay' | 'refuse' | 'recovered';
  text: string;
  ruleNo: string | null;
  /** The amount to pay, in fen; null for the requested amount. */
  amountFen: number | null;
  /** Paid without recourse against the seller, who is not responsible for the loss. */
  sparesSeller?: boolean;
}

interface StaffActor {
  id: number;
  distId: number | null;
  /** The approval of a second person, required to end a claim. */
  approvalId?: number;
}

/** A claim for staff; operators of a distributor see that distributor's claims only. */
export async function claimForStaff(db: Trx, sn: string, distId: number | null): Promise<ClaimRow | undefined> {
  const rows = await claimWhere(db, sql`c.sn = ${sn} ${distId === null ? sql`` : sql`and c.dist_id = ${distId}`}`);
  return rows[0];
}

/**
 * Applies a decision of staff to an open claim. The claim's lock serialises it with the deadline and other decisions: the later one fails
 * with CLAIM_STATE. Throws CLAIM_NOT_FOUND, CLAIM_STATE, CLAIM_LIMIT, SECOND_PERSON, BAD_INPUT.
 */
export async function decideClaim(
  ctx: Context,
  staff: StaffActor,
  sn: string,
  decision: Decision,
  also: (trx: Trx, claim: ClaimRow) => Promise<void>,
): Promise<void> {
  const { action, text, ruleNo, amountFen, sparesSeller = false } = decision;
  const actor = `staff:${staff.id}`;
  await onClaim(
    ctx,
    (trx) => claimForStaff(trx, sn, staff.distId),
    async (trx, claim) => {
      if (action === 'accept') {
        if (claim.status !== 'checking') throw new AppError('CLAIM_STATE');
        await startChase(trx, claim, actor, `已受理：${text}`, staff.id);
      } else if (action === 'note') await step(trx, claim, actor, text);
      else if (staff.approvalId === undefined) throw new AppError('SECOND_PERSON');
      else if (action === 'pay') {
        const fen = amountFen ?? claim.askedFen;
        const maxFen = claim.askedFen + claim.receiptsFen;
        if (fen > maxFen)
          throw new AppError('BAD_INPUT', {
            text: `赔付不能超过申请金额与充值凭证合计 ${yuanLabel(maxFen)} 元`,
            field: 'amount',
          });
        const by = { approvalId: staff.approvalId };
        await pay(ctx, trx, claim, { fen, actor, text: `审核通过，${text}`, by, sparesSeller });
      } else if (action === 'recovered') {
        await close(trx, claim, 'recovered', null);
        await step(trx, claim, actor, `账号已追回：${text}`);
      } else {
        const rule = await citedRule(trx, ruleNo);
        await close(trx, claim, 'refused', `规则 ${rule.no} ${rule.title}：${text}`);
        await step(trx, claim, actor, `不予赔付，依据规则 ${rule.no} ${rule.title}：${text}`);
      }
      if (action !== 'accept')
        await sql`update guarantee_claim set staff_id = ${staff.id} where id = ${claim.id}`.execute(trx);
      await also(trx, claim);
    },
  );
}

/** The cited platform rule. Throws BAD_INPUT unless it is in force: every rejection cites one. */
export async function citedRule(trx: Trx, no: string | null): Promise<{ no: string; title: string }> {
  const { rows } = await sql<{ no: string; title: string; retired: boolean }>`
    select no, title, retired from platform_rule where no = ${no} and in_force_from <= now() and revoked_at is null order by version desc limit 1`.execute(
    trx,
  );
  const rule = rows[0];
  if (!rule || rule.retired) throw new AppError('BAD_INPUT', { text: '请引用一条有效的规则', field: 'ruleNo' });
  return rule;
}
