import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, emit } from '#server/jobs/effect-writer.ts';
import { matureShares } from './maturing.ts';
import { post } from './post.ts';
import { account, type Transfer } from './rules.ts';

/** A part of a hold that is released before its end. */
export interface HoldStage {
  seq: number;
  amountFen: number;
  /** When it is released; null while the hold is stopped. */
  dueAt: Date | null;
  releasedAt: Date | null;
}

export interface OpenHold {
  id: number;
  userId: number;
  /** The amount that is still frozen. */
  amountFen: number;
  code: string;
  reason: string;
  ref: string;
  /** The order whose money it is. */
  orderSn: string | null;
  releaseAt: Date | null;
  createdAt: Date;
  stages: HoldStage[];
}

/** The stages of some holds, by hold, in their order. */
export async function loadStages(db: Trx, holdIds: readonly number[]): Promise<Map<number, HoldStage[]>> {
  if (holdIds.length === 0) return new Map();
  const { rows } = await sql<HoldStage & { holdId: number }>`
    select s.hold_id as "holdId", s.seq, s.amount_fen as "amountFen", s.released_at as "releasedAt",
      h.release_at - make_interval(secs => s.before_end) as "dueAt"
    from hold_stage s join hold h on h.id = s.hold_id where s.hold_id = any(${holdIds}) order by s.hold_id, s.seq`.execute(
    db,
  );
  return Map.groupBy(rows, (row) => row.holdId);
}

/** A user's open holds, newest first; their sum is the frozen balance. */
export async function openHolds(db: Trx, userId: number): Promise<OpenHold[]> {
  const { rows } = await sql<Omit<OpenHold, 'stages'>>`
    select id, user_id as "userId", amount_fen as "amountFen", code, reason, ref,
      case when exists (select from orders o where o.id = case code when 'sale_protection' then ref::bigint end and not ${ENDS_BY_TIME})
        then null else release_at end as "releaseAt", created_at as "createdAt",
      (select o.sn from orders o where o.id = case code when 'sale_protection' then ref::bigint
        when 'refund' then (select r.order_id from refund r where r.refund_no = ref) end) as "orderSn"
    from hold where user_id = ${userId} and released_at is null order by id desc limit 200`.execute(db);
  const stages = await loadStages(
    db,
    rows.filter(({ code }) => code === 'sale_protection').map(({ id }) => id),
  );
  return rows.map((hold) => ({ ...hold, stages: stages.get(hold.id) ?? [] }));
}

/**
 * Takes a share lock on the order of a protection hold until the transaction ends. Opening a dispute locks the same row, so later reads
 * include the dispute.
 */
async function shareOrder(trx: Trx, by: ReturnType<typeof sql>): Promise<void> {
  await sql`select o.id from hold h join orders o on o.id = h.ref::bigint where ${by} and h.code = 'sale_protection' for share of o`.execute(
    trx,
  );
}

/** Purchases of the platform (order `o`) are not paid by a timer, only after the take-over or by a ruling (decision 523). */
const ENDS_BY_TIME = sql`(not exists (select from recycler c where c.user_id = o.buyer_id and c.is_platform)
  or exists (select from dispute d where d.order_id = o.id and d.outcome = 'ruled'))`;

/** The common part of the postings hold_end and hold_part. */
const comesFree = (h: { user_id: number; ref: string; dist_id: number }): Omit<Transfer, 'code' | 'ref' | 'fen'> => ({
  debit: account.frozen(h.user_id),
  credit: account.available(h.user_id),
  dist: h.dist_id,
  order: Number(h.ref),
});

/**
 * Ends the protection hold of an order: moves the remaining amount from frozen to available and matures its shares. Does nothing when it has
 * ended, when it is not due (unless `earlyReason` is given) or when a dispute or a claim has stopped it. `also` runs afterwards in the same
 * transaction. Returns whether the hold was released.
 */
export async function releaseHold(
  db: Db,
  ref: { orderId: number } | { holdId: number },
  earlyReason?: string,
  also?: (trx: Trx, hold: { id: number; userId: number; amountFen: number }) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const by =
      'holdId' in ref ? sql`h.id = ${ref.holdId}` : sql`h.code = 'sale_protection' and h.ref = ${String(ref.orderId)}`;
    await shareOrder(trx, by);
    const { rows } = await sql<{
      user_id: number;
      amount_fen: number;
      ref: string;
      dist_id: number;
      inviter_id: number | null;
      id: number;
    }>`
      update hold h set released_at = now(), release_note = ${earlyReason ?? '保护期结束'} from orders o
      where ${by} and h.code = 'sale_protection' and o.id = h.ref::bigint and h.released_at is null and h.release_at is not null
        and not o.disputed and (${earlyReason !== undefined} or h.release_at <= now() and ${ENDS_BY_TIME})
      returning h.id, h.user_id, h.amount_fen, h.ref, o.dist_id, o.inviter_id`.execute(trx);
    const hold = rows[0];
    if (!hold) return false;
    await post(trx, [{ ...comesFree(hold), code: 'hold_end', ref: `hold:${hold.id}`, fen: hold.amount_fen }]);
    await matureShares(trx, { id: Number(hold.ref), distId: hold.dist_id, inviterId: hold.inviter_id });
    await cancel(trx, 'hold.release', Number(hold.ref));
    const event = { holdId: hold.id, userId: hold.user_id, amountFen: hold.amount_fen, orderId: Number(hold.ref) };
    await emit(trx, 'hold.released', event);
    await also?.(trx, { id: hold.id, userId: hold.user_id, amountFen: hold.amount_fen });
    return true;
  });
}

/**
 * Releases the due stages of an order's protection hold, each once, and notifies the seller. Does nothing while a dispute or a claim has
 * stopped the hold. Returns when the hold's timer must run again: at the next stage or the hold's end; null when nothing is due.
 */
export async function releaseStages(db: Db, orderId: number): Promise<Date | null> {
  return await inTransaction(db, async (trx) => {
    await shareOrder(trx, sql`h.ref = ${String(orderId)}`);
    const { rows } = await sql<{ id: number; user_id: number; ref: string; dist_id: number; sn: string }>`
      select h.id, h.user_id, h.ref, o.dist_id, o.sn from hold h join orders o on o.id = h.ref::bigint
      where h.code = 'sale_protection' and h.ref = ${String(orderId)} and h.released_at is null and h.release_at is not null and not o.disputed
        and ${ENDS_BY_TIME} for update of h`.execute(trx);
    const hold = rows[0];
    if (!hold) return null;
    const due = await sql<{ seq: number; fen: number }>`
      update hold_stage s set released_at = now() from hold h
      where s.hold_id = ${hold.id} and h.id = s.hold_id and s.released_at is null
        and h.release_at - make_interval(secs => s.before_end) <= now()
      returning s.seq, s.amount_fen as fen`.execute(trx);
    const part = due.rows[0]?.seq;
    if (part !== undefined) {
      const fen = due.rows.reduce((sum, stage) => sum + stage.fen, 0);
      await sql`update hold set amount_fen = amount_fen - ${fen} where id = ${hold.id}`.execute(trx);
      await post(
        trx,
        due.rows.map((stage) => ({
          ...comesFree(hold),
          code: 'hold_part' as const,
          ref: `hold:${hold.id}:${stage.seq}`,
          fen: stage.fen,
        })),
      );
      const event = { holdId: hold.id, userId: hold.user_id, amountFen: fen, orderSn: hold.sn, part };
      await emit(trx, 'hold.part', event);
    }
    const { rows: next } = await sql<{ at: Date | null }>`
      select least(h.release_at, min(h.release_at - make_interval(secs => s.before_end))) as at
      from hold h left join hold_stage s on s.hold_id = h.id and s.released_at is null where h.id = ${hold.id} group by h.id`.execute(
      trx,
    );
    return next[0]?.at ?? null;
  });
}

/** The frozen and released amounts of an order's sale, in fen. */
export async function saleHeld(db: Db | Trx, orderId: number): Promise<{ frozenFen: number; releasedFen: number }> {
  const { rows } = await sql<{ frozenFen: number; releasedFen: number }>`
    select coalesce((select sum(amount_fen) from hold
        where code = 'sale_protection' and ref = ${String(orderId)} and released_at is null), 0)::bigint as "frozenFen",
      coalesce((select sum(amount_fen) from ledger_transfer
        where order_id = ${orderId} and code in ('hold_end', 'hold_part')), 0)::bigint as "releasedFen"`.execute(db);
  return rows[0] ?? { frozenFen: 0, releasedFen: 0 };
}

/** What the buyer of an ended service received of its provider's deposits, in fen. */
export async function depositsPaid(db: Trx, orderId: number): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as fen from ledger_transfer
    where order_id = ${orderId} and code = 'service_deposit_paid'`.execute(db);
  return rows[0]?.fen ?? 0;
}
