import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/guarantees/contract/staff-claims.ts';
import type { AuditTarget } from '../../rules/audit.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { claimReasons } from '#subjects/guarantees/rules/guarantee.ts';
import { staffCan } from '../../rules/staff.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { rulesInForce } from '#subjects/disputes/server/service.ts';
import {
  chaseDay,
  citedRule,
  loadClaimCase,
  claimForStaff,
  claimName,
  type ClaimRow,
  claimWhere,
  limitOf,
  clockOf,
  decideClaim,
  type Decision,
  OPEN_CLAIM,
} from '#subjects/guarantees/server/service.ts';
import { CLAIM_OPEN, CLAIM_PENDING, CLAIM_TODO } from '#subjects/disputes/server/service.ts';
import { claimDetails } from '#subjects/guarantees/server/service.ts';
import { approveRequest, requestOrConfirm, openDraft, rejectRequest } from '#server/staff/approvals.ts';
import { audit } from '#server/audit/audit.ts';
import { auditUserSearch, userIdsFor } from '#subjects/accounts/server/service.ts';
import { inBulk } from '#server/staff/bulk.ts';
import { amounting, type Batch, during, inOrder, NEVER, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { requirePermission, ownSite } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

type ListInput = Parsed<typeof c.staffClaimList>;

const PAY = 'claim.pay';
const targetOf = (sn: string): AuditTarget => `claim:${sn}`;

/** The deadline of a claim's state; null once it is decided. */
const CLOCK = sql`case c.status when 'checking' then c.first_look_by when 'chasing' then c.deadline_at when 'escalated' then c.decide_by end`;

const SORTS = {
  openTime: { by: sql`c.opened_at`, kind: 'time' },
  deadline: { by: sql`coalesce(${CLOCK}, ${NEVER})`, kind: 'time' },
  asked: { by: sql`c.asked_fen`, kind: 'number' },
} as const;

function keywordFilter(call: StaffRead, keyword: string): RawBuilder<unknown> {
  const person = userIdsFor(call, keyword);
  if (person) return sql`c.user_id in (${person})`;
  return sql`(c.sn = ${keyword.toUpperCase()} or exists (select from orders x where x.id = c.order_id and x.sn = ${keyword}))`;
}

function filterOf(call: StaffRead, input: ListInput): RawBuilder<unknown> {
  const { staff } = call;
  const parts = [sql`true ${ownSite(staff, sql`c.dist_id`)}`];
  if (input.status !== undefined) parts.push(sql`c.status = any(${input.status}::text[])`);
  if (input.asked !== undefined) parts.push(amounting(sql`c.asked_fen`, input.asked));
  if (input.openTime !== undefined) parts.push(during(sql`c.opened_at`, input.openTime));
  if (input.active === true) parts.push(CLAIM_OPEN);
  if (input.todo === true) parts.push(CLAIM_TODO);
  if (input.mine === true) parts.push(sql`${CLAIM_OPEN} and c.staff_id = ${staff.id}`);
  if (input.due === true)
    parts.push(
      sql`(c.status = 'escalated' or c.status = 'chasing' and c.deadline_at < now() + interval '1 day' or c.status = 'checking' and c.first_look_by < now())`,
    );
  if (input.second === true) parts.push(sql`${CLAIM_OPEN} and ${CLAIM_PENDING}`);
  if (input.newerThan !== undefined) parts.push(sql`c.opened_at > ${input.newerThan}`);
  if (input.keyWord !== undefined) parts.push(keywordFilter(call, input.keyWord));
  return sql.join(parts, sql` and `);
}

/** Claims for staff; staff of a distributor see only its claims. A search for a user is audited. Throws FORBIDDEN. */
export async function listClaims(
  call: StaffRead,
  input: ListInput,
  batch?: Batch,
): Promise<HandlerResult<typeof c.staffClaimList>> {
  const { staff, ctx } = call;
  requirePermission(staff, 'claim.read');
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`c.id`, batch);
  const { rows: keys } = await sql<{ id: number; sort_key: string }>`
    select c.id, ${page.key} as sort_key from guarantee_claim c where ${filter} ${page.behind} ${page.tail}`.execute(
    ctx.db,
  );
  const result = page.cut(keys);
  const ids = result.rows.map(({ id }) => id);
  const rows = inOrder(ids, await claimWhere(ctx.db, sql`c.id = any(${ids}::bigint[])`));
  await auditUserSearch(
    call,
    'claim',
    input.keyWord,
    rows.map((k) => k.sn),
  );
  const pending = await sql<{ target: string }>`
    select target from approval where act = ${PAY} and status = 'waiting' and expires_at > now() and target = any(${rows.map((k) => targetOf(k.sn))})`.execute(
    ctx.db,
  );
  const targets = new Set(pending.rows.map((r) => r.target));
  const now = new Date();
  const totals = await loadTotals(ctx.db, sql`guarantee_claim c where ${filter}`, { fen: sql`c.asked_fen`, batch });
  return {
    list: rows.map((k) => itemOf(call, k, targets.has(targetOf(k.sn)), now)),
    ...totals,
    next: result.next,
    now,
  };
}

function itemOf(
  call: StaffRead,
  k: ClaimRow,
  isPending: boolean,
  now: Date,
): HandlerResult<typeof c.staffClaimList>['list'][number] {
  const { lookBy, deadline, decideBy } = clockOf(k, now);
  const ends = decideBy ?? deadline ?? lookBy;
  return {
    claimSn: k.sn,
    orderSn: k.orderSn,
    tierName: k.terms.name,
    bigTitle: k.snapshot.title,
    gameName: k.snapshot.gameName,
    reasonName: claimReasons[k.reason].name,
    userName: k.userName,
    userId: String(k.userId),
    sellerId: String(k.sellerId),
    asked: k.askedFen,
    paid: k.paidFen > 0 ? k.paidFen : null,
    status: k.status,
    statusName: claimName(k.status),
    day: chaseDay(k.chaseFrom, k.chaseDays, k.decidedAt ?? now),
    days: k.chaseDays,
    deadline: ends,
    late: ends !== null && ends < now,
    waitsForSecond: isPending,
    staffName: k.staffName,
    distName: call.ctx.dir.byId(k.distId)?.name ?? '',
    openTime: k.openedAt,
  };
}

async function find(call: StaffCall, sn: string): Promise<ClaimRow> {
  const claim = await claimForStaff(call.ctx.db, sn, call.staff.distId);
  if (!claim) throw new AppError('CLAIM_NOT_FOUND');
  return claim;
}

/** One claim in full. Throws FORBIDDEN, CLAIM_NOT_FOUND. */
export async function claimFile(
  call: StaffCall,
  { claimSn }: Parsed<typeof c.staffClaimDetail>,
): Promise<HandlerResult<typeof c.staffClaimDetail>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'claim.read');
  const k = await find(call, claimSn);
  const [file, draft, ruleBook, before, details] = await Promise.all([
    loadClaimCase(ctx.db, k, new Date()),
    openDraft<Decision>(ctx.db, PAY, targetOf(k.sn)),
    rulesInForce(ctx.db),
    claimWhere(
      ctx.db,
      sql`c.id <> ${k.id} and (c.user_id = ${k.userId} or c.cover_id = ${k.coverId}) ${ownSite(staff, sql`c.dist_id`)}`,
      sql`order by c.id desc limit 10`,
    ),
    claimDetails(ctx.db, k),
  ]);
  const open = OPEN_CLAIM.includes(k.status);
  const free = open && staffCan(staff, 'claim.decide');
  const decides = draft ? (draft.requestedBy === staff.id ? [] : ['second']) : ['pay', 'refuse', 'recovered'];
  return {
    ...file,
    ...details,
    orderSn: k.orderSn,
    userId: String(k.userId),
    userName: k.userName,
    distName: ctx.dir.byId(k.distId)?.name ?? '',
    coverText: k.terms.coverText,
    exclusions: k.terms.exclusions,
    price: k.priceFen,
    payoutMax: k.payoutMaxFen,
    premium: k.premiumFen,
    staffName: k.staffName,
    before: before.map((e) => ({
      claimSn: e.sn,
      statusName: claimName(e.status),
      asked: e.askedFen,
      time: e.openedAt,
    })),
    draft: draft
      ? {
          draftId: draft.id,
          by: draft.name,
          isMine: draft.requestedBy === staff.id,
          act: draft.payload.action,
          amount: draft.payload.amountFen,
          sparesSeller: draft.payload.sparesSeller ?? false,
          text: draft.payload.text,
        }
      : null,
    ruleBook,
    acts: free ? [...(k.status === 'checking' ? ['accept'] : []), 'note', ...decides] : [],
  };
}

/** Checks the amount against the limit of the reason (platform rule 5.4), before a second person is asked. Throws CLAIM_LIMIT. */
function checkPaid(k: ClaimRow, fen: number): void {
  const limitFen = limitOf(k);
  if (fen > 0 && fen <= limitFen) return;
  throw new AppError('CLAIM_LIMIT', {
    text: `「${claimReasons[k.reason].name}」目前最多赔付 ${yuanLabel(limitFen)} 元，超出部分须先录入充值凭证`,
  });
}

/** Actions that end a claim, in either direction, need two people (platform rules 5.1 and 5.7, decision 223). */
const ENDING_ACTIONS: readonly Decision['action'][] = ['pay', 'refuse', 'recovered'];

/** Checks that a proposed decision can be carried out, before a second person is asked. Throws CLAIM_STATE, CLAIM_LIMIT, BAD_INPUT. */
async function checkProposal(call: StaffCall, k: ClaimRow, decision: Decision): Promise<void> {
  if (decision.action === 'refuse') await citedRule(call.ctx.db, decision.ruleNo);
  if (!OPEN_CLAIM.includes(k.status)) throw new AppError('CLAIM_STATE');
  if (decision.action === 'pay') checkPaid(k, decision.amountFen ?? 0);
}

/**
 * An action of staff on a claim. One that would end it is stored, pending approval by another person. Throws FORBIDDEN,
 * FACTOR_REQUIRED, CLAIM_*, SECOND_PERSON, BAD_INPUT.
 */
export async function applyClaimAction(
  call: StaffCall,
  input: Parsed<typeof c.staffClaimAction>,
): Promise<HandlerResult<typeof c.staffClaimAction>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'claim.decide');
  if (input.act === 'pay') requireFactor(call);
  const k = await find(call, input.claimSn);
  const decision: Decision = {
    action: input.act,
    text: input.text,
    ruleNo: input.ruleNo || null,
    amountFen: input.act === 'pay' ? (input.amount ?? Math.min(k.askedFen, limitOf(k))) : null,
    sparesSeller: input.sparesSeller ?? false,
  };
  if (ENDING_ACTIONS.includes(input.act)) {
    await checkProposal(call, k, decision);
    const request = {
      act: PAY,
      target: targetOf(k.sn),
      amountFen: decision.amountFen ?? k.askedFen,
      reason: input.text,
      distId: k.distId,
      payload: decision,
    } as const;
    const requireOpen = async (trx: Trx): Promise<void> => {
      const { rows } = await sql<{ status: string }>`
        select status from guarantee_claim where sn = ${k.sn} for share`.execute(trx);
      if (!OPEN_CLAIM.some((status) => status === rows[0]?.status)) throw new AppError('CLAIM_STATE');
    };
    if (await requestOrConfirm(call, request, requireOpen))
      throw new AppError('CLAIM_STATE', { text: '已有同事的处理等待复核' });
    return { waits: true };
  }
  await decideClaim(ctx, staff, k.sn, decision, (trx) =>
    audit(trx, staff, `claim.${input.act}`, targetOf(k.sn), { ...decision }, ip),
  );
  return { waits: false };
}

/** Accepts several claims; those that cannot be accepted are rejected. Throws FORBIDDEN. */
export async function acceptMany(
  call: StaffCall,
  { claimSns, text }: Parsed<typeof c.staffClaimAccept>,
): Promise<HandlerResult<typeof c.staffClaimAccept>> {
  requirePermission(call.staff, 'claim.decide');
  return await inBulk(claimSns, (claimSn) => applyClaimAction(call, { claimSn, act: 'accept', text }));
}

/** The second person approves or rejects a drafted decision. Throws FORBIDDEN, FACTOR_REQUIRED, SECOND_PERSON, CLAIM_*. */
export async function secondOnClaim(
  call: StaffCall,
  { claimSn, draftId, allow, note }: Parsed<typeof c.staffClaimSecond>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'claim.decide');
  requireFactor(call);
  const k = await find(call, claimSn);
  const target = targetOf(k.sn);
  const draft = await openDraft<Decision>(ctx.db, PAY, target);
  if (!draft || draft.id !== draftId || draft.requestedBy === staff.id) {
    const { status } = await find(call, claimSn);
    throw new AppError(OPEN_CLAIM.includes(status) ? 'SECOND_PERSON' : 'CLAIM_STATE');
  }
  const reason = note ?? (allow ? '同意' : '退回修改');
  if (!allow) {
    await inTransaction(ctx.db, (trx) => rejectRequest(trx, call, { act: PAY, target, reason, draftId }));
    return {};
  }
  const author = { id: draft.requestedBy, distId: staff.distId, approvalId: draft.id };
  await decideClaim(ctx, author, k.sn, draft.payload, async (trx) => {
    await approveRequest(trx, call, { act: PAY, target, amountFen: 0, reason, draftId, distId: k.distId });
    await audit(
      trx,
      staff,
      `claim.${draft.payload.action}`,
      target,
      { ...draft.payload, author: draft.requestedBy },
      ip,
    );
  });
  return {};
}
