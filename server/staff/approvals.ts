import { sql } from 'kysely';
import type { AuditTarget } from '#subjects/back-office/rules/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { audit } from '#server/audit/audit.ts';

/** Actions on money, and reveals of credentials, that a second person must approve above the limit (domain.md 7). */
export type SecondPersonAction =
  | 'hold.release'
  | 'order.close'
  | 'order.ship'
  | 'order.open'
  | 'dispute.rule'
  | 'claim.pay'
  | 'topup.refund'
  | 'refund.close'
  | 'inspection.open'
  | 'inspection.repay'
  | 'inspection.wrong'
  | 'boosting.deposits'
  | 'recycle.taken'
  | 'setting.change'
  | 'brand.terms'
  | 'staff.recover';

const REQUEST_DAYS = 3;

interface ApprovalRequest {
  act: SecondPersonAction;
  /** 'hold:5', 'order:26…': the target as in the audit log. */
  target: AuditTarget;
  /** Null for decisions without an amount. */
  amountFen: number | null;
  reason: string;
  /** The distributor concerned; null for the platform. */
  distId: number | null;
  /** The details that the second person approves, if more than an amount. */
  payload?: object;
  /** The request that the second person saw; a newer one must not be approved unseen. */
  draftId?: number;
}

interface OpenRequest {
  id: number;
  asked_by: number;
}

/** The amount above which a second person is needed, in fen. */
export const secondPersonFen = (call: StaffRead): number => call.ctx.dir.setting('withdraw').secondPersonFen;

/** Locks the open request; expired ones are closed first. */
async function lockOpenRequest(trx: Trx, { act: action, target }: ApprovalRequest): Promise<OpenRequest | undefined> {
  await sql`update approval set status = 'expired', decided_at = now()
    where act = ${action} and target = ${target} and status = 'waiting' and expires_at <= now()`.execute(trx);
  const { rows } = await sql<OpenRequest>`
    select id, asked_by from approval where act = ${action} and target = ${target} and status = 'waiting' for update`.execute(
    trx,
  );
  return rows[0];
}

/**
 * Stores the request of the first person. Returns true when the caller is the second person and may proceed; false when the request was
 * stored and is pending. `requireDue` runs in the storing transaction, after a decision on an earlier request has been
 * committed, and throws when nothing remains to be decided: otherwise the second of two concurrent clicks would leave
 * an unintended request. Throws SECOND_PERSON for the author of the open request, and the errors of `requireDue`.
 */
export async function requestOrConfirm(
  call: StaffCall,
  request: ApprovalRequest,
  requireDue: (trx: Trx) => Promise<void> | void,
): Promise<boolean> {
  const earlier = await inTransaction(call.ctx.db, (trx) => storeRequest(trx, call, request, requireDue));
  if (!earlier) return false;
  if (earlier.asked_by === call.staff.id) throw new AppError('SECOND_PERSON');
  return true;
}

/**
 * Stores a request in the caller's transaction, unless `requireDue` throws. Returns the open request instead if there
 * is one.
 */
export async function storeRequest(
  trx: Trx,
  { staff, ip }: StaffCall,
  request: ApprovalRequest,
  requireDue?: (trx: Trx) => Promise<void> | void,
): Promise<OpenRequest | undefined> {
  const open = await lockOpenRequest(trx, request);
  if (open) return open;
  await requireDue?.(trx);
  await sql`insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at)
    values (${request.distId}, ${request.act}, ${request.target}, ${JSON.stringify(request.payload ?? {})}::jsonb, ${request.amountFen}, ${request.reason}, ${staff.id}, now() + make_interval(days => ${REQUEST_DAYS}))
    on conflict do nothing`.execute(trx);
  await audit(
    trx,
    staff,
    `${request.act}.ask`,
    request.target,
    { amountFen: request.amountFen, reason: request.reason },
    ip,
  );
  return undefined;
}

export interface Draft<T> {
  id: number;
  requestedBy: number;
  name: string;
  reason: string;
  payload: T;
}

/** The pending requests for an action with their authors, by target, in one statement. */
export async function openDrafts<T>(
  db: Trx,
  action: SecondPersonAction,
  targets: readonly string[],
): Promise<Map<string, Draft<T>>> {
  const { rows } = await sql<Draft<T> & { target: string }>`
    select a.id, a.asked_by as "requestedBy", f.name, a.reason, a.payload, a.target from approval a join staff f on f.id = a.asked_by
    where a.act = ${action} and a.target = any(${[...targets]}::text[]) and a.status = 'waiting' and a.expires_at > now()`.execute(
    db,
  );
  return new Map(rows.map(({ target, ...draft }) => [target, draft as Draft<T>]));
}

/** The pending request with its author; undefined when there is none. */
export async function openDraft<T>(db: Trx, action: SecondPersonAction, target: string): Promise<Draft<T> | undefined> {
  return (await openDrafts<T>(db, action, [target])).get(target);
}

/** The second person rejects a request. Throws SECOND_PERSON when it is no longer open to the caller. */
export async function rejectRequest(
  trx: Trx,
  call: StaffCall,
  request: Pick<ApprovalRequest, 'act' | 'target' | 'reason' | 'draftId'>,
): Promise<void> {
  const { rows } = await sql`
    update approval set status = 'refused', decided_by = ${call.staff.id}, decided_at = now(), note = ${request.reason}
    where act = ${request.act} and target = ${request.target} and status = 'waiting' and asked_by <> ${call.staff.id} and id = coalesce(${request.draftId ?? null}, id)
    returning id`.execute(trx);
  if (rows.length === 0) throw new AppError('SECOND_PERSON');
  await audit(trx, call.staff, `${request.act}.refuse`, request.target, { reason: request.reason }, call.ip);
}

/** The author withdraws a request. Throws SECOND_PERSON when it is no longer open, or is a colleague's. */
export async function withdrawRequest(
  trx: Trx,
  call: StaffCall,
  request: Pick<ApprovalRequest, 'target' | 'reason'> & {
    act: 'boosting.deposits' | 'setting.change' | 'brand.terms';
    draftId: number;
  },
): Promise<void> {
  const { rows } = await sql`
    update approval set status = 'withdrawn', decided_at = now(), note = ${request.reason}
    where id = ${request.draftId} and act = ${request.act} and target = ${request.target} and status = 'waiting' and asked_by = ${call.staff.id}
    returning id`.execute(trx);
  if (rows.length === 0) throw new AppError('SECOND_PERSON');
  await audit(trx, call.staff, `${request.act}.withdraw`, request.target, { reason: request.reason }, call.ip);
}

/** Approves the request in the transaction of the action itself. Throws SECOND_PERSON when it is no longer open to the caller. */
export async function approveRequest(trx: Trx, call: StaffCall, request: ApprovalRequest): Promise<void> {
  const { rows } = await sql`
    update approval set status = 'allowed', decided_by = ${call.staff.id}, decided_at = now(), note = ${request.reason}
    where act = ${request.act} and target = ${request.target} and status = 'waiting' and asked_by <> ${call.staff.id} and expires_at > now()
      and id = coalesce(${request.draftId ?? null}, id)
    returning id`.execute(trx);
  if (rows.length === 0) throw new AppError('SECOND_PERSON');
}
