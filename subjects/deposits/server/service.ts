import { DepositEntryKind } from '#subjects/deposits/rules/entry-kind.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { cancel, emit, reschedule, scheduleFrom } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { depositLevels, openMatters, paidByRole, type ReleaseRow, pendingReleases } from './queries.ts';
import { cancelPenalty, type DepositLevel, type DepositRole, levelReached } from './rules.ts';

export {
  holdOf,
  holdOfLevel,
  holdText,
  type SaleHold,
  saleHold,
  stageParts,
  type StageSetting,
  stageText,
} from './hold.ts';
export { takeForRefund } from './refund.ts';
export {
  type CountedDeposit,
  countedDeposit,
  depositLevel,
  loadDeposits,
  paidByRole,
} from './queries.ts';
export { cancelPenalty, type DepositLevel, type DepositRole, depositRoleNames } from './rules.ts';

/** Locks the user row: deposits of one user are summed and moved one at a time. */
async function lockUser(trx: Trx, userId: number): Promise<void> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(trx);
}

/** The amount missing to reach a level, in fen. Throws BAD_INPUT for an unknown level, DEPOSIT_REACHED, DEPOSIT_RELEASING. */
export async function missingTo(
  db: Trx,
  userId: number,
  target: { role: DepositRole; level: number },
): Promise<{ fen: number; level: DepositLevel }> {
  const level = (await depositLevels(db)).find((l) => l.role === target.role && l.level === target.level);
  if (!level) throw new AppError('BAD_INPUT', { text: '保证金等级不存在' });
  const releases = await pendingReleases(db, userId);
  if (releases.some(({ role }) => role === target.role)) throw new AppError('DEPOSIT_RELEASING');
  const paid = (await paidByRole(db, userId)).get(target.role) ?? 0;
  if (paid >= level.amountFen) throw new AppError('DEPOSIT_REACHED');
  return { fen: level.amountFen - paid, level };
}

/**
 * Moves the amount missing to reach a level from the balance to the deposit, at most `atMostFen`; once for each `ref`. Returns the fen
 * moved. Throws what missingTo throws, and BALANCE_LOW.
 */
export async function payDeposit(
  trx: Trx,
  payer: { userId: number; distId: number },
  target: { role: DepositRole; level: number },
  ref: string,
  atMostFen?: number,
): Promise<number> {
  await lockUser(trx, payer.userId);
  const { fen: missing, level } = await missingTo(trx, payer.userId, target);
  const fen = Math.min(missing, atMostFen ?? missing);
  const { rows } = await sql<{ id: number }>`
    insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason)
    values (${payer.userId}, ${target.role}, ${sql.lit(DepositEntryKind.Paid)}, ${fen}, ${ref}, ${`缴纳${level.name}保证金`}) on conflict do nothing returning id`.execute(
    trx,
  );
  const id = rows[0]?.id;
  if (id === undefined) return 0;
  await post(trx, [
    {
      code: 'deposit_in',
      ref: `deposit:${id}`,
      debit: account.available(payer.userId),
      credit: account.deposit(payer.userId),
      fen,
      dist: payer.distId,
    },
  ]);
  return fen;
}

/**
 * Requests the release of a role's whole deposit. Its benefits end immediately; the money returns after the release days of the level
 * reached, unless open orders, disputes or debts block it then. Throws DEPOSIT_NONE, DEPOSIT_RELEASING.
 */
export async function requestRelease(call: UserCall, role: DepositRole): Promise<ReleaseRow> {
  const { ctx, user, dist } = call;
  const { id } = await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      await lockUser(trx, user.id);
      const paid = (await paidByRole(trx, user.id)).get(role) ?? 0;
      if (paid <= 0) throw new AppError('DEPOSIT_NONE');
      const levels = (await depositLevels(trx)).filter((l) => l.role === role);
      const days = (levelReached(levels, role, paid) ?? levels[0])?.releaseDays ?? 7;
      const { rows } = await sql<{ id: number }>`
        insert into deposit_release (sn, dist_id, user_id, role, amount_fen, release_at)
        values (${channelNo('D', new Date())}, ${dist.id}, ${user.id}, ${role}, ${paid}, now() + make_interval(days => ${days}))
        on conflict do nothing returning id`.execute(trx);
      const row = rows[0];
      if (!row) throw new AppError('DEPOSIT_RELEASING');
      await setTimer(trx, row.id);
      return { id: row.id };
    }),
  );
  return await loadRelease(ctx.db, id);
}

/** Sets the timer in SQL to the exact time of a pending release: a Date drops microseconds, and a timer that runs early does nothing. */
async function setTimer(trx: Trx, releaseId: number): Promise<void> {
  const from = sql`from deposit_release where id = ${releaseId} and status = 'waiting'`;
  await scheduleFrom(trx, 'deposit.release', { key: sql`id`, at: sql`release_at`, from });
}

async function loadRelease(db: Trx, id: number): Promise<ReleaseRow> {
  const { rows } = await sql<ReleaseRow>`select * from deposit_release where id = ${id}`.execute(db);
  if (!rows[0]) throw new AppError('NOT_FOUND');
  return rows[0];
}

/** Cancels a pending release: the deposit stays and counts again. Throws DEPOSIT_NO_RELEASE. */
export async function cancelRelease(call: UserCall, role: DepositRole): Promise<ReleaseRow> {
  const { ctx, user } = call;
  const { id } = await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      const { rows } = await sql<{ id: number }>`
        update deposit_release set status = 'withdrawn', done_at = now() where user_id = ${user.id} and role = ${role} and status = 'waiting' returning id`.execute(
        trx,
      );
      const found = rows[0];
      if (!found) throw new AppError('DEPOSIT_NO_RELEASE');
      await cancel(trx, 'deposit.release', found.id);
      return { id: found.id };
    }),
  );
  return await loadRelease(ctx.db, id);
}

/**
 * Pays out a deposit whose release is due: the amount left after penalties. While something blocks it, stores the reason and checks again
 * later. Idempotent.
 */
export async function releaseDue(ctx: Context, releaseId: number): Promise<void> {
  const setting = ctx.dir.setting('deposit');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } =
      await sql<ReleaseRow>`select * from deposit_release where id = ${releaseId} and status = 'waiting'`.execute(trx);
    const release = rows[0];
    if (!release) return;
    await lockUser(trx, release.user_id);
    const open = await openMatters(trx, release.user_id, release.role, ctx.dir.setting('new_seller'));
    if (open !== null) {
      await sql`update deposit_release set reason = ${open} where id = ${release.id} and status = 'waiting'`.execute(
        trx,
      );
      await reschedule(trx, 'deposit.release', release.id, { seconds: setting.recheckSeconds });
      return;
    }
    const left = (await paidByRole(trx, release.user_id)).get(release.role) ?? 0;
    const fen = Math.min(left, release.amount_fen);
    const done = await sql`
      update deposit_release set status = 'done', done_at = now(), reason = ${fen < release.amount_fen ? `等待期内有扣除，实退 ${yuanLabel(fen)} 元` : null}
      where id = ${release.id} and status = 'waiting' and release_at <= now() returning id`.execute(trx);
    if (done.rows.length === 0) return await setTimer(trx, release.id);
    if (fen === 0) return;
    await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason)
      values (${release.user_id}, ${release.role}, ${sql.lit(DepositEntryKind.Returned)}, ${fen}, ${`release:${release.id}`}, ${`保证金退还 ${release.sn}`})`.execute(
      trx,
    );
    await post(trx, [
      {
        code: 'deposit_out',
        ref: `deposit_release:${release.id}`,
        debit: account.deposit(release.user_id),
        credit: account.available(release.user_id),
        fen,
        dist: release.dist_id,
      },
    ]);
    await emit(trx, 'deposit.released', { userId: release.user_id, text: yuanLabel(fen) });
  });
}

export interface Penalty {
  userId: number;
  role: DepositRole;
  distId: number;
  /** In fen; at most the balance of the deposit is deducted. */
  amountFen: number;
  ruleNo: string;
  reason: string;
  orderId?: number | undefined;
  disputeId?: number | undefined;
  /** The user who is compensated; the guarantee fund when absent. */
  toUserId?: number | undefined;
  staffId?: number | undefined;
}

/**
 * Deducts a penalty from a deposit under a numbered public rule, for the harmed user or the guarantee fund, in the caller's transaction.
 * Returns the fen taken: less than `amountFen` when the deposit holds less, 0 without a deposit. Not idempotent: the caller must call it
 * once.
 */
export async function takePenalty(trx: Trx, p: Penalty): Promise<number> {
  await lockUser(trx, p.userId);
  const paid = (await paidByRole(trx, p.userId)).get(p.role) ?? 0;
  const fen = Math.min(paid, p.amountFen);
  if (fen <= 0) return 0;
  const { rows } = await sql<{ id: number }>`
    insert into deposit_penalty (user_id, role, order_id, dispute_id, rule_no, rule_version, amount_fen, to_user_id, reason, decided_by)
    select ${p.userId}, ${p.role}, ${p.orderId ?? null}, ${p.disputeId ?? null}, r.no, r.version, ${fen}, ${p.toUserId ?? null}, ${p.reason}, ${p.staffId ?? null}
    from platform_rule r where r.no = ${p.ruleNo} and r.in_force_from <= now() and r.revoked_at is null and not r.retired order by r.version desc limit 1 returning id`.execute(
    trx,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`rule ${p.ruleNo} is not in force`);
  await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason, rule_no, order_id)
    values (${p.userId}, ${p.role}, ${sql.lit(DepositEntryKind.Penalty)}, ${fen}, ${`penalty:${id}`}, ${p.reason}, ${p.ruleNo}, ${p.orderId ?? null})`.execute(
    trx,
  );
  await post(trx, [
    {
      code: p.toUserId === undefined ? 'deposit_penalty' : 'deposit_compensation',
      ref: `deposit_penalty:${id}`,
      debit: account.deposit(p.userId),
      credit: p.toUserId === undefined ? account.platform('guarantee_fund', id) : account.available(p.toUserId),
      fen,
      dist: p.distId,
      ...(p.orderId === undefined ? {} : { order: p.orderId }),
    },
  ]);
  await emit(trx, 'deposit.penalty', {
    penaltyId: id,
    userId: p.userId,
    toUserId: p.toUserId ?? null,
    text: yuanLabel(fen),
    ruleNo: p.ruleNo,
    reason: p.reason,
  });
  return fen;
}

/** Rule 8.1: a seller who cancels a paid order compensates the buyer from the deposit, once for each order. */
export async function penaltyForCancel(ctx: Context, orderId: number): Promise<void> {
  const setting = ctx.dir.setting('deposit');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ sn: string; seller: number; buyer: number; dist: number; fen: number; type: number }>`
      select sn, seller_id as seller, buyer_id as buyer, dist_id as dist, goods_fen as fen, type_id as type from orders
      where id = ${orderId} and status = ${sql.lit(OrderStatus.SellerCancelled)} and paid_at is not null`.execute(trx);
    const order = rows[0];
    if (!order) return;
    await lockUser(trx, order.seller);
    const before = await sql`select from deposit_penalty where order_id = ${orderId} and rule_no = '8.1'`.execute(trx);
    if (before.rows.length > 0) return;
    await takePenalty(trx, {
      userId: order.seller,
      role: 'seller',
      distId: order.dist,
      amountFen: cancelPenalty(order.fen, setting),
      ruleNo: '8.1',
      reason: `卖家取消已付款订单 ${order.sn}`,
      orderId,
      toUserId: order.buyer,
    });
  });
}
