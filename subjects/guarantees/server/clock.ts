import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import type { Topic } from '#server/jobs/topics.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addProcess, lockedOrder, type OrderTerms, resumeClocks } from '#subjects/orders/server/service.ts';
import { claimById, type ClaimRow } from './queries.ts';
import { chaseDay, claimName, OPEN_CLAIM } from './rules.ts';

/** Adds an entry to the claim's public timeline. */
export async function step(
  trx: Trx,
  claim: { id: number; day: number },
  actor: string,
  text: string,
  pictures: readonly { key: string }[] = [],
): Promise<void> {
  await sql`insert into guarantee_claim_step (claim_id, seq, day, text, actor, pictures)
    select ${claim.id}, coalesce(max(seq), 0) + 1, ${claim.day}, ${text}, ${actor}, ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb
    from guarantee_claim_step where claim_id = ${claim.id}`.execute(trx);
}

/** Schedules a timer of a claim, or moves the existing one. */
export async function timer(
  trx: Trx,
  job: 'guarantee.look' | 'guarantee.pay',
  id: number,
  seconds: number,
): Promise<void> {
  await schedule(trx, job, id, { seconds });
}

/** Deletes the timers of a claim. */
export async function clearTimers(trx: Trx, id: number): Promise<void> {
  await cancel(trx, ['guarantee.look', 'guarantee.pay'], id);
}

/** Publishes an event of a claim; `topic` is claim.* */
export async function announce(
  trx: Trx,
  topic: Extract<Topic, `claim.${string}`>,
  claim: { id: number; sn: string; orderId: number },
): Promise<void> {
  await emit(trx, topic, { claimId: claim.id, claimSn: claim.sn, orderId: claim.orderId });
}

/** Adds an entry to the order's record, which both parties read. */
export async function record(trx: Trx, order: OrderTerms, text: string): Promise<void> {
  await addProcess(trx, order, text, 'system');
}

/** An open claim that is locked together with its order. */
export interface OpenClaim extends ClaimRow {
  day: number;
  order: OrderTerms;
}

/** Runs `work` on an open claim under lock. The order is locked first, in the same order as when a claim or a dispute is opened. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
export async function onClaim<T>(
  ctx: Context,
  find: (trx: Trx) => Promise<ClaimRow | undefined>,
  work: (trx: Trx, claim: OpenClaim) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx.db, async (trx) => await work(trx, await lockedClaim(trx, find)));
}

/** Locks an open claim in the caller's transaction. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
export async function lockedClaim(trx: Trx, find: (trx: Trx) => Promise<ClaimRow | undefined>): Promise<OpenClaim> {
  const unlocked = await find(trx);
  if (!unlocked) throw new AppError('CLAIM_NOT_FOUND');
  const order = await lockedOrder(trx, unlocked.orderId);
  await sql`select id from guarantee_claim where id = ${unlocked.id} for update`.execute(trx);
  const claim = await claimById(trx, unlocked.id);
  if (!claim || !OPEN_CLAIM.includes(claim.status)) throw new AppError('CLAIM_STATE');
  return { ...claim, order, day: chaseDay(claim.chaseFrom, claim.chaseDays, new Date()) };
}

/** Ends a claim without payment: the cover and the seller's hold continue, and the account may be listed again. */
export async function close(
  trx: Trx,
  claim: OpenClaim,
  status: 'withdrawn' | 'refused' | 'recovered',
  rejection: string | null,
): Promise<void> {
  await sql`update guarantee_claim set status = ${status}, refusal = ${rejection}, decided_at = now() where id = ${claim.id}`.execute(
    trx,
  );
  await sql`update guarantee_cover set status = 'active' where id = ${claim.coverId} and status = 'claimed'`.execute(
    trx,
  );
  await clearTimers(trx, claim.id);
  await resumeClocks(trx, claim.order, claim.stopped);
  await record(trx, claim.order, `包赔理赔结束：${claimName(status)}`);
  await announce(trx, `claim.${status}`, claim);
}

/** Starts the chase with its public deadline. */
export async function startChase(
  trx: Trx,
  claim: ClaimRow,
  actor: string,
  text: string,
  staffId: number | null,
): Promise<void> {
  const seconds = claim.chaseDays * 86_400;
  await sql`update guarantee_claim set status = 'chasing', chase_from = now(), deadline_at = now() + make_interval(secs => ${seconds}),
    staff_id = coalesce(${staffId}::bigint, staff_id) where id = ${claim.id}`.execute(trx);
  await cancel(trx, 'guarantee.look', claim.id);
  await timer(trx, 'guarantee.pay', claim.id, seconds);
  await step(trx, { id: claim.id, day: 1 }, actor, text);
  await announce(trx, 'claim.chasing', claim);
}

/** Starts the chase of a claim without a response in time, so that the promised deadline does not depend on staff. */
export async function startOverdueChase(ctx: Context, id: number): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimById(trx, id),
    async (trx, claim) => {
      if (claim.status === 'checking') await startChase(trx, claim, 'system', '超过受理时限，自动进入追索计时', null);
    },
  );
}
