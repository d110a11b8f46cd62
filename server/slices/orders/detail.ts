import { sql } from 'kysely';
import type { Answer } from '#contract/endpoint.ts';
import type { orderDetail } from '#contract/order.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogueOf, readableAttrs } from '#server/slices/games/service.ts';
import { refundSum, stagesOf } from '#server/slices/ledger/service.ts';
import { contactSaved } from './contact.ts';
import { currentStep, ensureHandover, type HandoverRow, handoverRows, sealsOf } from './handover.ts';
import { oneOrder, type OrderRow, processOf } from './list.ts';
import { type HoldState, type LateMoney, moneyOf, type Refunds } from './money-view.ts';
import { actsOf, listItemOf, stepsOf, thumbnailOf } from './view.ts';

type Detail = Answer<typeof orderDetail>;

const actorNames = { buyer: '买家', seller: '卖家', staff: '平台客服' } as const;

/** The protection hold of a completed order. */
export async function holdOf(db: Db, orderId: number): Promise<HoldState | null> {
  const { rows } = await sql<Omit<HoldState, 'stages'> & { id: number }>`
    select id, release_at as "releaseAt", released_at as "releasedAt", amount_fen as fen from hold where code = 'sale_protection' and ref = ${String(orderId)}`.execute(
    db,
  );
  const hold = rows[0];
  if (!hold) return null;
  const stages = (await stagesOf(db, [hold.id])).get(hold.id) ?? [];
  return { ...hold, stages };
}

/** Required steps still open, before shipping and in all. */
export function openRequired(rows: readonly HandoverRow[]): { beforeShip: number; all: number } {
  const open = rows.filter((r) => r.required && r.doneAt === null);
  return { beforeShip: open.filter((r) => r.beforeShip).length, all: open.length };
}

async function handoverView(
  db: Db,
  r: OrderRow,
  rows: readonly HandoverRow[],
  viewer: 'buyer' | 'seller' | 'staff',
): Promise<Detail['handover']> {
  const seals = await sealsOf(db, r.id);
  const now = currentStep(rows, r.status);
  const running = r.status === 1 || r.status === 2;
  return rows.map((s) => {
    const sealed = seals.get(s.step);
    return {
      step: s.step,
      key: s.key,
      title: s.title,
      actor: s.actor,
      actorName: actorNames[s.actor],
      minutes: s.minutes,
      required: s.required,
      beforeShip: s.beforeShip,
      needsEvidence: s.evidence,
      secret: s.secret,
      explain: s.explain,
      state: s.doneAt ? 'done' : s.step === now?.step ? 'current' : 'waiting',
      mine: s.actor === viewer,
      doneTime: s.doneAt,
      doneBy:
        s.doneBy === null
          ? null
          : s.doneBy.startsWith('staff')
            ? '平台客服'
            : s.doneBy === `user:${r.seller_id}`
              ? '卖家'
              : '买家',
      pictures: s.pictures.map((p) => ({ url: `/img/${p.key}`, thumb: `/img/${p.key}?w=320` })),
      sealed: s.secret
        ? {
            sent: sealed !== undefined,
            revealed: sealed?.revealed ?? false,
            erased: sealed?.erased ?? false,
            canReveal:
              running && sealed !== undefined && !sealed.revealed && !sealed.erased && sealed.for_actor === viewer,
            canSend: running && s.doneAt === null && (s.actor === viewer || s.actor === 'staff') && viewer !== 'staff',
          }
        : null,
    };
  });
}

/** The way to the order's dispute: open while something can still be stopped, and afterwards as the record. */
function disputeAct(r: OrderRow, hold: HoldState | null): Detail['acts'] {
  const open = r.status === 1 || r.status === 2 || (r.status === 3 && hold !== null && hold.releasedAt === null);
  if (!open && !r.disputed) return [];
  return [
    {
      act: 'dispute',
      label: r.disputed ? '查看申诉' : '申诉维权',
      enabled: true,
      reason: null,
      primary: false,
      confirm: null,
    },
  ];
}

/**
 * What the buyer got back of an order, and what of the buyer's money came too late for it, as the ledger has it. A late refund is one
 * that nobody asked for.
 */
async function refundsOf(db: Db, r: OrderRow): Promise<Refunds & { late: LateMoney }> {
  const { rows } = await sql<Refunds & LateMoney>`
    select ${sql.raw(refundSum)} as "refundedFen",
      coalesce(sum(amount_fen) filter (where code in ('ruling_take_back', 'ruling_from_balance')), 0)::bigint as "takenFen",
      coalesce(sum(amount_fen) filter (where code = 'late_payment'), 0)::bigint as "toBalanceFen",
      coalesce(sum(amount_fen) filter (where code = 'late_refund'), 0)::bigint as "toSourceFen",
      coalesce(sum(amount_fen) filter (where code = 'refund_paid' and ref <> all(asked.refs)), 0)::bigint as "arrivedFen",
      coalesce(sum(amount_fen) filter (where code = 'refund_back' and ref <> all(asked.refs)), 0)::bigint as "failedFen"
    from ledger_transfer, (select array(select ref from ledger_transfer where order_id = ${r.id} and code = 'refund_ask') as refs) asked
    where order_id = ${r.id}`.execute(db);
  const { refundedFen = 0, takenFen = 0, ...late } = rows[0] ?? {};
  return {
    refundedFen,
    takenFen,
    late: { toBalanceFen: 0, toSourceFen: 0, arrivedFen: 0, failedFen: 0, ...late },
  };
}

/** An order's steps; those of an order that was paid this moment are made here when the payment's event has not made them yet. */
async function madeSteps(ctx: Context, r: OrderRow): Promise<HandoverRow[]> {
  const rows = await handoverRows(ctx.db, r.id);
  if (rows.length > 0 || (r.status !== 1 && r.status !== 2)) return rows;
  await ensureHandover(ctx, ctx.db, r.id);
  return await handoverRows(ctx.db, r.id);
}

/** An order whole, as a party or staff sees it. Throws ORDER_NOT_FOUND, the same for foreign and missing ones. */
export async function detailOf(
  ctx: Context,
  sn: string,
  who: { userId: number } | { staffDistId: number | null },
): Promise<Detail & { buyerId: string; sellerId: string }> {
  const { db } = ctx;
  const userId = 'userId' in who ? who.userId : null;
  const r = await oneOrder(db, sn, userId, 'staffDistId' in who ? who.staffDistId : null);
  if (!r) throw new AppError('ORDER_NOT_FOUND');
  const role = userId === null ? 'staff' : r.buyer_id === userId ? 'buyer' : 'seller';
  const viewer = role === 'seller' ? 'seller' : 'buyer';
  const [rows, process, hold, refunds, hasContact] = await Promise.all([
    madeSteps(ctx, r),
    processOf(db, r.id),
    holdOf(db, r.id),
    refundsOf(db, r),
    userId === null ? false : contactSaved(db, r.id, userId),
  ]);
  const { areaName, serverName, gameName, attrs } = r.snapshot;
  return {
    ...listItemOf(r, viewer),
    acts: [...(role === 'staff' ? [] : disputeAct(r, hold)), ...actsOf(r, role, openRequired(rows))],
    lines: r.fees.map((f) => ({ code: f.code, label: f.label, amount: f.fen, rule: f.rule })),
    attrs: [
      ...(r.snapshot.facts ?? []),
      ...(r.game_id === null ? [] : readableAttrs(catalogueOf(ctx), r.game_id, attrs)),
    ],
    areaText: [areaName, serverName].filter(Boolean).join(' / '),
    gameName,
    process,
    steps: stepsOf(r, rows, hold?.releaseAt ?? null, Boolean(hold?.releasedAt), refunds.refundedFen),
    handover: await handoverView(db, r, rows, role),
    money: moneyOf(
      r,
      role === 'staff' ? 'seller' : viewer,
      hold,
      role === 'seller' ? { refundedFen: refunds.refundedFen, takenFen: refunds.takenFen } : refunds,
    ),
    staffName: r.staff_name,
    cancelAsked: r.cancel_asked_at !== null && r.status === 1,
    contactSaved: hasContact,
    payExpireTime: r.status === 0 ? r.expires_at : null,
    viewer,
    thumbnail: thumbnailOf(r.snapshot),
    buyerId: String(r.buyer_id),
    sellerId: String(r.seller_id),
  };
}
