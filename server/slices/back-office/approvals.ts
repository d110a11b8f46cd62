import { sql } from 'kysely';
import type { AuditTarget } from '#contract/rules/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { audit } from '#server/audit.ts';

/** Acts on money, and openings of what is worth as much, that a second person must allow above the limit (domain.md 7). */
export type SecondPersonAction =
  | 'hold.release'
  | 'order.close'
  | 'order.ship'
  | 'order.open'
  | 'dispute.rule'
  | 'claim.pay'
  | 'topup.refund';

const ASK_DAYS = 3;

interface Wish {
  act: SecondPersonAction;
  /** 'hold:5', 'order:26…': as the audit log names it. */
  target: AuditTarget;
  amountFen: number;
  reason: string;
  /** Whose money it is; null for what belongs to the platform. */
  distId: number | null;
  /** What the second person lets through, where it is more than an amount. */
  payload?: object;
  /** The very request that the second person read; another written since is not let through unread. */
  draftId?: number;
}

interface Ask {
  id: number;
  asked_by: number;
}

/** Above this a second person is needed, in fen. */
export const secondPersonFen = (call: StaffCall): number =>
  call.ctx.dir.setting<{ secondPersonFen: number }>('withdraw').secondPersonFen;

/** The open request, after those that nobody answered in time are closed. */
async function openAsk(trx: Trx, { act, target }: Wish): Promise<Ask | undefined> {
  await sql`update approval set status = 'expired', decided_at = now()
    where act = ${act} and target = ${target} and status = 'waiting' and expires_at <= now()`.execute(trx);
  const { rows } = await sql<Ask>`
    select id, asked_by from approval where act = ${act} and target = ${target} and status = 'waiting' for update`.execute(
    trx,
  );
  return rows[0];
}

/**
 * The first of two people writes down what is wanted. Returns whether the caller is the second one and may go on now; false = the
 * request was written and waits. Throws SECOND_PERSON for the one who asked.
 */
export async function isSecondPerson(call: StaffCall, wish: Wish): Promise<boolean> {
  const { ctx, staff, ip } = call;
  const earlier = await inTransaction(ctx.db, async (trx) => {
    const open = await openAsk(trx, wish);
    if (open) return open;
    await sql`insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at)
      values (${wish.distId}, ${wish.act}, ${wish.target}, ${JSON.stringify(wish.payload ?? {})}::jsonb, ${wish.amountFen}, ${wish.reason}, ${staff.id}, now() + make_interval(days => ${ASK_DAYS}))
      on conflict do nothing`.execute(trx);
    await audit(trx, staff, `${wish.act}.ask`, wish.target, { amountFen: wish.amountFen, reason: wish.reason }, ip);
    return undefined;
  });
  if (!earlier) return false;
  if (earlier.asked_by === staff.id) throw new AppError('SECOND_PERSON');
  return true;
}

export interface Draft<T> {
  id: number;
  askedBy: number;
  name: string;
  reason: string;
  payload: T;
}

/** What waits for a second person, with who asked for it; undefined when nothing does. */
export async function openDraft<T>(db: Trx, act: SecondPersonAction, target: string): Promise<Draft<T> | undefined> {
  const { rows } = await sql<Draft<T>>`
    select a.id, a.asked_by as "askedBy", f.name, a.reason, a.payload from approval a join staff f on f.id = a.asked_by
    where a.act = ${act} and a.target = ${target} and a.status = 'waiting' and a.expires_at > now()`.execute(db);
  return rows[0];
}

/** The second person sends a request back. Throws SECOND_PERSON when it is no longer open to the caller. */
export async function rejectSecond(
  trx: Trx,
  call: StaffCall,
  wish: Pick<Wish, 'act' | 'target' | 'reason' | 'draftId'>,
): Promise<void> {
  const { rows } = await sql`
    update approval set status = 'refused', decided_by = ${call.staff.id}, decided_at = now(), note = ${wish.reason}
    where act = ${wish.act} and target = ${wish.target} and status = 'waiting' and asked_by <> ${call.staff.id} and id = coalesce(${wish.draftId ?? null}, id)
    returning id`.execute(trx);
  if (rows.length === 0) throw new AppError('SECOND_PERSON');
  await audit(trx, call.staff, `${wish.act}.refuse`, wish.target, { reason: wish.reason }, call.ip);
}

/** Closes the request in the transaction of the act itself. Throws SECOND_PERSON when it is no longer open to the caller. */
export async function allowSecond(trx: Trx, call: StaffCall, wish: Wish): Promise<void> {
  const { rows } = await sql`
    update approval set status = 'allowed', decided_by = ${call.staff.id}, decided_at = now(), note = ${wish.reason}
    where act = ${wish.act} and target = ${wish.target} and status = 'waiting' and asked_by <> ${call.staff.id} and expires_at > now()
      and id = coalesce(${wish.draftId ?? null}, id)
    returning id`.execute(trx);
  if (rows.length === 0) throw new AppError('SECOND_PERSON');
}
