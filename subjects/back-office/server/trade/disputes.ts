import { sql } from 'kysely';
import type * as c from '#subjects/disputes/contract/staff-disputes.ts';
import type { AuditTarget } from '../../rules/audit.ts';
import { linkTexts } from '../../rules/links.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { refundableFen, rulingOutcome } from '#subjects/disputes/rules/ruling.ts';
import { orderStatusName, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  requestEvidence,
  loadCase,
  closedToRuling,
  depositRoleOf,
  disputeForStaff,
  type DisputeRow,
  disputesWhere,
  openerParty,
  ruleCase,
  type RulingDraft,
  rulesInForce,
  takeCase,
  pendingFor,
  requireRefundable,
} from '#subjects/disputes/server/service.ts';
import { depositRoleNames, paidByRole } from '#subjects/deposits/server/service.ts';
import { openDebtFen } from '#subjects/ledger/server/service.ts';
import { boughtByPlatform, hasReadAccountOf } from '#subjects/recycling/server/service.ts';
import { decidedDeposits } from '#subjects/services/server/service.ts';
import { loadFundNeed, type OrderTerms, termsForSystem } from '#subjects/orders/server/service.ts';
import {
  approveRequest,
  requestOrConfirm,
  openDraft,
  rejectRequest,
  secondPersonFen,
} from '#server/staff/approvals.ts';
import { audit } from '#server/audit/audit.ts';
import { inBulk } from '#server/staff/bulk.ts';
import { requirePermission, ownSite, requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

const RULE = 'dispute.rule';
const targetOf = (sn: string): AuditTarget => `dispute:${sn}`;

async function find(call: StaffCall, sn: string): Promise<DisputeRow> {
  const d = await disputeForStaff(call.ctx.db, sn, call.staff.distId);
  if (!d) throw new AppError('DISPUTE_NOT_FOUND');
  return d;
}

type File = HandlerResult<typeof c.staffDisputeDetail>;
type Draft = Awaited<ReturnType<typeof openDraft<RulingDraft>>>;

/** The caller's permitted actions on a case, or a hint when only another person may act. */
function rightsOf(call: StaffCall, d: DisputeRow, draft: Draft): Pick<File, 'acts' | 'hint'> {
  const { staff } = call;
  if (!staffCan(staff, 'dispute.rule')) return { acts: [], hint: '没有裁决权限，可以查看' };
  const closed = closedToRuling(d, staff.id);
  const running = d.status !== 'closed' && d.status !== 'ruled' && closed !== 'DISPUTE_OTHER_PERSON';
  const hasIt = d.staffId === staff.id && d.firstLookAt !== null;
  const actions = [
    ...(running && !hasIt ? ['look'] : []),
    ...(running ? ['ask'] : []),
    ...(closed === null && !draft ? ['rule'] : []),
    ...(draft && draft.requestedBy !== staff.id ? ['second'] : []),
  ];
  const hint =
    d.status === 'open' || d.status === 'answering'
      ? '对方答复或超时后才能裁决'
      : closed === 'DISPUTE_OTHER_PERSON'
        ? '第一次裁决由您作出，上诉须由另一位同事裁决'
        : null;
  return { acts: actions, hint };
}

function draftView(call: StaffCall, draft: Draft): File['draft'] {
  if (!draft) return null;
  const { backFen, rules, reason, publicText, penalty } = draft.payload;
  return {
    draftId: draft.id,
    by: draft.name,
    isMine: draft.requestedBy === call.staff.id,
    refund: backFen,
    rules: [...rules],
    reason,
    publicText: publicText ?? '',
    penalty: penalty === true,
  };
}

/** Other disputes of the two parties, newest first; for staff of a distributor only those of that distributor. */
async function listEarlier(call: StaffCall, d: DisputeRow): Promise<File['before']> {
  const pair = sql`(${d.buyerId}, ${d.sellerId})`;
  const rows = await disputesWhere(
    call.ctx.db,
    sql`d.id <> ${d.id} and (o.buyer_id in ${pair} or o.seller_id in ${pair}) ${ownSite(call.staff, sql`d.dist_id`)}`,
    sql`order by d.id desc limit 10`,
  );
  return rows.map((e) => ({
    disputeSn: e.sn,
    side: e.buyerId === d.buyerId || e.sellerId === d.buyerId ? 'buyer' : 'seller',
    reasonName: e.reasonName,
    result: pendingFor(e, 'staff').text,
  }));
}

const termsView = (o: OrderTerms): File['terms'] => ({
  goods: o.goodsFen,
  service: o.serviceFeeFen,
  ensure: o.ensureFen,
  fixEnsure: o.fixEnsureFen,
  discount: o.discountFen,
  commission: o.commissionFen,
  distShare: o.distShareFen,
  inviteReward: o.inviteRewardFen,
  advance: o.advanceFen,
  advanceGoods: o.advanceGoodsFen,
  cut: o.cutFen,
  refundable: refundableFen(o),
});

/** One case in full, with related data and the caller's permitted actions. Throws FORBIDDEN, DISPUTE_NOT_FOUND. */
export async function disputeFile(call: StaffCall, { disputeSn }: Parsed<typeof c.staffDisputeDetail>): Promise<File> {
  const { ctx, staff } = call;
  requirePermission(staff, 'dispute.read');
  const d = await find(call, disputeSn);
  const order = await termsForSystem(ctx.db, { id: d.orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const loadDeposit = async (party: 'buyer' | 'seller') => {
    const role = depositRoleOf(order.typeId, party);
    if (!role) return null;
    const paid = await paidByRole(ctx.db, party === 'buyer' ? order.buyerId : order.sellerId);
    return { roleName: depositRoleNames[role], paid: paid.get(role) ?? 0 };
  };
  const [file, draft, ruleBook, before, buyerDeposit, sellerDeposit, buyerDebt, sellerDebt, uncovered, links] =
    await Promise.all([
      loadCase(ctx, d, 'staff', new Date()),
      openDraft<RulingDraft>(ctx.db, RULE, targetOf(d.sn)),
      rulesInForce(ctx.db),
      listEarlier(call, d),
      loadDeposit('buyer'),
      loadDeposit('seller'),
      openDebtFen(ctx.db, d.buyerId, staff.distId),
      openDebtFen(ctx.db, d.sellerId, staff.distId),
      loadFundNeed(ctx.db, order, refundableFen(order)),
      sql<{ links: string[] }>`select user_links(${d.buyerId}, ${d.sellerId}) as links`.execute(ctx.db),
    ]);
  const { lossBp, lossMinFen, lossMaxFen } = ctx.dir.setting('deposit');
  return {
    ...file,
    buyerName: d.buyerName,
    buyerId: String(d.buyerId),
    sellerName: d.sellerName,
    sellerId: String(d.sellerId),
    openerSide: openerParty(d.openerBelong),
    distName: ctx.dir.byId(d.distId)?.name ?? '',
    orderStatus: d.orderStatus,
    orderStatusName: orderStatusName(d.orderStatus, d.typeId),
    terms: termsView(order),
    deposits: { buyer: buyerDeposit, seller: sellerDeposit },
    related: linkTexts(links.rows[0]?.links ?? []),
    debts: { buyer: buyerDebt, seller: sellerDebt },
    uncovered: order.status === OrderStatus.Completed && d.status !== 'closed' ? uncovered : 0,
    penaltyTerms: { lossBp, lossMinFen, lossMaxFen },
    staffId: d.status === 'appealed' ? d.appealStaffId : d.staffId,
    escalated: d.escalated,
    before,
    draft: draftView(call, draft),
    ruleBook,
    secondPerson: secondPersonFen(call),
    ...rightsOf(call, d, draft),
  };
}

/** Assigns the case to the caller. Throws FORBIDDEN, DISPUTE_*. */
export async function triageDispute(
  call: StaffCall,
  { disputeSn }: Parsed<typeof c.staffDisputeFirstResponse>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'dispute.rule');
  await takeCase(ctx, staff, disputeSn, (trx) => audit(trx, staff, 'dispute.look', targetOf(disputeSn), {}, ip));
  return {};
}

/** Assigns several cases to the caller; those that cannot be assigned are rejected. Throws FORBIDDEN. */
export async function takeDisputes(
  call: StaffCall,
  { disputeSns }: Parsed<typeof c.staffDisputeTake>,
): Promise<HandlerResult<typeof c.staffDisputeTake>> {
  requirePermission(call.staff, 'dispute.rule');
  return await inBulk(disputeSns, (disputeSn) => triageDispute(call, { disputeSn }));
}

/** Requests more evidence. Throws FORBIDDEN, DISPUTE_*. */
export async function askForEvidence(
  call: StaffCall,
  { disputeSn, text }: Parsed<typeof c.staffDisputeQuestion>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'dispute.rule');
  await requestEvidence(ctx, staff, disputeSn, text, (trx) =>
    audit(trx, staff, 'dispute.ask', targetOf(disputeSn), { text }, ip),
  );
  return {};
}

/**
 * Checks that a member of staff may rule on an account that the platform bought. The ruling releases the money like a take-over, so that
 * staff of a brand and the inspector of the account are excluded (decision 746). Throws FORBIDDEN.
 */
async function requireRulerOfPurchase({ ctx, staff }: StaffCall, orderId: number): Promise<void> {
  requirePlatform(staff, 'dispute.rule');
  if (await hasReadAccountOf(ctx.db, orderId, staff.id))
    throw new AppError('FORBIDDEN', { text: '验号的同事不能裁决这笔申诉，请换一位' });
}

/**
 * Rules on a case. Above the limit for either party, or when the guarantee fund would have to advance money, the ruling is stored, pending
 * approval by another person. Throws FORBIDDEN, FACTOR_REQUIRED, DISPUTE_*, SECOND_PERSON, BAD_INPUT.
 */
export async function ruleDispute(
  call: StaffCall,
  { disputeSn, refund, rules, reason, publicText, penalty }: Parsed<typeof c.staffDisputeRule>,
): Promise<HandlerResult<typeof c.staffDisputeRule>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'dispute.rule');
  requireFactor(call);
  const d = await find(call, disputeSn);
  const closed = closedToRuling(d, staff.id);
  if (closed) throw new AppError(closed);
  const order = await termsForSystem(ctx.db, { id: d.orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  requireRefundable(order, refund);
  const draft: RulingDraft = { backFen: refund, rules, reason, publicText: publicText ?? null, penalty };
  const { buyerFen, sellerFen } = rulingOutcome(order, order.status, refund);
  // Money released to the seller counts like refunded money, as do deposits that staff have decided on.
  const deposits = await decidedDeposits(ctx.db, d.id);
  const amountFen = Math.max(buyerFen + deposits.buyerFen, sellerFen + deposits.boosterFen);
  // When the platform is the buyer, no party can appeal, so a ruling always needs two people.
  const isPlatforms = await boughtByPlatform(ctx.db, order.id);
  if (isPlatforms) await requireRulerOfPurchase(call, order.id);
  if (isPlatforms || amountFen > secondPersonFen(call) || (await loadFundNeed(ctx.db, order, refund)) > 0) {
    const request = {
      act: RULE,
      target: targetOf(d.sn),
      amountFen,
      reason,
      distId: d.distId,
      payload: draft,
    } as const;
    // The second person decides on the stored draft (`second`) and does not write another one.
    const requireRunning = async (trx: Trx): Promise<void> => {
      const { rows } = await sql`
        select from dispute where sn = ${d.sn} and status = ${d.status} for share`.execute(trx);
      if (rows.length === 0) throw new AppError('DISPUTE_STATE');
    };
    if (await requestOrConfirm(call, request, requireRunning))
      throw new AppError('DISPUTE_STATE', { text: '已有同事的裁决等待复核' });
    return { waits: true };
  }
  await ruleCase(ctx, staff, disputeSn, draft, async (trx) => {
    // The decision on deposits may have changed since it was read above.
    const now = await decidedDeposits(trx, d.id);
    if (Math.max(buyerFen + now.buyerFen, sellerFen + now.boosterFen) > secondPersonFen(call))
      throw new AppError('DISPUTE_STATE', { text: '保证金刚有新的决定，请刷新后重新提交裁决' });
    await audit(
      trx,
      staff,
      RULE,
      targetOf(disputeSn),
      { backFen: refund, rules, reason, penalty: penalty === true },
      ip,
    );
  });
  return { waits: false };
}

/** The second person approves a drafted ruling in its author's name, or rejects it. Throws FORBIDDEN, FACTOR_REQUIRED, SECOND_PERSON, DISPUTE_*. */
export async function approveRulingAsSecond(
  call: StaffCall,
  { disputeSn, draftId, allow, note }: Parsed<typeof c.staffDisputeSecond>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'dispute.rule');
  requireFactor(call);
  const d = await find(call, disputeSn);
  const target = targetOf(d.sn);
  if (await boughtByPlatform(ctx.db, d.orderId)) await requireRulerOfPurchase(call, d.orderId);
  const draft = await openDraft<RulingDraft>(ctx.db, RULE, target);
  if (!draft || draft.id !== draftId || draft.requestedBy === staff.id) throw new AppError('SECOND_PERSON');
  const reason = note ?? (allow ? '同意' : '退回修改');
  if (!allow) {
    await inTransaction(ctx.db, (trx) => rejectRequest(trx, call, { act: RULE, target, reason, draftId }));
    return {};
  }
  const author = { id: draft.requestedBy, distId: staff.distId, approvalId: draft.id };
  await ruleCase(ctx, author, disputeSn, draft.payload, async (trx) => {
    await approveRequest(trx, call, { act: RULE, target, amountFen: 0, reason, draftId, distId: d.distId });
    await audit(trx, staff, RULE, target, { ...draft.payload, author: draft.requestedBy }, ip);
  });
  return {};
}
