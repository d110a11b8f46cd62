import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { lockedOrder, type OrderTerms, resumeClocks } from '#server/slices/orders/service.ts';
import { claimById, type ClaimRow } from './queries.ts';
import { chaseDay, claimName, OPEN_CLAIM } from './rules.ts';

/** Setting `claims`. */
export interface ClaimSetting {
  /** Until when somebody looks at a new claim. */
  lookSeconds: number;
  perDay: number;
  /** Until when two persons decide on an escalated claim. */
  decideSeconds: number;
  /** What the fund may lose by a deadline alone, in fen, beyond what comes back and what the trade paid in (decision 150). */
  autoLossFen: number;
}

/** Writes one act on the clock, as the claimant and the public read it. */
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

/** Sets a timer of a claim, or moves it. */
export async function timer(trx: Trx, kind: string, id: number, seconds: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${kind}, ${String(id)}, now() + make_interval(secs => ${seconds}))
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(trx);
}

/** Ends the timers of a claim. */
export async function clearTimers(trx: Trx, id: number): Promise<void> {
  await sql`delete from timer where kind in ('guarantee.look', 'guarantee.pay') and ref = ${String(id)}`.execute(trx);
}

/** Tells whoever listens what became of a claim; `topic` is claim.* */
export async function announce(
  trx: Trx,
  topic: string,
  claim: { id: number; sn: string; orderId: number },
): Promise<void> {
  await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify({ claimId: claim.id, claimSn: claim.sn, orderId: claim.orderId })}::jsonb)`.execute(
    trx,
  );
}

/** A line on the order's record, which both its sides read. */
export async function record(trx: Trx, order: OrderTerms, text: string): Promise<void> {
  await sql`insert into order_process (order_id, order_status, explain, actor) values (${order.id}, ${order.status}, ${text}, 'system')`.execute(
    trx,
  );
}

/** A claim that is worked on under its lock and its order's. */
export interface OpenClaim extends ClaimRow {
  day: number;
  order: OrderTerms;
}

/** Locks a claim that is still open, after its order, as who opens one or a dispute does, and works on it. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
export async function onClaim<T>(
  ctx: Context,
  find: (trx: Trx) => Promise<ClaimRow | undefined>,
  work: (trx: Trx, claim: OpenClaim) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx.db, async (trx) => await work(trx, await lockedClaim(trx, find)));
}

/** The claim of `onClaim`, in the caller's transaction. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
export async function lockedClaim(trx: Trx, find: (trx: Trx) => Promise<ClaimRow | undefined>): Promise<OpenClaim> {
  const found = await find(trx);
  if (!found) throw new AppError('CLAIM_NOT_FOUND');
  const order = await lockedOrder(trx, found.orderId);
  await sql`select id from guarantee_claim where id = ${found.id} for update`.execute(trx);
  const claim = await claimById(trx, found.id);
  if (!claim || !OPEN_CLAIM.includes(claim.status)) throw new AppError('CLAIM_STATE');
  return { ...claim, order, day: chaseDay(claim.chaseFrom, claim.chaseDays, new Date()) };
}

/** Ends a claim without paying; the cover and the seller's hold go on, and the account may be offered again. */
export async function close(
  trx: Trx,
  claim: OpenClaim,
  status: 'withdrawn' | 'refused' | 'recovered',
  refusal: string | null,
): Promise<void> {
  await sql`update guarantee_claim set status = ${status}, refusal = ${refusal}, decided_at = now() where id = ${claim.id}`.execute(
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
  await sql`delete from timer where kind = 'guarantee.look' and ref = ${String(claim.id)}`.execute(trx);
  await timer(trx, 'guarantee.pay', claim.id, seconds);
  await step(trx, { id: claim.id, day: 1 }, actor, text);
  await announce(trx, 'claim.chasing', claim);
}

/** Nobody looked in time: the chase begins by itself, so that the promise does not wait for anybody. */
export async function lookOver(ctx: Context, id: number): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimById(trx, id),
    async (trx, claim) => {
      if (claim.status === 'checking') await startChase(trx, claim, 'system', '超过受理时限，自动进入追索计时', null);
    },
  );
}
