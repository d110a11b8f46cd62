import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import { sellerNoun, withTypeNames, isService } from '../rules/order-types.ts';
import { OrderStatus, isEnded, isInProgress } from '../rules/order-status.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { saleHold } from '#subjects/deposits/server/service.ts';
import { debtOfOrder, refundSum, loadStages } from '#subjects/ledger/server/service.ts';
import { contactSaved } from './contact.ts';
import { inspectHoursOf } from '../rules/protection.ts';
import { confirmSecondsOf } from './apply-transition.ts';
import { stepActor } from '../rules/exchange.ts';
import {
  type ExchangeRow,
  exchangeOf,
  exchangeRows,
  exchangeState,
  isExchange,
  openStepsOf,
} from './handover/exchange.ts';
import { exchangeView } from './handover/exchange-view.ts';
import {
  currentStep,
  ensureHandover,
  type HandoverRow,
  handoverRows,
  openOf,
  ruledOutSteps,
} from './handover/handover.ts';
import { loadOpenings } from './handover/openings.ts';
import { type Opening, credentialView, type Viewer } from './handover/credential-view.ts';
import type { OrderParty } from '../rules/order-party.ts';
import { orderDue, loadServiceDue } from './handover/due.ts';
import { type ServiceDueInput, serviceHeadline } from '#subjects/services/rules/service-due.ts';
import { textFor } from '#contract/rules/texts/viewer-text.ts';
import { type CredentialState, credentialStates } from './handover/credentials.ts';
import { type OrderRow, loadProcess, oneOrder } from './list.ts';
import type { HoldState } from './money-parts.ts';
import { type LatePayments, moneyOf, type Refunds } from './money-view.ts';
import { receiptOf } from './handover/steps-gate.ts';
import { tradedArea, tradedAttrs } from './placing/traded-facts.ts';
import { actionsOf, isCutAsked, listItemOf, stepsOf, thumbnailOf } from './view.ts';

type Detail = HandlerResult<typeof orderDetail>;

/** The actors of steps, by the type of the order: a service has a provider in place of a seller. */
const actorName = (actor: OrderParty, typeId: number): string =>
  actor === 'buyer' ? '买家' : actor === 'staff' ? '平台客服' : sellerNoun(typeId);

/** The protection hold of a completed order. */
export async function loadHold(db: Db, orderId: number): Promise<HoldState | null> {
  const { rows } = await sql<Omit<HoldState, 'stages'> & { id: number }>`
    select id, release_at as "releaseAt", released_at as "releasedAt", amount_fen as fen from hold where code = 'sale_protection' and ref = ${String(orderId)}`.execute(
    db,
  );
  const hold = rows[0];
  if (!hold) return null;
  const stages = (await loadStages(db, [hold.id])).get(hold.id) ?? [];
  return { ...hold, stages };
}

/** The deadlines of a service are shown on its own card, so the order's step has none. */
const hasOwnClocks = (r: OrderRow): boolean => isService(r.type_id);

interface Forms {
  seals: ReadonlyMap<number, CredentialState>;
  openings: readonly Opening[];
  exchanges: ReadonlyMap<number, ExchangeRow>;
  /** Null for an order of goods. */
  service: ServiceDueInput | null;
}

/**
 * Whether a service is waiting for someone other than the viewer: its steps do not change with each action of a party.
 */
const isOthersTurn = (service: ServiceDueInput | null, { role }: Viewer): boolean =>
  service !== null && serviceHeadline(service, role).turn !== role;

function handoverView(r: OrderRow, rows: readonly HandoverRow[], viewer: Viewer, forms: Forms): Detail['handover'] {
  // A service that is not accepted yet has no due step.
  const now = forms.service?.state === 'pending' ? undefined : currentStep(rows, r.status);
  const receipt = receiptOf(openOf(rows, r.status));
  return rows.map((s) => {
    const state = s.doneAt ? 'done' : s.step === now?.step ? 'current' : 'waiting';
    const exchange = isExchange(s) ? exchangeOf(forms.exchanges, s.step) : undefined;
    // Within an exchange the current actor changes with each move.
    const actor = stepActor({
      actor: s.actor,
      exchange: isExchange(s) && exchange && state === 'current' ? exchangeState(s, exchange) : null,
    });
    // A dispute stops every step; a service waits for the party in its headline.
    const isOwn = actor === viewer.role;
    const mine = isOwn && !(state === 'current' && (r.disputed || isOthersTurn(forms.service, viewer)));
    return {
      step: s.step,
      key: s.key,
      title: s.title,
      actor,
      actorName: isOwn && !mine ? '您' : actorName(actor, r.type_id),
      minutes: hasOwnClocks(r) ? 0 : s.minutes,
      required: s.required,
      beforeShip: s.beforeShip,
      needsEvidence: s.evidence,
      secret: s.secret,
      explain: viewer.role === 'staff' ? s.explain : textFor(viewer.role, s.explain),
      state,
      mine,
      isReceipt: r.status === OrderStatus.Shipped && s.step === receipt?.step,
      dueTime: s.step === now?.step ? r.step_due : null,
      doneTime: s.doneAt,
      doneBy:
        s.doneBy === null
          ? null
          : s.doneBy.startsWith('staff')
            ? '平台客服'
            : s.doneBy === `user:${r.seller_id}`
              ? sellerNoun(r.type_id)
              : '买家',
      pictures: s.pictures.map((p) => ({ url: `/img/${p.key}`, thumb: `/img/${p.key}?w=320` })),
      skipped: s.skipped,
      canSkip: viewer.role === 'buyer' && !s.required && s.doneAt === null && isInProgress(r.status) && !r.disputed,
      sealed: s.secret ? credentialView(r, rows, s, viewer, forms) : null,
      exchange:
        isExchange(s) && exchange
          ? exchangeView(s, exchange, viewer, { state, disputed: r.disputed, ownHint: r.buyer_phone_mask })
          : null,
    };
  });
}

/** The money line for its reader: a party is addressed directly, staff read about both parties, and a provider is named by its role. */
function moneyFor(r: OrderRow, role: Viewer['role'], money: Detail['money']): Detail['money'] {
  const named = (text: string): string => withTypeNames(text, r.type_id);
  const read = (text: string): string => named(role === 'staff' ? text : textFor(role, text));
  const { where, reason, points } = money;
  return {
    ...money,
    where: read(where),
    reason: read(reason),
    points: points.map((point) => ({ ...point, title: named(point.title), text: read(point.text) })),
  };
}

/** The link to the order's dispute: as an action while the order can still be stopped, afterwards as a record. */
function disputeAction(r: OrderRow, hold: HoldState | null): Detail['acts'] {
  const open =
    r.status === OrderStatus.Paid ||
    r.status === OrderStatus.Shipped ||
    (r.status === OrderStatus.Completed && hold !== null && hold.releasedAt === null);
  if (!open && !r.disputed) return [];
  return [
    {
      act: 'dispute',
      label: r.disputed ? '查看申诉' : '申诉',
      enabled: true,
      reason: null,
      primary: false,
      confirm: null,
    },
  ];
}

/** Refunds of an order and payments that arrived too late for it, from the ledger. */
async function loadRefunds(db: Db, r: OrderRow): Promise<Refunds & { late: LatePayments }> {
  const { rows } = await sql<Omit<Refunds, 'owedFen' | 'repaidFen'> & LatePayments>`
    select ${sql.raw(refundSum)} as "refundedFen",
      coalesce(sum(amount_fen) filter (where code in ('ruling_take_back', 'ruling_from_balance', 'ruling_from_deposit')), 0)::bigint as "takenFen",
      coalesce(sum(amount_fen) filter (where code = 'late_payment'), 0)::bigint as "toBalanceFen",
      coalesce(sum(amount_fen) filter (where code = 'late_refund'), 0)::bigint as "toSourceFen",
      coalesce(sum(amount_fen) filter (where code = 'refund_paid' and ref <> all(asked.refs)), 0)::bigint as "arrivedFen",
      coalesce(sum(amount_fen) filter (where code = 'refund_back' and ref <> all(asked.refs)), 0)::bigint as "failedFen"
    from ledger_transfer, (select array(select ref from ledger_transfer where order_id = ${r.id} and code = 'refund_ask') as refs) asked
    where order_id = ${r.id}`.execute(db);
  const { refundedFen = 0, takenFen = 0, ...late } = rows[0] ?? {};
  const owed = await debtOfOrder(db, { id: r.id, buyerId: r.buyer_id });
  return {
    refundedFen,
    takenFen,
    owedFen: owed.amountFen,
    repaidFen: owed.paidFen,
    late: { toBalanceFen: 0, toSourceFen: 0, arrivedFen: 0, failedFen: 0, ...late },
  };
}

/** An order's steps. If the event of a payment has not created them yet, they are created here, which also sets the order's deadline. */
async function ensuredSteps(ctx: Context, r: OrderRow): Promise<{ rows: HandoverRow[]; stepDue: Date | null }> {
  const rows = await handoverRows(ctx.db, r.id);
  if (rows.length > 0 || !isInProgress(r.status)) return { rows, stepDue: r.step_due };
  await ensureHandover(ctx, ctx.db, r.id);
  const [made, due] = await Promise.all([
    handoverRows(ctx.db, r.id),
    sql<{ due: Date | null }>`select order_step_due(${r.id}) as due`.execute(ctx.db),
  ]);
  return { rows: made, stepDue: due.rows[0]?.due ?? null };
}

/** Confirming receipt is the primary action only when every step has a result. */
const receiptLast = (rows: readonly HandoverRow[], actions: Detail['acts']): Detail['acts'] =>
  rows.some((s) => !s.required && s.doneAt === null)
    ? actions.map((a) => (a.act === 'confirm' ? { ...a, primary: false } : a))
    : actions;

/** The buyer's protection while the order is open; for the buyer of a shipped order also the effect of confirming receipt now. */
async function protectionFor(
  ctx: Context,
  r: OrderRow,
  role: Viewer['role'],
): Promise<Pick<Detail, 'protection' | 'receipt'>> {
  if (isEnded(r.status)) return { protection: null, receipt: null };
  const { hours, stages } = await saleHold(ctx, ctx.db, r.seller_id, r.buyer_id);
  const frozenUntil = new Date(Date.now() + hours * 3_600_000);
  return {
    protection: {
      inspectHours: inspectHoursOf(r.type_id, confirmSecondsOf(ctx, r.type_id)),
      holdHours: Math.round(hours),
    },
    receipt:
      role === 'buyer' && r.status === OrderStatus.Shipped
        ? { amount: r.goods_fen - r.advance_goods_fen, frozenUntil, hasStages: stages.length > 0 }
        : null,
  };
}

/** The money of an order as a reader sees it. Late payments are shown to their payer only. */
function moneyShown(
  r: OrderRow,
  role: Viewer['role'],
  hold: Awaited<ReturnType<typeof loadHold>>,
  refunds: Awaited<ReturnType<typeof loadRefunds>>,
): Detail['money'] {
  const { late: _late, ...back } = refunds;
  return moneyFor(r, role, moneyOf(r, role === 'buyer' ? 'buyer' : 'seller', hold, role === 'seller' ? back : refunds));
}

/** An order's details for a party or staff. Throws ORDER_NOT_FOUND, also for another user's order. */
export async function loadDetail(
  ctx: Context,
  sn: string,
  who: { userId: number } | { staffDistId: number | null; staffId: number; mayOpen?: boolean },
): Promise<Detail & { buyerId: string; sellerId: string }> {
  const { db } = ctx;
  const userId = 'userId' in who ? who.userId : null;
  const r = await oneOrder(db, sn, userId, 'staffDistId' in who ? who.staffDistId : null);
  if (!r) throw new AppError('ORDER_NOT_FOUND');
  const role = userId === null ? 'staff' : r.buyer_id === userId ? 'buyer' : 'seller';
  const viewer = role === 'seller' ? 'seller' : 'buyer';
  const viewing = { role, mayOpen: 'mayOpen' in who && who.mayOpen === true } as const;
  const [{ rows, stepDue }, service, process, hold, refunds, hasContact, seals, openings, exchanges] =
    await Promise.all([
      ensuredSteps(ctx, r),
      isService(r.type_id) ? loadServiceDue(db, r.id) : null,
      loadProcess(db, r.id),
      loadHold(db, r.id),
      loadRefunds(db, r),
      userId === null ? false : contactSaved(db, r.id, userId),
      credentialStates(db, r.id),
      loadOpenings(db, { id: r.id, typeId: r.type_id }, userId === null ? null : `user:${userId}`),
      exchangeRows(db, r.id),
    ]);
  const item = {
    ...listItemOf(r, viewer),
    handover: handoverView({ ...r, step_due: stepDue }, rows, viewing, {
      seals,
      openings,
      exchanges,
      service,
    }),
    cancelAsked: r.cancel_asked_at !== null && r.status === OrderStatus.Paid,
    cutAsked: isCutAsked(r),
    takeOver: r.take_over,
    disputed: r.disputed,
  };
  const goods = { typeId: r.type_id, gameId: r.game_id, snapshot: r.snapshot };
  // Until their reading is stored, staff do not see what the seller of a recycled account stated, nor the cover that
  // is drawn from it (decision 747).
  const isBlind = role === 'staff' && r.recycle_state === 'accepted';
  const reader = role === 'staff' && !('staffId' in who && r.staff_id === who.staffId) ? 'onlooker' : role;
  return {
    ...item,
    due: orderDue({ ...item, service }, reader),
    acts: [
      ...(role === 'staff' ? [] : disputeAction(r, hold)),
      ...receiptLast(rows, actionsOf(r, role, openStepsOf(rows, r.status, exchanges))),
    ],
    lines: r.fees.map((f) => ({ code: f.code, label: f.label, amount: f.fen, rule: f.rule })),
    attrs: isBlind ? [] : tradedAttrs(ctx, goods),
    areaText: tradedArea(goods),
    gameName: r.snapshot.gameName,
    process,
    steps: stepsOf(r, rows, {
      releasedAt: hold?.releasedAt ?? null,
      refundedFen: refunds.refundedFen,
    }),
    ruledOut: await ruledOutSteps(db, r.id),
    openings,
    money: moneyShown(r, role, hold, refunds),
    staffName: r.staff_name,
    ...(await protectionFor(ctx, r, role)),
    stoppedTime: r.status === OrderStatus.Shipped ? r.confirm_stopped_at : null,
    contactSaved: hasContact,
    payExpireTime: r.status === OrderStatus.Unpaid ? r.expires_at : null,
    viewer,
    thumbnail: thumbnailOf(isBlind ? { ...r.snapshot, picture: null } : r.snapshot),
    buyerId: String(r.buyer_id),
    sellerId: String(r.seller_id),
  };
}
