import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { account, debtsOf, lockedBalance } from '#server/slices/ledger/service.ts';
import { announce, clearTimers, type ClaimSetting, onClaim, type OpenClaim, record, step, timer } from './clock.ts';
import { pay } from './pay.ts';
import { claimById, limitOf } from './queries.ts';
import { type Escalation, escalationText } from './rules.ts';

interface Facts {
  related: boolean;
  holders: number;
  held: number;
  /** What the cover cost its buyer in money, in fen. */
  premium: number;
  left: number;
}

/** What decides whether the deadline pays, read under the claim's lock. `left`: seconds to the deadline by the database's clock. */
async function factsOf(trx: Trx, claim: OpenClaim): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select cardinality(user_links(k.user_id, o.seller_id)) > 0 or cardinality(user_links(k.user_id, b.seller_id)) > 0 as related,
      (select count(*)::int from guarantee_holder h where h.cover_id = v.id) as holders,
      coalesce((select h.amount_fen from hold h where h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null), 0) as held,
      greatest(0, v.premium_fen - b.discount_fen) as premium, extract(epoch from k.deadline_at - now())::float8 as left
    from guarantee_claim k join guarantee_cover v on v.id = k.cover_id join orders o on o.id = k.order_id join orders b on b.id = v.order_id
    where k.id = ${claim.id}`.execute(trx);
  const facts = rows[0];
  if (!facts) throw new Error(`claim ${claim.id} is gone`);
  return facts;
}

/**
 * Why the deadline may not pay a claim by itself; empty when it may. Above the limit of one person, beyond what the reason covers, between
 * people who are linked, for an account that changed hands, or where the fund would lose more than came in by this trade, two persons decide
 * (domain.md 3; platform rule 5.5; decision 150).
 */
async function escalationsOf(ctx: Context, trx: Trx, claim: OpenClaim, facts: Facts): Promise<Escalation[]> {
  const { autoLossFen } = ctx.dir.setting<ClaimSetting>('claims');
  const { secondPersonFen } = ctx.dir.setting<{ secondPersonFen: number }>('withdraw');
  const seller = claim.order.sellerId;
  const reachFen =
    facts.held +
    (await lockedBalance(trx, account.available(seller))) +
    (await lockedBalance(trx, account.deposit(seller)));
  const found: Readonly<Record<Escalation, boolean>> = {
    limit: claim.askedFen > secondPersonFen,
    cover: claim.askedFen > limitOf(claim),
    reason: claim.terms.reasons?.[claim.reason]?.byItself !== true,
    related: facts.related,
    moved: facts.holders > 1,
    debt: (await debtsOf(trx, { userId: seller })).some(({ settledAt }) => settledAt === null),
    loss: claim.askedFen - reachFen - facts.premium > autoLossFen,
  };
  return (Object.keys(found) as Escalation[]).filter((why) => found[why]);
}

/** Hands a claim to two persons, with a clock of its own, and says so to the claimant and the public. */
async function escalate(ctx: Context, trx: Trx, claim: OpenClaim, why: readonly Escalation[]): Promise<void> {
  const { decideSeconds } = ctx.dir.setting<ClaimSetting>('claims');
  await sql`update guarantee_claim set status = 'escalated', escalated_for = ${[...why]}::text[], decide_by = now() + make_interval(secs => ${decideSeconds})
    where id = ${claim.id}`.execute(trx);
  await clearTimers(trx, claim.id);
  const hours = Math.round(decideSeconds / 3600);
  const text = `追索期满，${escalationText(why)}，转由两名工作人员在 ${hours} 小时内裁定`;
  await step(trx, claim, 'system', text);
  await record(trx, claim.order, `包赔理赔${text}`);
  await announce(trx, 'claim.escalated', claim);
}

/** The deadline: what was asked for is paid by itself, or two persons are called. */
export async function deadline(ctx: Context, id: number): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimById(trx, id),
    async (trx, claim) => {
      if (claim.status !== 'chasing') return;
      const facts = await factsOf(trx, claim);
      // The clock that set the deadline decides whether it is there, whatever this process takes the time for.
      if (facts.left > 0) return await timer(trx, 'guarantee.pay', claim.id, facts.left);
      const why = await escalationsOf(ctx, trx, claim, facts);
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
