import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { account, loadDebts, lockedBalance } from '#subjects/ledger/server/service.ts';
import { announce, clearTimers, onClaim, type OpenClaim, record, step, timer } from './clock.ts';
import { pay } from './pay.ts';
import { claimById, limitOf } from './queries.ts';
import { type Escalation, escalationText } from './rules.ts';

interface DeadlineDetails {
  related: boolean;
  holders: number;
  held: number;
  /** The buyer's premium, in fen. */
  premium: number;
  left: number | null;
}

/** Loads what decides whether the deadline pays, under the claim's lock. `left`: seconds to the deadline by the database's clock. */
async function loadDeadlineDetails(trx: Trx, claim: OpenClaim): Promise<DeadlineDetails> {
  const { rows } = await sql<DeadlineDetails>`
    select cardinality(user_links(k.user_id, o.seller_id)) > 0 or cardinality(user_links(k.user_id, b.seller_id)) > 0 as related,
      (select count(*)::int from guarantee_holder h where h.cover_id = v.id) as holders,
      coalesce((select h.amount_fen from hold h where h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null), 0) as held,
      greatest(0, v.premium_fen - b.discount_fen) as premium, extract(epoch from k.deadline_at - now())::float8 as left
    from guarantee_claim k join guarantee_cover v on v.id = k.cover_id join orders o on o.id = k.order_id join orders b on b.id = v.order_id
    where k.id = ${claim.id}`.execute(trx);
  const details = rows[0];
  if (!details) throw new Error(`claim ${claim.id} does not exist`);
  return details;
}

/**
 * Why the deadline may not pay a claim automatically; empty when it may. Two persons decide above the limit of one person, beyond what the
 * reason covers, between linked users, for an account that changed hands, or where the fund would lose more than the trade paid in
 * (domain.md 3; platform rule 5.5; decision 150).
 */
async function loadEscalations(
  ctx: Context,
  trx: Trx,
  claim: OpenClaim,
  details: DeadlineDetails,
): Promise<Escalation[]> {
  const { autoLossFen } = ctx.dir.setting('claims');
  const { secondPersonFen } = ctx.dir.setting('withdraw');
  const seller = claim.order.sellerId;
  const reachFen =
    details.held +
    (await lockedBalance(trx, account.available(seller))) +
    (await lockedBalance(trx, account.deposit(seller)));
  const conditions: Readonly<Record<Escalation, boolean>> = {
    limit: claim.askedFen > secondPersonFen,
    cover: claim.askedFen > limitOf(claim),
    reason: claim.terms.reasons?.[claim.reason]?.byItself !== true,
    related: details.related,
    moved: details.holders > 1,
    debt: (await loadDebts(trx, { userId: seller })).some(({ settledAt }) => settledAt === null),
    loss: claim.askedFen - reachFen - details.premium > autoLossFen,
  };
  return (Object.keys(conditions) as Escalation[]).filter((why) => conditions[why]);
}

/** Escalates a claim to a decision by two persons with its own time limit, and records it for the claimant and the public. */
async function escalate(ctx: Context, trx: Trx, claim: OpenClaim, why: readonly Escalation[]): Promise<void> {
  const { decideSeconds } = ctx.dir.setting('claims');
  await sql`update guarantee_claim set status = 'escalated', escalated_for = ${[...why]}::text[], decide_by = now() + make_interval(secs => ${decideSeconds})
    where id = ${claim.id}`.execute(trx);
  await clearTimers(trx, claim.id);
  const hours = Math.round(decideSeconds / 3600);
  const text = `追索期满，${escalationText(why)}，转由两名工作人员在 ${hours} 小时内裁定`;
  await step(trx, claim, 'system', text);
  await record(trx, claim.order, `包赔理赔${text}`);
  await announce(trx, 'claim.escalated', claim);
}

/** Runs at the deadline: pays the requested amount automatically, or escalates the claim. */
export async function deadline(ctx: Context, id: number): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimById(trx, id),
    async (trx, claim) => {
      if (claim.status !== 'chasing') return;
      const details = await loadDeadlineDetails(trx, claim);
      // The database's clock set the deadline, so it also decides whether it has passed.
      if (details.left === null) throw new Error(`claim ${claim.id} is in recourse without a deadline`);
      if (details.left > 0) return await timer(trx, 'guarantee.pay', claim.id, details.left);
      const why = await loadEscalations(ctx, trx, claim, details);
      if (why.length > 0) return await escalate(ctx, trx, claim, why);
      await pay(ctx, trx, claim, {
        fen: claim.askedFen,
        actor: 'system',
        by: { claimId: claim.id },
        text: `${claim.chaseDays} 天追索期满，未追回，自动赔付`,
      });
    },
  );
}
