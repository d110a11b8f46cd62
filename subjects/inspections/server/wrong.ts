import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import { payWrong } from './money.ts';
import { type ClaimState, wrongPaysFen } from './rules.ts';
import { notifyBuyer } from './notify.ts';

/** An order whose account was bought on readings that counted, still open to a claim. Amounts in fen. */
export interface Contestable {
  orderId: number;
  orderSn: string;
  title: string;
  distId: number;
  taskId: number;
  priceFen: number;
  untilAt: Date | null;
}

/**
 * Orders of a buyer whose account had the mark when it was bought, that were shipped or completed a short time ago, undisputed, and not
 * claimed on yet. A sold listing keeps its mark, so the newest task completed before the order is the relevant one.
 */
export async function contestable(db: Trx, buyerId: number, days: number, orderId?: number): Promise<Contestable[]> {
  const { rows } = await sql<Contestable>`
    select o.id as "orderId", o.sn as "orderSn", o.snapshot->>'title' as title, o.dist_id as "distId", t.id as "taskId", o.goods_fen as "priceFen",
      o.completed_at + make_interval(days => ${days}) as "untilAt"
    from orders o join goods g on g.id = o.goods_id and g.inspected_at <= o.created_at
      join lateral (select t.id from inspection_task t where t.goods_id = g.id and t.status = 'done' and t.done_at <= o.created_at
        order by t.id desc limit 1) t on true
    where o.buyer_id = ${buyerId} and o.id = coalesce(${orderId ?? null}, o.id) and not o.disputed
      and (o.status = ${sql.lit(OrderStatus.Shipped)} or (o.status = ${sql.lit(OrderStatus.Completed)} and o.completed_at > now() - make_interval(days => ${days})))
      and cardinality(user_links(o.buyer_id, o.seller_id)) = 0
      and not exists (select from dispute d where d.order_id = o.id and d.back_fen > 0)
      and not exists (select from inspection_claim k where k.order_id = o.id or k.task_id = t.id)
    order by o.id desc limit 20`.execute(db);
  return rows;
}

/**
 * The buyer of an inspected account reports one wrong reading. The payment is fixed now; two members of staff decide. One claim per order and
 * inspection. Throws NOT_FOUND, ORDER_STATE, BAD_INPUT with the field.
 */
export async function claimWrong(
  call: UserCall,
  input: Parsed<typeof c.inspectionWrong>,
): Promise<HandlerResult<typeof c.inspectionWrong>> {
  const { ctx, user } = call;
  const keys = input.pictures ?? [];
  if (keys.length === 0) throw new AppError('BAD_INPUT', { text: '请上传您看到的截图', field: 'pictures' });
  const setting = ctx.dir.setting('inspection');
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      const { rows: own } = await sql`
        select from orders where id = ${input.orderId} and buyer_id = ${user.id} for update`.execute(trx);
      if (own.length === 0) throw new AppError('ORDER_NOT_FOUND');
      const [order] = await contestable(trx, user.id, setting.wrongDays, input.orderId);
      if (!order) throw errorOf('ORDER_STATE', 'inspectionClaimNotPossible');
      const { rows } = await sql<{ label: string; found: string }>`
        select r.label, r.found from inspection_reading r join inspection_task t on t.id = r.task_id join goods g on g.id = t.goods_id
        where r.task_id = ${order.taskId} and r.field = ${input.field} and r.found <> '' and g.attrs ? r.field`.execute(
        trx,
      );
      const reading = rows[0];
      if (!reading) throw new AppError('BAD_INPUT', { text: '请选择有误的验号项', field: 'field' });
      if (reading.found === input.found)
        throw new AppError('BAD_INPUT', { text: '与验号结果相同，没有差异', field: 'found' });
      const pictures = await ownPictures(trx, user.id, 'evidence', keys);
      const amountFen = wrongPaysFen(order.priceFen, setting);
      if (amountFen === 0) throw errorOf('ORDER_STATE', 'inspectionClaimsClosed');
      const { rows: made } = await sql<{ id: number }>`
        insert into inspection_claim (dist_id, order_id, task_id, buyer_id, field, label, reading, found, pictures, amount_fen)
        values (${order.distId}, ${order.orderId}, ${order.taskId}, ${user.id}, ${input.field}, ${reading.label}, ${reading.found}, ${input.found},
          ${JSON.stringify(pictures.map((p) => p.key))}::jsonb, ${amountFen}) returning id`.execute(trx);
      return { claimId: made[0]?.id ?? 0, amount: amountFen };
    }),
  );
}

/** The fields of a claim needed for its decision. */
export interface WrongClaim {
  id: number;
  distId: number;
  orderId: number;
  orderSn: string;
  buyerId: number;
  sellerId: number;
  inspectorId: number | null;
  amountFen: number;
  status: ClaimState;
  /** Not disputed, cancelled or refunded since. */
  isSound: boolean;
}

/** A claim with its row locked. Throws NOT_FOUND. */
export async function lockedClaim(trx: Trx, id: number): Promise<WrongClaim> {
  await sql`select from inspection_claim where id = ${id} for update`.execute(trx);
  const { rows } = await sql<WrongClaim>`
    select k.id, k.dist_id as "distId", k.order_id as "orderId", o.sn as "orderSn", k.buyer_id as "buyerId", o.seller_id as "sellerId", t.staff_id as "inspectorId",
      k.amount_fen as "amountFen", k.status,
      o.status in (${sql.lit(OrderStatus.Shipped)}, ${sql.lit(OrderStatus.Completed)}) and not exists (select from dispute d where d.order_id = o.id and (d.back_fen > 0 or d.closed_at is null)) as "isSound"
    from inspection_claim k join orders o on o.id = k.order_id join inspection_task t on t.id = k.task_id where k.id = ${id}`.execute(
    trx,
  );
  const claim = rows[0];
  if (!claim) throw errorOf('NOT_FOUND', 'inspectionClaim');
  return claim;
}

/** Ends a locked claim; with the `approvalId` of two people it is paid. Throws ORDER_STATE when it is already decided or its order was reversed. */
export async function endClaim(
  trx: Trx,
  claim: WrongClaim,
  by: { staffId: number; note: string; approvalId: number | null },
): Promise<void> {
  if (claim.status !== 'open') throw errorOf('ORDER_STATE', 'inspectionClaimDecided');
  const pays = by.approvalId !== null;
  if (pays && !claim.isSound) throw errorOf('ORDER_STATE', 'inspectionClaimOverruled');
  await sql`update inspection_claim set status = ${pays ? 'paid' : 'refused'}, note = ${by.note}, staff_id = ${by.staffId}, decided_at = now()
    where id = ${claim.id}`.execute(trx);
  if (by.approvalId !== null) await payWrong(trx, claim, by.approvalId);
  await notifyBuyer(
    trx,
    { ref: `inspectionClaim:${claim.id}`, buyerId: claim.buyerId },
    pays ? '验号有误已赔付' : '验号理赔未通过',
    pays
      ? `订单 ${claim.orderSn} 的验号结果有误，包赔基金已赔付 ${yuanLabel(claim.amountFen)} 元。`
      : `订单 ${claim.orderSn}：${by.note}。不同意可在订单里申诉。`,
  );
}
