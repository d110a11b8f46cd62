import { sql } from 'kysely';
import { refundableFen } from '../rules/ruling.ts';
import type * as c from '#subjects/disputes/contract/dispute.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { orderStatusName, OrderStatus, isCancelled } from '#subjects/orders/rules/order-status.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { AppError } from '#server/kernel/errors.ts';
import { orderSn as newSn } from '#server/kernel/ids.ts';
import { takeOffAccount } from '#subjects/goods/server/service.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import {
  addProcess,
  listedAccount,
  lockedOrder,
  type OrderTerms,
  stopClocks,
  termsForParty,
} from '#subjects/orders/server/service.ts';
import { announce, setTimer, addEvent } from './case.ts';
import { reasonsFor } from './queries.ts';
import {
  answerSeconds,
  checkedResponses,
  fieldsOf,
  type Party,
  partyNames,
  wantedFen,
  wantName,
  wantsOf,
} from './rules.ts';

interface Eligibility {
  closed: string | null;
  openSn: string | null;
  protectedUntil: Date | null;
  title: string;
}

const partyOf = (order: OrderTerms, userId: number): Party => (order.buyerId === userId ? 'buyer' : 'seller');

/** Whether an order may be disputed now; `closed` is the reason when it may not. */
async function loadEligibility(trx: Trx, order: OrderTerms): Promise<Eligibility> {
  const { rows } = await sql<{
    openSn: string | null;
    held: boolean;
    until: Date | null;
    title: string | null;
    claim: string | null;
  }>`
    select (select sn from dispute d where d.order_id = o.id and d.status <> 'closed') as "openSn", h.id is not null as held,
      (select k.status from guarantee_claim k where k.order_id = o.id and k.status in ('checking', 'chasing', 'escalated', 'paid') limit 1) as claim,
      h.release_at as until, o.snapshot->>'title' as title
    from orders o left join hold h on h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null where o.id = ${order.id}`.execute(
    trx,
  );
  const row = rows[0];
  const why = (): string | null => {
    if (row?.openSn) return '该订单已有处理中的申诉';
    if (order.status === OrderStatus.Unpaid) return '订单还没有付款，可以直接取消';
    if (isCancelled(order.status)) return '订单已关闭，货款已处理完毕';
    if (row?.claim) return row.claim === 'paid' ? '该订单已获包赔赔付' : '该订单正在包赔理赔，撤回理赔后才能申诉';
    if (order.status === OrderStatus.Completed && !row?.held)
      return '保护期已结束，货款已放给卖家；买了包赔的账号可以申请理赔';
    return null;
  };
  return { closed: why(), openSn: row?.openSn ?? null, protectedUntil: row?.until ?? null, title: row?.title ?? '' };
}

/** The order, whether it can be disputed, and the reasons and claims open to the caller's party. Throws ORDER_NOT_FOUND. */
export async function disputeEligibility(
  { ctx, user }: UserCall,
  { orderSn }: Parsed<typeof c.disputeEntry>,
): Promise<HandlerResult<typeof c.disputeEntry>> {
  const order = await termsForParty(ctx.db, { sn: orderSn }, user.id);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const party = partyOf(order, user.id);
  const [eligibility, reasons] = await Promise.all([loadEligibility(ctx.db, order), reasonsFor(ctx.db, order)]);
  const setting = ctx.dir.setting('disputes');
  return {
    orderSn: order.sn,
    bigTitle: eligibility.title,
    goodsPrice: order.goodsFen,
    totalPrice: order.totalFen,
    status: order.status,
    statusName: orderStatusName(order.status, order.typeId),
    viewer: party,
    closed: eligibility.closed,
    openSn: eligibility.openSn,
    protectedUntil: eligibility.protectedUntil,
    answerHours: answerSeconds(setting, order.typeId) / 3600,
    reasons: reasons.map((r) => ({ code: r.code, name: r.name, evidence: r.evidence, form: fieldsOf(r.form, party) })),
    wants: wantsOf(party),
  };
}

/**
 * Opens a dispute; the order's timers and its hold stop in the same transaction. Throws ORDER_NOT_FOUND, DISPUTE_OPEN, DISPUTE_UNAVAILABLE,
 * DISPUTE_TOO_MANY, BAD_INPUT, PICTURE_BROKEN.
 */
export async function openDispute(
  call: UserCall,
  input: Parsed<typeof c.openDispute>,
): Promise<HandlerResult<typeof c.openDispute>> {
  const { ctx, user, idem } = call;
  return await inTransaction(
    ctx.db,
    async (trx) =>
      await idempotent(trx, idem, async () => {
        const found = await termsForParty(trx, { sn: input.orderSn }, user.id);
        if (!found) throw new AppError('ORDER_NOT_FOUND');
        const order = await lockedOrder(trx, found.id);
        return await insertDispute(call, trx, order, input);
      }),
  );
}

/** The same in the caller's transaction, which holds the order's lock. */
export async function insertDispute(
  call: UserCall,
  trx: Trx,
  order: OrderTerms,
  input: Parsed<typeof c.openDispute>,
): Promise<{ disputeSn: string }> {
  const { ctx, user } = call;
  const party = partyOf(order, user.id);
  const setting = ctx.dir.setting('disputes');
  const eligibility = await loadEligibility(trx, order);
  if (eligibility.openSn) throw new AppError('DISPUTE_OPEN');
  if (eligibility.closed) throw new AppError('DISPUTE_UNAVAILABLE', { text: eligibility.closed });
  await requireBelowDailyLimit(trx, user.id, setting.perDay);
  const reason = (await reasonsFor(trx, order)).find((r) => r.code === input.reason);
  if (!reason) throw new AppError('BAD_INPUT', { text: '请选择原因', field: 'reason' });
  await requireNotRuledBefore(trx, order.id, reason.code);
  const wantFen = wantedFen(party, input.want, input.wantAmount, refundableFen(order));
  const answers = checkedResponses(reason.form, party, input.answers);
  const pictures = await ownPictures(trx, user.id, 'evidence', input.pictures);
  const { disputeSn } = await storeCase(ctx, trx, order, {
    party,
    reason,
    want: input.want,
    wantFen,
    answers,
    text: input.text,
    pictures: pictures.map(({ key }) => ({ key })),
    actor: `user:${user.id}`,
    explain: `${partyNames[party]}发起申诉：${reason.name}`,
  });
  return { disputeSn };
}

interface NewCase {
  party: Party;
  reason: { code: string; version: number };
  want: Parsed<typeof c.openDispute>['want'];
  wantFen: number;
  answers: Record<string, string>;
  text: string;
  pictures: { key: string }[];
  /** The opener, a user or a timer, and the text for the timeline. */
  actor: `user:${number}` | `staff:${number}` | 'timer';
  explain: string;
}

/**
 * The account of a completed sale may go back by the ruling, so neither party sells it meanwhile: their listings of it go off sale (decision
 * 764). While the case is open the database refuses new ones (account_barred).
 */
async function barAccount(ctx: Context, trx: Trx, order: OrderTerms, disputeSn: string): Promise<void> {
  const account = order.status === OrderStatus.Completed ? await listedAccount(trx, order.id) : undefined;
  if (!account) return;
  await takeOffAccount(ctx, trx, {
    fingerprint: account.print,
    claimSn: disputeSn,
    why: `的成交订单 ${order.sn} 在申诉中，结案前不能出售`,
    sellers: [order.buyerId, order.sellerId],
  });
}

/** Stores a case of a party, starts its clocks and stops the order's. Throws DISPUTE_UNAVAILABLE when the order has none to stop. */
async function storeCase(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  { party, reason, want, wantFen, answers, text, pictures, actor, explain }: NewCase,
): Promise<{ id: number; disputeSn: string }> {
  const setting = ctx.dir.setting('disputes');
  const openerId = party === 'buyer' ? order.buyerId : order.sellerId;
  const belong = party === 'buyer' ? 1 : 0;
  const stopped = await stopClocks(trx, order, '申诉处理中，结案后按结果放款或退回');
  if (!stopped) throw new AppError('DISPUTE_UNAVAILABLE');
  const seconds = answerSeconds(setting, order.typeId);
  const sn = `D${newSn(new Date())}`;
  const { rows } = await sql<{ id: number }>`
    insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, reason_version, want, want_fen, staff_id, first_look_by, answer_by, rule_by, stopped)
    values (${sn}, ${order.distId}, ${order.id}, ${openerId}, ${belong}, ${reason.code}, ${reason.version}, ${want}, ${wantFen}, ${order.staffId},
      now() + make_interval(secs => ${setting.lookSeconds}), now() + make_interval(secs => ${seconds}),
      now() + make_interval(secs => ${setting.ruleSeconds}), ${JSON.stringify(stopped)}::jsonb) returning id`.execute(
    trx,
  );
  const d = { id: rows[0]?.id ?? 0, sn, orderId: order.id };
  await sql`insert into dispute_statement (dispute_id, belong, user_id, kind, answers, text, pictures)
    values (${d.id}, ${belong}, ${openerId}, 'form', ${JSON.stringify(answers)}::jsonb, ${text}, ${JSON.stringify(pictures)}::jsonb)`.execute(
    trx,
  );
  await addEvent(trx, d, 'opened', actor, `${explain}，诉求${wantName(want)}`);
  await addProcess(trx, order, `${explain}，计时与放款已停止`, actor);
  await barAccount(ctx, trx, order, sn);
  await setTimer(trx, 'dispute.look', d.id, setting.lookSeconds);
  await setTimer(trx, 'dispute.answer', d.id, seconds);
  await setTimer(trx, 'dispute.rule', d.id, setting.ruleSeconds);
  await announce(trx, 'dispute.opened', d);
  return { id: d.id, disputeSn: sn };
}

/**
 * Opens a case on behalf of a party when a clock has expired or, for the platform as a buyer, by its staff; the caller holds the order's
 * lock. Its reason need not be selectable by users. Returns undefined when the order cannot be disputed now.
 */
export async function openCaseFor(
  ctx: Context,
  trx: Trx,
  order: OrderTerms,
  input: Pick<NewCase, 'party' | 'wantFen' | 'text' | 'explain' | 'actor'> & { reason: string },
): Promise<{ id: number; disputeSn: string } | undefined> {
  const { openSn, closed } = await loadEligibility(trx, order);
  if (openSn !== null || closed !== null) return undefined;
  const { rows } = await sql<{ code: string; version: number }>`
    select code, version from dispute_reason where code = ${input.reason}`.execute(trx);
  const reason = rows[0];
  if (!reason) throw new Error(`unknown dispute reason ${input.reason}`);
  const part = input.wantFen < order.goodsFen ? 'part_refund' : 'refund';
  const want = input.party === 'buyer' && input.wantFen > 0 ? part : 'other';
  return await storeCase(ctx, trx, order, {
    ...input,
    reason,
    want,
    wantFen: want === 'other' ? 0 : input.wantFen,
    answers: {},
    pictures: [],
  });
}

async function requireBelowDailyLimit(trx: Trx, userId: number, perDay: number): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from dispute where opener_id = ${userId} and opened_at > now() - interval '1 day'`.execute(
    trx,
  );
  if ((rows[0]?.n ?? 0) >= perDay) throw new AppError('DISPUTE_TOO_MANY');
}

/** A reason that was ruled on cannot be disputed again for the same order. Throws DISPUTE_UNAVAILABLE. */
async function requireNotRuledBefore(trx: Trx, orderId: number, reasonCode: string): Promise<void> {
  const { rows } = await sql`
    select from dispute where order_id = ${orderId} and reason_code = ${reasonCode} and outcome = 'ruled' limit 1`.execute(
    trx,
  );
  if (rows.length > 0) throw new AppError('DISPUTE_UNAVAILABLE', { text: '这个问题平台已经裁决过，不能重复申诉' });
}
